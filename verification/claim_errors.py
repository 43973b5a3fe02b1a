"""Where predictions and gold differ, claim by claim. Pure.

For looking, not for scoring: a claim is wrong where a label is, where evidence is
missed, or where something was predicted that is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from corpus.records import Label
from verification.claim_reading import (
    CLAIM,
    NEI,
    READERS,
    Answer,
    Answers,
    GoldClaim,
    TaskReader,
    read_predicted,
)
from verification.scoring.findings import ClaimId
from verification.scoring.reading import (
    Source,
)


class Mark(StrEnum):
    """What became of a sentence, or of a document."""

    RIGHT = "right"
    MISSED = "missed"
    EXTRA = "extra"
    UNJUDGED = "unjudged"
    WRONG_LABEL = "wrong label"


@dataclass(frozen=True, slots=True)
class DocumentErrors:
    """How a prediction of one document compares with its gold."""

    document: str
    mark: Mark
    gold: Label | None
    predicted: Label | None
    marks: Mapping[int, Mark] = field(default_factory=dict)
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class ClaimErrors:
    """How the predictions of one claim compare with its gold."""

    claim: ClaimId
    text: str
    gold_labels: frozenset[Label]
    documents: tuple[DocumentErrors, ...]

    @property
    def is_wrong(self) -> bool:
        """Whether anything differs that counts."""
        return any(document.is_wrong for document in self.documents)

    @property
    def pairs(self) -> list[tuple[Label, Label]]:
        """The gold and predicted label of each document; none is too little.

        Where the claim itself has a label, that one alone.
        """
        of_claim = [d for d in self.documents if d.document == CLAIM]
        documents = of_claim or self.documents
        return [(d.gold or NEI, d.predicted or NEI) for d in documents]


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists and the confusion matrix need of a claim."""

    claim: ClaimId
    is_wrong: bool
    gold_labels: frozenset[Label]
    pairs: tuple[tuple[Label, Label], ...]


def summaries(
    task: str, gold: Mapping[ClaimId, GoldClaim], predictions: Source, profile: str
) -> list[Summary]:
    """Return how each claim fared, in the order of the gold."""
    found = {
        claim: _summary(compare(task, gold[claim], answers))
        for claim, answers in read_predicted(task, predictions, profile, gold)
    }
    empty = (claim for claim in gold if claim not in found)
    found |= {claim: _summary(compare(task, gold[claim], {})) for claim in empty}
    return [found[claim] for claim in gold]


def _summary(errors: ClaimErrors) -> Summary:
    pairs = tuple(errors.pairs)
    return Summary(errors.claim, errors.is_wrong, errors.gold_labels, pairs)


def claim_errors(
    task: str,
    gold: Mapping[ClaimId, GoldClaim],
    predictions: Source,
    profile: str,
    claims: Sequence[ClaimId],
) -> list[ClaimErrors]:
    """Return all that differs in some claims; no others are kept in memory."""
    wanted = set(claims)
    answers = dict(read_predicted(task, predictions, profile, wanted))
    return [compare(task, gold[claim], answers.get(claim, {})) for claim in claims]


def compare(task: str, gold: GoldClaim, predicted: Answers) -> ClaimErrors:
    """Return how predictions of a claim compare with its gold."""
    reader = READERS[task]
    documents = [*gold.answers, *(key for key in predicted if key not in gold.answers)]
    if CLAIM in gold.answers and gold.labels == {NEI}:
        documents = [CLAIM]  # FEVER's scorer looks at no evidence then
    compared = [_document(reader, key, gold, predicted.get(key)) for key in documents]
    if CLAIM in gold.answers:
        compared = _forgiven(compared)
    return ClaimErrors(gold.claim, gold.text, frozenset(gold.labels), tuple(compared))


def _forgiven(documents: list[DocumentErrors]) -> list[DocumentErrors]:
    """Return documents of which one that is right makes up for those missed."""
    pages = [one for one in documents if one.document != CLAIM]
    if not any(one.mark is Mark.RIGHT and not one.is_wrong for one in pages):
        return documents
    return [
        replace(one, is_wrong=False) if one.mark is Mark.MISSED else one
        for one in documents
    ]


def _document(
    reader: TaskReader, key: str, gold: GoldClaim, said: Answer | None
) -> DocumentErrors:
    truth = gold.answers.get(key)
    marks = _sentence_marks(truth, said, key in gold.judged)
    mark = _document_mark(reader, truth, said, key in gold.judged)
    is_found = not reader.has_sentences or _finds_a_rationale(truth, said)
    has_extra = reader.has_sentences and Mark.EXTRA in marks.values()
    return DocumentErrors(
        document=key,
        mark=mark,
        gold=truth.label if truth else None,
        predicted=said.label if said else None,
        marks=marks if reader.has_sentences else {},
        is_wrong=mark is not Mark.RIGHT or not is_found or has_extra,
    )


def _document_mark(
    reader: TaskReader, truth: Answer | None, said: Answer | None, is_judged: bool
) -> Mark:
    if said is None:
        return Mark.RIGHT if truth is None or truth.label is NEI else Mark.MISSED
    if truth is None:
        if said.label is NEI:
            return Mark.RIGHT
        return Mark.EXTRA if is_judged else Mark.UNJUDGED
    if reader.has_labels and truth.label is not said.label:
        return Mark.WRONG_LABEL
    return Mark.RIGHT


def _sentence_marks(
    truth: Answer | None, said: Answer | None, is_judged: bool
) -> dict[int, Mark]:
    right = truth.sentences if truth else set()
    chosen = said.sentences if said else set()
    beside = Mark.EXTRA if truth is not None or is_judged else Mark.UNJUDGED
    return (
        dict.fromkeys(sorted(chosen - right), beside)
        | dict.fromkeys(sorted(right - chosen), Mark.MISSED)
        | dict.fromkeys(sorted(right & chosen), Mark.RIGHT)
    )


def _finds_a_rationale(truth: Answer | None, said: Answer | None) -> bool:
    """Whether one whole rationale was predicted, where there is one to find."""
    if truth is None or not truth.sentences or truth.label is NEI:
        return True
    chosen = said.sentences if said else set()
    return any(chosen.issuperset(rationale) for rationale in truth.rationales)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each gold label was answered by each label."""

    labels: list[Label]
    rows: list[tuple[Label, list[int]]]


def confusion_of(task: str, found: Sequence[Summary]) -> Confusion | None:
    """Return the confusion matrix over pairs; ``None`` where no label is predicted."""
    if not READERS[task].has_labels:
        return None
    cells = Counter(pair for summary in found for pair in summary.pairs)
    labels = [one for one in Label if any(one in pair for pair in cells)]
    rows = [(true, [cells[true, said] for said in labels]) for true in labels]
    return Confusion(labels, rows)
