"""SciFact's full scoring: the four measures of abstracts and sentences.

``leaderboard`` follows allenai/scifact-evaluator, ``verisci`` allenai/scifact.
They differ in the number of sentences that can earn an abstract's rationale
credit and in how document ids are compared; each refuses other files. What they
score, this scores to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import chain, permutations
from typing import TYPE_CHECKING, NamedTuple, cast

from corpus.formats.problems import kind_of, shown
from corpus.formats.scifact import FORMAT
from corpus.records import Json
from verification.scoring.findings import Place
from verification.scoring.reading import Documents, Values
from verification.scoring.tasks import (
    PROFILES,
    VERISCI,
    ClaimTask,
    Rules,
    nested,
    read_scifact_corpus,
)
from verification.scoring.validate import (
    Words,
    are_indices,
    indices,
    label_word,
    mapping,
    warn_about_document,
    warn_about_sentences,
    without_nei,
)

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

CAP = 3
"""So many sentences, as listed, can earn an abstract its rationale credit."""

WORDS = without_nei(FORMAT.labels)
SHAPE = '{"id": 1, "evidence": {"11": {"sentences": [0], "label": "SUPPORT"}}}'

_ONLY_LISTS = frozenset([list])

COLUMNS = (
    "sentence_relevant",
    "sentence_retrieved",
    "sentence_correct_selection",
    "sentence_correct_label",
    "abstract_relevant",
    "abstract_retrieved",
    "abstract_correct_label_only",
    "abstract_correct_rationalized",
)


class GoldDocument(NamedTuple):
    """The evidence of one document; no rationale means that there is no label."""

    label: str
    rationales: tuple[tuple[int, ...], ...]


class Fault(StrEnum):
    """What evaluators cannot score in the gold evidence of a document."""

    BARE = "has no rationale"
    MIXED = "has rationales with different labels"
    SHARED = "has a sentence in two rationales"


GoldEvidence = dict[str, GoldDocument]
PredictedDocument = tuple[str, list[int]]
"""The label and the sentences, as listed, of one document of a prediction."""
Predicted = dict[str, PredictedDocument]


# Per claim ---------------------------------------------------------------------


def pipeline_counts(
    gold: Mapping[str, GoldDocument],
    predicted: Mapping[str, PredictedDocument],
    cap_of: Callable[[GoldDocument], int],
) -> tuple[int, ...]:
    """Return the eight counts of one claim, in the order of ``COLUMNS``.

    A predicted sentence is correct if it lies in a gold rationale that is
    predicted whole; an abstract is rationalized if its label is right and one gold
    rationale lies within the first ``cap_of`` listed sentences.
    """
    relevant = sum(len(r) for document in gold.values() for r in document.rationales)
    retrieved = selected = labelled = label_only = rationalized = 0
    for key, (label, sentences) in predicted.items():
        retrieved += len(sentences)
        truth = gold.get(key)
        if truth is None:
            continue
        correct = _correct_sentences(truth, set(sentences))
        selected += correct
        if truth.label != label:
            continue
        labelled += correct
        label_only += 1
        first = set(sentences[: cap_of(truth)])
        rationalized += any(first.issuperset(r) for r in truth.rationales)
    abstracts = (len(gold), len(predicted), label_only, rationalized)
    return (relevant, retrieved, selected, labelled, *abstracts)


def _correct_sentences(truth: GoldDocument, predicted: set[int]) -> int:
    return sum(
        len(set(rationale))
        for rationale in truth.rationales
        if predicted.issuperset(rationale)
    )


def cap_of_three(_truth: GoldDocument) -> int:
    """Return verisci's cap."""
    return CAP


def cap_of_shortest(truth: GoldDocument) -> int:
    """Return the leaderboard's cap, raised where every rationale is longer."""
    return max(CAP, min(map(len, truth.rationales)))


def _count(gold: GoldEvidence, predicted: Predicted, rules: Rules) -> tuple[int, ...]:
    cap_of = cap_of_three if rules.profile == VERISCI else cap_of_shortest
    return pipeline_counts(gold, predicted, cap_of)


# All claims --------------------------------------------------------------------


def aggregate(sums: Array) -> Measures:
    """Return the twelve measures of summed counts."""
    from verification.scoring.metrics import precision_recall_f1

    of = {name: sums[..., n] for n, name in enumerate(COLUMNS)}
    measures: Measures = {}
    for prefix, correct in (
        ("abstract_label_only", "abstract_correct_label_only"),
        ("abstract_rationalized", "abstract_correct_rationalized"),
        ("sentence_selection", "sentence_correct_selection"),
        ("sentence_label", "sentence_correct_label"),
    ):
        level = prefix.split("_")[0]
        measures |= precision_recall_f1(
            f"{prefix}_",
            of[correct],
            of[f"{level}_retrieved"],
            of[f"{level}_relevant"],
        )
    return measures


