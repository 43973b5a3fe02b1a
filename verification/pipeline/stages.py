"""The three stages of a verification pipeline and what passes between them.

A claim goes through a retriever, a rationale selector and a label predictor. What a
stage may know is decided here: in the open setting the stages get the claim without
its evidence and its citations, so that gold cannot leak into a prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from corpus.records import Claim, Document, Label

Array = np.ndarray[Any, np.dtype[Any]]

LABELS = (Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.SUPPORT)
"""The order of a row of label probabilities."""

_NEI = LABELS.index(Label.NOT_ENOUGH_INFO)


class ModelFileError(Exception):
    """A model's file is missing, altered or unreadable."""


class UnlabelledError(Exception):
    """An oracle setting was asked for a claim without gold."""


class Setting(StrEnum):
    """What the system is given beside the claim's text."""

    OPEN = "open"
    ORACLE_ABSTRACT = "oracle-abstract"
    ORACLE_RATIONALE = "oracle-rationale"


class Ablation(StrEnum):
    """What the label predictor reads."""

    NONE = "none"
    CLAIM_ONLY = "claim-only"
    ABSTRACT_ONLY = "abstract-only"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a pipeline runs; the defaults are VeriSci's.

    ``at_least_one`` takes the best sentence where none reaches ``threshold``
    (Check-COVID). Without ``allow_nei`` a label is always SUPPORT or CONTRADICT.
    """

    k: int = 3
    threshold: float = 0.5
    at_least_one: bool = False
    allow_nei: bool = True
    setting: Setting = Setting.OPEN
    ablation: Ablation = Ablation.NONE

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k is the number of abstracts: 1 or more.")


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A document that a retriever found."""

    document: Document
    score: float


class Retriever(Protocol):
    """Finds the abstracts of a corpus that may hold evidence."""

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents, the best first."""
        ...


class RationaleSelector(Protocol):
    """Scores the sentences of abstracts."""

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return for each document one score per sentence, from 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document and the sentences that a label is to be predicted from."""

    document: Document
    sentences: tuple[int, ...]

    @property
    def text(self) -> str:
        """The sentences, in the document's order, as one text."""
        return " ".join(self.document.sentences[n] for n in sorted(self.sentences))


class LabelPredictor(Protocol):
    """Gives each candidate the probabilities of the three labels."""

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return one row for each candidate, in the order of ``LABELS``."""
        ...


@dataclass(frozen=True, slots=True)
class Selected:
    """A document that was found, with its scored and its chosen sentences."""

    found: Retrieved
    scores: tuple[float, ...]
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the pipeline says about one abstract."""

    document: Document
    retrieval_score: float
    sentences: tuple[int, ...]
    sentence_scores: tuple[float, ...]
    label: Label
    probabilities: tuple[float, float, float]

    @property
    def confidence(self) -> float:
        """The probability of the label."""
        return self.probabilities[LABELS.index(self.label)]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Three stages and their settings."""

    retriever: Retriever
    selector: RationaleSelector
    predictor: LabelPredictor
    settings: Settings = Settings()

    def judge(self, claim: Claim) -> list[Judged]:
        """Return what each retrieved abstract says, in the order of retrieval."""
        known = self.known(claim)
        found = self.retriever.retrieve(known, self.settings.k)
        scores = self.selector.scores(known, [entry.document for entry in found])
        selected = self.selected(found, scores)
        candidates = candidates_of(selected)
        rows = None
        if candidates:
            ablation = self.settings.ablation
            rows = self.predictor.probabilities(known, candidates, ablation)
        return self.judged(selected, rows)

    def judge_all(self, claims: Iterable[Claim]) -> Iterator[tuple[str, list[Judged]]]:
        """Yield the id of each claim and what was found for it.

        Each claim is worked on by itself: its result does not depend on the others.
        """
        for claim in claims:
            yield claim.id.text, self.judge(claim)

    def known(self, claim: Claim) -> Claim:
        """Return what the stages may know of a claim."""
        if self.settings.setting is Setting.OPEN:
            return without_gold(claim)
        if not claim.is_labelled:
            raise UnlabelledError(
                f"The claim {claim.id} has no labels, so there is no oracle for it."
            )
        return claim

    def selected(
        self, found: Sequence[Retrieved], scores: Sequence[Array]
    ) -> list[Selected]:
        """Return the documents with the sentences that their scores choose."""
        settings = self.settings
        return [
            Selected(
                entry,
                tuple(float(value) for value in values),
                choose(values, settings.threshold, at_least_one=settings.at_least_one),
            )
            for entry, values in zip(found, scores, strict=True)
        ]

    def judged(self, selected: Sequence[Selected], rows: Array | None) -> list[Judged]:
        """Return the documents with their labels.

        ``rows`` are the probabilities of ``candidates_of(selected)``; a document
        without a chosen sentence does not give enough information.
        """
        all_rows = np.zeros((len(selected), len(LABELS)))
        all_rows[:, _NEI] = 1.0
        if rows is not None:
            asked = [n for n, entry in enumerate(selected) if entry.sentences]
            all_rows[asked] = rows
        allow_nei = self.settings.allow_nei
        return [
            Judged(
                document=entry.found.document,
                retrieval_score=entry.found.score,
                sentences=entry.sentences,
                sentence_scores=entry.scores,
                label=label_of(row, allow_nei=allow_nei or not entry.sentences),
                probabilities=(float(row[0]), float(row[1]), float(row[2])),
            )
            for entry, row in zip(selected, all_rows, strict=True)
        ]


def candidates_of(selected: Sequence[Selected]) -> list[Candidate]:
    """Return what a label is predicted from: documents with chosen sentences."""
    return [
        Candidate(entry.found.document, entry.sentences)
        for entry in selected
        if entry.sentences
    ]


def without_gold(claim: Claim) -> Claim:
    """Return the claim with nothing but its id and its text."""
    return replace(
        Claim(id=claim.id, text=claim.text), kind=claim.kind, is_labelled=False
    )


def choose(scores: Array, threshold: float, *, at_least_one: bool) -> tuple[int, ...]:
    """Return the sentences whose score reaches the threshold, in document order.

    With ``at_least_one`` the best sentence (of equals the first) is taken where
    none does.
    """
    chosen = tuple(int(n) for n in np.flatnonzero(scores >= threshold))
    if not chosen and at_least_one and len(scores):
        return (int(np.argmax(scores)),)
    return chosen


def label_of(row: Array, *, allow_nei: bool) -> Label:
    """Return the most probable label; of equals the first of ``LABELS``."""
    if allow_nei:
        return LABELS[int(np.argmax(row))]
    kept = [n for n in range(len(LABELS)) if n != _NEI]
    return LABELS[max(kept, key=lambda n: float(row[n]))]


def merge(
    selected: Mapping[str, Sequence[int]], labels: Mapping[str, str], nei: str
) -> dict[str, tuple[str, list[int]]]:
    """Return label and sentences of each document that is not ``nei``.

    The documents of both must be the same; they are sorted by id as text, as in
    VeriSci's ``merge_predictions``.
    """
    if set(selected) != set(labels):
        raise ValueError("Sentences and labels name different documents.")
    return {
        document: (labels[document], list(selected[document]))
        for document in sorted(selected)
        if labels[document] != nei
    }
