"""SciFact's module measures (Table 3), as the scripts of allenai/scifact have them.

Here a fault of the gold that stops the full pipeline is a warning where the
module's own script can go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.formats.problems import kind_of, shown
from corpus.formats.scifact import FORMAT
from corpus.records import Json, Label
from verification.scoring.findings import Place
from verification.scoring.labels import (
    SHAPE as LABELS_SHAPE,
)
from verification.scoring.labels import (
    Classes,
    Labels,
    pairs_with,
    predicted_labels,
)
from verification.scoring.reading import Values
from verification.scoring.scifact import Fault, GoldEvidence, gold_evidence
from verification.scoring.tasks import (
    ClaimTask,
    Rules,
    nested,
    read_scifact_corpus,
)
from verification.scoring.validate import (
    indices,
    mapping,
    warn_about_document,
    warn_about_sentences,
    words_of,
)

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

PROFILE = "verisci-module"
NEI = FORMAT.labels[Label.NOT_ENOUGH_INFO]
WORDS = words_of(FORMAT.labels)
CLASSES = Classes(
    order=(FORMAT.labels[Label.CONTRADICT], NEI, FORMAT.labels[Label.SUPPORT]), nei=NEI
)


def _module_gold(values: Values, place: Place, rules: Rules) -> GoldEvidence | None:
    evidence = gold_evidence(values, place, rules, refused=frozenset())
    return None if place.has_errors else evidence


def _labelled_gold(values: Values, place: Place, rules: Rules) -> GoldEvidence | None:
    evidence = gold_evidence(values, place, rules, refused=frozenset([Fault.MIXED]))
    return None if place.has_errors else evidence


# Rationale selection -----------------------------------------------------------

SELECTION_SHAPE = '{"claim_id": 1, "evidence": {"11": [0, 1]}}'

Selected = dict[str, list[int]]


def predicted_selection(values: Values, place: Place, rules: Rules) -> Selected | None:
    """Return the sentences that were selected in each document."""
    evidence = mapping(values, "evidence", SELECTION_SHAPE, place)
    if evidence is None:
        return None
    found: Selected = {}
    for document, value in evidence.items():
        sentences = indices(value, f"evidence.{document[:100]}", place)
        if sentences is not None:
            found[document] = sentences
            warn_about_document(document, rules.documents, place)
            warn_about_sentences(document, sentences, rules.documents, place)
    return None if place.has_errors else found


def selection_counts(
    gold: GoldEvidence, selected: Selected, _rules: Rules
) -> tuple[int, int, int]:
    """Return correct, retrieved and relevant of one claim.

    Unlike in the pipeline, a repeated sentence is credited each time, and if a
    sentence lies in two rationales the first decides.
    """
    relevant = sum(len(r) for document in gold.values() for r in document.rationales)
    retrieved = sum(map(len, selected.values()))
    correct = sum(
        _is_correct(sentence, set(sentences), gold[document].rationales)
        for document, sentences in selected.items()
        if document in gold
        for sentence in sentences
    )
    return correct, retrieved, relevant


def _is_correct(
    sentence: int, selected: set[int], rationales: Sequence[tuple[int, ...]]
) -> bool:
    for rationale in rationales:
        if sentence in rationale:
            return selected.issuperset(rationale)
    return False


def _aggregate_selection(sums: Array) -> Measures:
    from verification.scoring.metrics import precision_recall_f1

    return precision_recall_f1("", sums[..., 0], sums[..., 1], sums[..., 2])


def _present_selection(
    values: Mapping[str, float], sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    names = ("correct", "retrieved", "relevant")
    counts = {name: int(value) for name, value in zip(names, sums, strict=True)}
    return nested({**counts, **values}) | counts, {}


RATIONALE_SELECTION = ClaimTask(
    name="scifact_rationale_selection",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=SELECTION_SHAPE,
    parse_gold=_module_gold,
    parse_prediction=predicted_selection,
    count=selection_counts,
    aggregate=_aggregate_selection,
    present=_present_selection,
    read_corpus=read_scifact_corpus,
)


# Label prediction --------------------------------------------------------------


def parse_labels(values: Values, place: Place, rules: Rules) -> Labels | None:
    """Return the label of each document, not enough information included."""
    return predicted_labels(values, place, rules, WORDS)


def _count_labels(
    gold: GoldEvidence, predicted: Labels, _rules: Rules
) -> tuple[int, ...]:
    def truth(document: str) -> str:
        known = gold.get(document)
        return known.label if known and known.label else NEI

    return CLASSES.count(pairs_with(truth, predicted))


LABEL_PREDICTION = ClaimTask(
    name="scifact_label_prediction",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=LABELS_SHAPE,
    parse_gold=_labelled_gold,
    parse_prediction=parse_labels,
    count=_count_labels,
    aggregate=CLASSES.aggregate,
    present=CLASSES.present,
    read_corpus=read_scifact_corpus,
)


# Label accuracy with gold inputs -----------------------------------------------


def _claim_label(values: Values, place: Place, rules: Rules) -> str | None:
    evidence = gold_evidence(values, place, rules, refused=frozenset([Fault.MIXED]))
    labels = {document.label for document in evidence.values() if document.label}
    if len(labels) > 1:
        place.error("The gold evidence of this claim has two labels; one is needed.")
    if evidence and not labels:
        place.error("The gold evidence of this claim has no label.")
    if place.has_errors:
        return None
    return labels.pop() if labels else NEI


def _count_accuracy(gold: str, predicted: Labels, _rules: Rules) -> tuple[int, int]:
    return sum(label == gold for label in predicted.values()), len(predicted)


def _aggregate_accuracy(sums: Array) -> Measures:
    from verification.scoring.metrics import UNDEFINED, ratio

    return {"accuracy": ratio(sums[..., 0], sums[..., 1], empty=UNDEFINED)}


def _present_accuracy(
    values: Mapping[str, float], sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    counts = {"n_correct": int(sums[0]), "n_total": int(sums[1])}
    return nested(values) | counts, {}


LABEL_ACCURACY_GOLD_INPUTS = ClaimTask(
    name="scifact_label_accuracy_gold_inputs",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=LABELS_SHAPE,
    parse_gold=_claim_label,
    parse_prediction=parse_labels,
    count=_count_accuracy,
    aggregate=_aggregate_accuracy,
    present=_present_accuracy,
    read_corpus=read_scifact_corpus,
)


# Abstract retrieval ------------------------------------------------------------

RETRIEVAL_SHAPE = '{"claim_id": 1, "doc_ids": [11, 12]}'


def _gold_documents(values: Values, place: Place, rules: Rules) -> set[str] | None:
    evidence = gold_evidence(values, place, rules, refused=frozenset())
    return None if place.has_errors else set(evidence)


def _retrieved(values: Values, place: Place, rules: Rules) -> set[str] | None:
    listed = values.get("doc_ids")
    if not isinstance(listed, list):
        expected = f"expected a list of document ids, found {kind_of(listed)}"
        place.error(f"doc_ids: {expected}. A line is {RETRIEVAL_SHAPE}.")
        return None
    found: set[str] = set()
    for number, document in enumerate(listed):
        if type(document) is int:
            found.add(str(document))
        elif isinstance(document, str) and document:
            _check_text_id(document, place)
            found.add(_as_compared(document))
        else:
            place.error(
                f"doc_ids[{number}]: expected an id, found {kind_of(document)}."
            )
            continue
        warn_about_document(str(document), rules.documents, place)
    if len(found) < len(listed):
        place.warn("A document is listed twice; it counts once.")
    return None if place.has_errors else found


def _check_text_id(document: str, place: Place) -> None:
    if _is_number(document):
        place.warn(
            f"The document id {shown(document)} is text. The evaluator compares "
            "numbers, so that it matches no gold document."
        )


def _as_compared(document: str) -> str:
    """Return a text id so that it matches no gold id that is a number."""
    return f'"{document}"' if _is_number(document) else document


def _is_number(document: str) -> bool:
    return document.isdecimal() or (document[1:].isdecimal() and document[0] == "-")


def _count_hits(
    gold: set[str], retrieved: set[str], _rules: Rules
) -> tuple[int, int, int]:
    hit_one = not gold or bool(gold & retrieved)
    return hit_one, gold <= retrieved, 1


def _aggregate_hits(sums: Array) -> Measures:
    from verification.scoring.metrics import UNDEFINED, ratio

    return {
        "hit_one": ratio(sums[..., 0], sums[..., 2], empty=UNDEFINED),
        "hit_all": ratio(sums[..., 1], sums[..., 2], empty=UNDEFINED),
    }


def _present_hits(
    values: Mapping[str, float], sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    return nested(values) | {"total": int(sums[2])}, {}


ABSTRACT_RETRIEVAL = ClaimTask(
    name="scifact_abstract_retrieval",
    profiles=(PROFILE,),
    id_key="claim_id",
    shape=RETRIEVAL_SHAPE,
    parse_gold=_gold_documents,
    parse_prediction=_retrieved,
    count=_count_hits,
    aggregate=_aggregate_hits,
    present=_present_hits,
    read_corpus=read_scifact_corpus,
)