def present(
    values: Mapping[str, float], sums: Sequence[float]
) -> tuple[Json, dict[str, int]]:
    """Return the twelve measures and the eight counts."""
    counts = {name: int(value) for name, value in zip(COLUMNS, sums, strict=True)}
    return nested(values), counts


# Lines -------------------------------------------------------------------------


def parse_prediction(values: Values, place: Place, rules: Rules) -> Predicted | None:
    """Return the documents of a merged prediction."""
    return predicted_documents(values, place, rules, WORDS)


def predicted_documents(
    values: Values, place: Place, rules: Rules, words: Words
) -> Predicted | None:
    """Return the documents of a merged prediction with labels of ``words``."""
    evidence = mapping(values, "evidence", SHAPE, place)
    if evidence is None:
        return None
    found = _plain(evidence, rules, words)
    if found is None:
        found = _examined(evidence, place, rules, words)
    return None if place.has_errors else found


def _plain(evidence: Values, rules: Rules, words: Words) -> Predicted | None:
    """Return the documents if nothing is to be said of any, else ``None``.

    Most lines are so; looking at all documents together is faster than at each.
    """
    if rules.profile == VERISCI or not _are_known(evidence, rules.documents):
        return None
    entries = cast(Mapping[str, dict[str, Json]], evidence)
    try:
        pairs = {
            document: (entry["label"], entry["sentences"])
            for document, entry in entries.items()
        }
        if not words.keys() >= {label for label, _ in pairs.values()}:
            return None
    except (KeyError, TypeError):  # no object, no such field, or a list as a label
        return None
    if not _are_ordinary([sentences for _, sentences in pairs.values()]):
        return None
    found = cast(Predicted, pairs)
    return found if _are_in_range(found, rules.documents) else None


def _are_known(evidence: Values, documents: Documents | None) -> bool:
    return documents is None or documents.keys() >= evidence.keys()


def _are_ordinary(lists: list[Json]) -> bool:
    """Return whether each is a list of at most ``CAP`` indices, none twice."""
    if not _ONLY_LISTS.issuperset(map(type, lists)):
        return False
    each = cast(list[list[Json]], lists)
    together = list(chain.from_iterable(each))
    if not are_indices(together):
        return False
    return _usual_lists().issuperset(map(tuple, each)) or (
        max(map(len, each)) <= CAP
        and sum(map(len, map(set, each))) == len(together)
        and min(together) >= 0
    )


@cache
def _usual_lists() -> frozenset[tuple[Json, ...]]:
    """Return all ordinary lists of indices up to 23; few abstracts are longer."""
    lists = (permutations(range(24), length) for length in range(CAP + 1))
    return frozenset(chain.from_iterable(lists))


def _are_in_range(found: Predicted, documents: Documents | None) -> bool:
    return documents is None or all(
        max(sentences, default=-1) < documents[document]
        for document, (_, sentences) in found.items()
    )


def _examined(evidence: Values, place: Place, rules: Rules, words: Words) -> Predicted:
    """Return the documents, each looked at by itself, and say what is wrong."""
    found: Predicted = {}
    is_cast = rules.profile == VERISCI
    for key, entry in evidence.items():
        document = document_key(key, rules) if is_cast else key
        if is_cast and document in found:
            place.warn(
                f"Document {shown(document)} is named twice; the last one counts."
            )
        parsed = _predicted_document(document, entry, place, words)
        if parsed is None:
            continue
        found[document] = parsed
        _warn(document, parsed[1], rules, place)
    return found


def _predicted_document(
    document: str, entry: Json, place: Place, words: Words
) -> PredictedDocument | None:
    """Return a document's label and sentences; good ones take the short way."""
    if not isinstance(entry, dict):
        expected = 'expected {"sentences": […], "label": "…"}'
        found = kind_of(entry)
        place.error(f"evidence.{document[:100]}: {expected}, found {found}.")
        return None
    label, sentences = entry.get("label"), entry.get("sentences")
    if type(label) is str and label in words and are_indices(sentences):
        return label, sentences
    field = f"evidence.{document[:100]}"
    label_word(label, f"{field}.label", words, place)
    indices(sentences, f"{field}.sentences", place)
    return None


def _warn(document: str, sentences: list[int], rules: Rules, place: Place) -> None:
    if rules.documents is not None:
        warn_about_document(document, rules.documents, place)
    warn_about_sentences(document, sentences, rules.documents, place)
    warn_about_cap(document, sentences, place)


