"""Check-COVID's measures, as the scripts of posuer/Check-COVID have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.formats.check_covid import FORMAT
from corpus.formats.problems import kind_of
from corpus.records import Json, Label
from verification.scoring.findings import Findings, Place
from verification.scoring.labels import SHAPE as LABELS_SHAPE
from verification.scoring.labels import Classes, Labels, pairs_with, predicted_labels
from verification.scoring.reading import Documents, Source, Values, read_documents
from verification.scoring.scifact import (
    SHAPE as PIPELINE_SHAPE,
)
from verification.scoring.scifact import (
    GoldDocument,
    GoldEvidence,
    Predicted,
    aggregate,
    cap_of_three,
    pipeline_counts,
    predicted_documents,
    present,
)
from verification.scoring.scifact_modules import (
    SELECTION_SHAPE,
    Selected,
    predicted_selection,
)
from verification.scoring.tasks import ClaimTask, Rules, nested
from verification.scoring.validate import label_word, without_nei, words_of

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

PROFILE = "check-covid"
NEI = FORMAT.labels[Label.NOT_ENOUGH_INFO]
WORDS = words_of(FORMAT.labels)
PIPELINE_WORDS = without_nei(FORMAT.labels)
CLASSES = Classes(
    order=(FORMAT.labels[Label.CONTRADICT], NEI, FORMAT.labels[Label.SUPPORT]), nei=NEI
)


class GoldClaim(NamedTuple):
    """The one document, label and rationale of a claim."""

    document: str
    label: str
    sentences: list[int]


def parse_gold(values: Values, place: Place, rules: Rules) -> GoldClaim | None:
    """Return the gold of one claim."""
    label = label_word(values.get("label"), "label", WORDS, place)
    document = values.get("cord_id")
    if type(document) not in (int, str):
        place.error(f"cord_id: expected an id, found {kind_of(document)}.")
    sentences = _evidence_set(values.get("evidence_set"), place)
    if label is None or place.has_errors:
        return None
    name = str(document)
    if rules.documents is not None and name not in rules.documents:
        place.warn(f"The gold document {name[:200]} is not in the corpus.")
    if len(set(sentences)) < len(sentences):
        place.warn("The gold evidence lists a sentence twice.")
    if not sentences:
        place.warn("The gold evidence is empty.")
    return GoldClaim(name, label, sentences)


def _evidence_set(value: Json, place: Place) -> list[int]:
    if not isinstance(value, list):
        place.error(f"evidence_set: expected a list, found {kind_of(value)}.")
        return []
    sentences: list[int] = []
    for number, entry in enumerate(value):
        index = entry.get("sent_index") if isinstance(entry, dict) else None
        if type(index) is int:
            sentences.append(index)
        else:
            field = f"evidence_set[{number}].sent_index"
            place.error(f"{field}: integer expected, found {kind_of(index)}.")
    return sentences


def _read_corpus(source: Source, findings: Findings, _rules: Rules) -> Documents:
    return read_documents(source, findings, id_key="cord_id")


# Rationale selection -----------------------------------------------------------

MODES = (
    "sentence_standard",
    "sentence_global_recall_focused",
    "rationale_strict",
    "rationale_intersection",
)


def rationale_counts(
    gold: GoldClaim, selected: Selected, _rules: Rules
) -> tuple[int, ...]:
    """Return correct, retrieved and relevant of each of ``MODES`` for one claim.

    The document's id is never looked at, repeated sentences are credited each
    time, and a strict match compares lists. A NOTENOUGHINFO claim adds nothing.
    """
    if gold.label == NEI:
        return (0,) * 12
    truth = gold.sentences
    standard = whole = strict = shared = 0
    for sentences in selected.values():
        hits = sum(sentence in truth for sentence in sentences)
        standard += hits
        whole += hits if set(sentences).issuperset(truth) else 0
        strict += sentences == truth
        shared += hits > 0
    listed, documents = sum(map(len, selected.values())), len(selected)
    return (
        *(standard, listed, len(truth)),
        *(whole, listed, len(truth)),
        *(strict, documents, 1),
        *(shared, documents, 1),
    )


def _parse_selection(values: Values, place: Place, rules: Rules) -> Selected | None:
    selected = predicted_selection(values, place, rules)
    if selected is not None and len(selected) > 1:
        place.warn(
            f"{len(selected)} documents are named. Each is compared with the claim's "
            "one rationale, so that recall and accuracy can exceed 1."
        )
    return selected


def _aggregate_rationales(sums: Array) -> Measures:
    from verification.scoring.metrics import UNDEFINED, precision_recall_f1, ratio

    measures: Measures = {}
    for n, mode in enumerate(MODES):
        correct, retrieved, relevant = (sums[..., 3 * n + k] for k in range(3))
        measures |= precision_recall_f1(f"{mode}.", correct, retrieved, relevant)
        if mode.startswith("rationale"):
            measures[f"{mode}.accuracy"] = ratio(correct, relevant, empty=UNDEFINED)
    return measures


def _present_rationales(
    values: Mapping[str, float], sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    metrics = nested(values)
    for n, mode in enumerate(MODES):
        names = ("correct", "retrieved", "relevant")
        counts = dict(zip(names, map(int, sums[3 * n : 3 * n + 3]), strict=True))
        measures = metrics[mode]
        assert isinstance(measures, dict)  # noqa: S101  # nested by the dot above
        metrics[mode] = {**counts, **measures}
    return metrics, {}


RATIONALE_SELECTION = ClaimTask(
    name="checkcovid_rationale_selection",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=SELECTION_SHAPE,
    parse_gold=parse_gold,
    parse_prediction=_parse_selection,
    count=rationale_counts,
    aggregate=_aggregate_rationales,
    present=_present_rationales,
    read_corpus=_read_corpus,
)


# Label prediction --------------------------------------------------------------


def _parse_labels(values: Values, place: Place, rules: Rules) -> Labels | None:
    return predicted_labels(values, place, rules, WORDS)


def _count_labels(gold: GoldClaim, predicted: Labels, _rules: Rules) -> tuple[int, ...]:
    return CLASSES.count(pairs_with(lambda _: gold.label, predicted))


LABEL_PREDICTION = ClaimTask(
    name="checkcovid_label_prediction",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=LABELS_SHAPE,
    parse_gold=parse_gold,
    parse_prediction=_parse_labels,
    count=_count_labels,
    aggregate=CLASSES.aggregate,
    present=CLASSES.present,
    read_corpus=_read_corpus,
)


# The SciFact-style pipeline ----------------------------------------------------


def _pipeline_gold(values: Values, place: Place, rules: Rules) -> GoldEvidence | None:
    gold = parse_gold(values, place, rules)
    if gold is None:
        return None
    return {gold.document: GoldDocument(gold.label, (tuple(gold.sentences),))}


def _parse_documents(values: Values, place: Place, rules: Rules) -> Predicted | None:
    return predicted_documents(values, place, rules, PIPELINE_WORDS)


def _count(gold: GoldEvidence, predicted: Predicted, _rules: Rules) -> tuple[int, ...]:
    return pipeline_counts(gold, predicted, cap_of_three)


PIPELINE = ClaimTask(
    name="checkcovid_pipeline_py",
    profiles=(PROFILE,),
    id_key="id",
    shape=PIPELINE_SHAPE,
    parse_gold=_pipeline_gold,
    parse_prediction=_parse_documents,
    count=_count,
    aggregate=aggregate,
    present=present,
    read_corpus=_read_corpus,
)
