"""Fusing rankings, and reranking by the best sentence."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.records import Claim
from verification.pipeline import together
from verification.pipeline.stages import (
    Array,
    RationaleSelector,
    Retrieved,
    Retriever,
)

RRF = 60
"""The constant of reciprocal-rank fusion (Cormack et al. 2009)."""


class HybridRetriever:
    """Reciprocal-rank fusion: each ranking gives a document 1 / (60 + rank).

    A document with which a ranking finds nothing in common (a score of 0 or less) gets
    nothing from it: its rank there is an accident.
    """

    def __init__(self, retrievers: Sequence[Retriever], depth: int = 100) -> None:
        self._retrievers, self._depth = retrievers, depth

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents; of equal sums the first seen comes first."""
        sums: dict[str, float] = {}
        documents = {}
        for retriever in self._retrievers:
            ranking = retriever.retrieve(claim, max(self._depth, k))
            for rank, found in enumerate(ranking, 1):
                if found.score <= 0:
                    break
                key = found.document.id.text
                sums[key] = sums.get(key, 0.0) + 1 / (RRF + rank)
                documents[key] = found.document
        ranked = sorted(sums, key=lambda key: -sums[key])[:k]
        return [Retrieved(documents[key], sums[key]) for key in ranked]


class RerankedRetriever:
    """Reorders the first documents of a ranking by their best sentence.

    The final order fuses both rankings, so that a good sentence in a document of
    another subject does not win alone.
    """

    def __init__(
        self, retriever: Retriever, selector: RationaleSelector, depth: int = 10
    ) -> None:
        self._retriever, self._selector, self._depth = retriever, selector, depth

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents, the best first."""
        return self.retrieve_together([claim], k)[0]

    def retrieve_together(
        self, claims: Sequence[Claim], k: int
    ) -> list[list[Retrieved]]:
        """Return for each claim at most ``k`` documents, the best first."""
        depth = max(k, self._depth)
        found = together.retrieve(self._retriever, claims, depth)
        asked = [
            (claim, [entry.document for entry in entries])
            for claim, entries in zip(claims, found, strict=True)
        ]
        scores = together.scores(self._selector, asked)
        return [
            _reordered(entries, values)[:k]
            for entries, values in zip(found, scores, strict=True)
        ]


def _reordered(found: Sequence[Retrieved], scores: Sequence[Array]) -> list[Retrieved]:
    """Return documents by the fusion of their order and their best sentences'."""
    tops = [float(values.max()) if len(values) else 0.0 for values in scores]
    by_sentence = sorted(range(len(found)), key=lambda n: -tops[n])
    ranks = {number: rank for rank, number in enumerate(by_sentence, 1)}
    sums = [1 / (RRF + n) + 1 / (RRF + ranks[n - 1]) for n in range(1, len(ranks) + 1)]
    order = sorted(range(len(found)), key=lambda n: -sums[n])
    return [Retrieved(found[n].document, sums[n]) for n in order]