def warn_about_cap(document: str, sentences: list[int], place: Place) -> None:
    """Warn that not all listed sentences can earn an abstract its credit."""
    if len(sentences) > CAP:
        place.warn(
            f"Document {shown(document)}: {len(sentences)} sentences are listed. The "
            f"first {CAP} in list order can earn the abstract's rationale credit."
        )


def document_key(key: str, rules: Rules) -> str:
    """Return a document id as the evaluator compares it.

    The leaderboard compares texts; verisci casts to int, so that 0241 is 241.
    """
    if rules.profile != VERISCI:
        return key
    try:
        return str(int(key))
    except ValueError:  # an id of our own that is no number
        return key


def parse_gold(values: Values, place: Place, rules: Rules) -> GoldEvidence | None:
    """Return gold evidence that both evaluators can score."""
    evidence = gold_evidence(values, place, rules, refused=frozenset(Fault))
    _check_citations(values, place, rules)
    return None if place.has_errors else evidence


def gold_evidence(
    values: Values, place: Place, rules: Rules, refused: frozenset[Fault]
) -> GoldEvidence:
    """Return the evidence of a gold line.

    A fault that the task's evaluator cannot score is ``refused``; it is a warning
    where the evaluator goes on.
    """
    evidence = mapping(values, "evidence", _GOLD_SHAPE, place)
    found: GoldEvidence = {}
    for key, entries in (evidence or {}).items():
        document = document_key(key, rules)
        if not isinstance(entries, list):
            expected = "expected a list of rationales"
            place.error(f"evidence.{key[:100]}: {expected}, found {kind_of(entries)}.")
            continue
        found[document] = _gold_document(document, entries, place, refused)
        _compare_with_corpus(document, found[document], place, rules)
    return found


_GOLD_SHAPE = '{"id": 1, "evidence": {"11": [{"sentences": [0], "label": "SUPPORT"}]}}'


def _gold_document(
    document: str, entries: list[Json], place: Place, refused: frozenset[Fault]
) -> GoldDocument:
    labels: list[str] = []
    rationales: list[tuple[int, ...]] = []
    for number, entry in enumerate(entries):
        field = f"evidence.{document[:100]}[{number}]"
        if not isinstance(entry, dict):
            place.error(f"{field}: expected an object, found {kind_of(entry)}.")
            continue
        label = label_word(entry.get("label"), f"{field}.label", WORDS, place)
        sentences = indices(entry.get("sentences"), f"{field}.sentences", place)
        if label is not None and sentences is not None:
            labels.append(label)
            rationales.append(tuple(sentences))
    for fault in _faults(entries, labels, rationales):
        report = place.error if fault in refused else place.warn
        report(f"Gold document {shown(document)} {fault}.")
    _warn_about_gold(document, rationales, place)
    return GoldDocument(labels[0] if labels else "", tuple(rationales))


def _faults(
    entries: list[Json], labels: list[str], rationales: list[tuple[int, ...]]
) -> Iterator[Fault]:
    if not entries:
        yield Fault.BARE
    if len(set(labels)) > 1:
        yield Fault.MIXED
    singles = [set(rationale) for rationale in rationales]
    if sum(map(len, singles)) > len(set().union(*singles)):
        yield Fault.SHARED


def _warn_about_gold(
    document: str, rationales: list[tuple[int, ...]], place: Place
) -> None:
    name = f"Gold document {shown(document)}"
    if not all(rationales):
        place.warn(f"{name} has an empty rationale: any prediction contains it.")
    if any(len(set(rationale)) < len(rationale) for rationale in rationales):
        place.warn(f"{name} lists a sentence twice; it is counted twice as relevant.")


def _compare_with_corpus(
    document: str, gold: GoldDocument, place: Place, rules: Rules
) -> None:
    if rules.documents is None:
        return
    size = rules.documents.get(document)
    if size is None:
        place.warn(f"The gold document {shown(document)} is not in the corpus.")
    elif any(not 0 <= s < size for r in gold.rationales for s in r):
        place.warn(
            f"Gold document {shown(document)}: an index is out of range; the "
            f"abstract has {size} sentences, counted from 0."
        )


def _check_citations(values: Values, place: Place, rules: Rules) -> None:
    cited = values.get("cited_doc_ids")
    if rules.documents is None or not isinstance(cited, list):
        return
    report = place.error if rules.profile == VERISCI else place.warn
    for document in cited:
        if str(document) not in rules.documents:
            report(f"The cited document {shown(document)} is not in the corpus.")


TASK = ClaimTask(
    name="scifact_pipeline",
    profiles=PROFILES,
    id_key="id",
    shape=SHAPE,
    parse_gold=parse_gold,
    parse_prediction=parse_prediction,
    count=_count,
    aggregate=aggregate,
    present=present,
    read_corpus=read_scifact_corpus,
)
