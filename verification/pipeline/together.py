"""Several claims side by side: each stage asks its model once for all of them.

The results are those of ``Pipeline.judge`` for each claim by itself, up to the last
bits of sums that the model adds in another order. A stage without a way to work on
several claims at once takes them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from corpus.records import Claim, Document
from verification.pipeline.stages import (
    Ablation,
    Array,
    Candidate,
    Judged,
    LabelPredictor,
    Pipeline,
    RationaleSelector,
    Retrieved,
    Retriever,
    Selected,
    candidates_of,
)


@runtime_checkable
class RetrievesTogether(Protocol):
    """A retriever with a model that can work on several claims at once."""

    def retrieve_together(
        self, claims: Sequence[Claim], k: int
    ) -> list[list[Retrieved]]:
        """Return for each claim what ``retrieve`` does."""
        ...


@runtime_checkable
class ScoresTogether(Protocol):
    """A rationale selector that can work on several claims at once."""

    def scores_together(
        self, asked: Sequence[tuple[Claim, Sequence[Document]]]
    ) -> list[list[Array]]:
        """Return for each claim what ``scores`` does."""
        ...


@runtime_checkable
class PredictsTogether(Protocol):
    """A label predictor that can work on several claims at once."""

    def probabilities_together(
        self, asked: Sequence[tuple[Claim, Sequence[Candidate]]], ablation: Ablation
    ) -> list[Array]:
        """Return for each claim what ``probabilities`` does."""
        ...


def retrieve(
    retriever: Retriever, claims: Sequence[Claim], k: int
) -> list[list[Retrieved]]:
    """Return for each claim at most ``k`` documents, the best first."""
    if isinstance(retriever, RetrievesTogether):
        return retriever.retrieve_together(claims, k)
    return [retriever.retrieve(claim, k) for claim in claims]


def scores(
    selector: RationaleSelector, asked: Sequence[tuple[Claim, Sequence[Document]]]
) -> list[list[Array]]:
    """Return for each claim and document one score per sentence."""
    if isinstance(selector, ScoresTogether):
        return selector.scores_together(asked)
    return [selector.scores(claim, documents) for claim, documents in asked]


def probabilities(
    predictor: LabelPredictor,
    asked: Sequence[tuple[Claim, Sequence[Candidate]]],
    ablation: Ablation,
) -> list[Array | None]:
    """Return for each claim one row per candidate, ``None`` where it has none."""
    some = [(claim, candidates) for claim, candidates in asked if candidates]
    if isinstance(predictor, PredictsTogether) and some:
        found = iter(predictor.probabilities_together(some, ablation))
    else:
        found = (predictor.probabilities(*pair, ablation) for pair in some)
    return [next(found) if candidates else None for _, candidates in asked]


# The stages of a pipeline ---------------------------------------------------------


def retrieve_all(pipeline: Pipeline, claims: Sequence[Claim]) -> list[list[Retrieved]]:
    """Return the documents that a pipeline finds for each claim."""
    known = [pipeline.known(claim) for claim in claims]
    return retrieve(pipeline.retriever, known, pipeline.settings.k)


def select_all(
    pipeline: Pipeline,
    claims: Sequence[Claim],
    found: Sequence[Sequence[Retrieved]],
) -> list[list[Selected]]:
    """Return the documents of each claim with their chosen sentences."""
    asked = [
        (pipeline.known(claim), [entry.document for entry in entries])
        for claim, entries in zip(claims, found, strict=True)
    ]
    values = scores(pipeline.selector, asked)
    return [pipeline.selected(*pair) for pair in zip(found, values, strict=True)]


def label_all(
    pipeline: Pipeline,
    claims: Sequence[Claim],
    selected: Sequence[Sequence[Selected]],
) -> list[list[Judged]]:
    """Return what each document says of its claim."""
    asked = [
        (pipeline.known(claim), candidates_of(entries))
        for claim, entries in zip(claims, selected, strict=True)
    ]
    rows = probabilities(pipeline.predictor, asked, pipeline.settings.ablation)
    return [pipeline.judged(*pair) for pair in zip(selected, rows, strict=True)]


def judge_all(pipeline: Pipeline, claims: Sequence[Claim]) -> list[list[Judged]]:
    """Return for each claim what ``Pipeline.judge`` does."""
    found = retrieve_all(pipeline, claims)
    return label_all(pipeline, claims, select_all(pipeline, claims, found))
