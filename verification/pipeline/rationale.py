"""Rationale selectors: which sentences of an abstract answer the claim.

Each gives every sentence a score from 0 to 1; the pipeline's threshold decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from corpus.records import Claim, Document, Label
from verification.pipeline.calibration import sigmoid
from verification.pipeline.retrieval.dense import Vectors
from verification.pipeline.similarity import sentence_scores, top_sentences
from verification.pipeline.stages import Array


class PairLogits(Protocol):
    """A model over (claim, text) pairs; see ``encoders``."""

    @property
    def labels(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return one row for each pair."""
        ...

    def forget(self) -> None:
        """Drop what is known of earlier pairs."""
        ...


FEATURES = ("margin", "below_best", "position", "is_last", "length")


def sentence_features(margins: Array) -> Array:
    """Return what the combination reads of the sentences of one abstract.

    The model's margin, how far it lies below the abstract's best, the place in the
    abstract from 0 to 1, whether it is the last, and the number of sentences.
    """
    size = len(margins)
    if not size:
        return np.zeros((0, len(FEATURES)))
    place = np.arange(size)
    return np.column_stack(
        [
            margins,
            margins - margins.max(),
            place / max(1, size - 1),
            place == size - 1,
            np.full(size, np.log(size)),
        ]
    ).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Combination:
    """A logistic regression over ``sentence_features``; by default the model's own."""

    weights: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 0.0)
    bias: float = 0.0

    def scores(self, margins: Array) -> Array:
        """Return the probability of each sentence of one abstract."""
        values = sentence_features(margins) @ np.asarray(self.weights) + self.bias
        return sigmoid(values)


@dataclass(frozen=True, slots=True)
class TransformerSelector:
    """A cross-encoder over (claim, sentence).

    All sentences of all abstracts go through the model together. ``selected`` is
    the label that stands for a sentence of a rationale.
    """

    model: PairLogits
    selected: str = "1"
    combination: Combination = Combination()

    def margins(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return the log odds of each sentence."""
        return self._margins([(claim, documents)])[0]

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return the probability of each sentence."""
        return self.scores_together([(claim, documents)])[0]

    def scores_together(
        self, asked: Sequence[tuple[Claim, Sequence[Document]]]
    ) -> list[list[Array]]:
        """Return the probability of each sentence of each claim's documents."""
        return [
            [self.combination.scores(margins) for margins in found]
            for found in self._margins(asked)
        ]

    def _margins(
        self, asked: Sequence[tuple[Claim, Sequence[Document]]]
    ) -> list[list[Array]]:
        pairs = [
            (claim.text, sentence)
            for claim, documents in asked
            for document in documents
            for sentence in document.sentences
        ]
        values = self._log_odds(pairs)
        sizes = [len(d.sentences) for _, documents in asked for d in documents]
        parts = iter(np.split(values, np.cumsum(sizes)))
        return [[next(parts) for _ in documents] for _, documents in asked]

    def _log_odds(self, pairs: Sequence[tuple[str, str]]) -> Array:
        if not pairs:
            return np.zeros(0)
        logits = self.model.logits(pairs).astype(np.float64)
        column = list(self.model.labels).index(self.selected)
        others = np.delete(logits, column, axis=1)
        found: Array = logits[:, column] - np.logaddexp.reduce(others, axis=1)
        return found


class TfidfSelector:
    """Cosine of TF-IDF vectors, fitted on the abstract."""

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return the cosine of each sentence."""
        return [sentence_scores(claim.text, d.sentences) for d in documents]


@dataclass(frozen=True, slots=True)
class DenseSelector:
    """Cosine of sentence vectors, negative ones as 0."""

    embedder: Vectors

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return the cosine of each sentence."""
        texts = [s for document in documents for s in document.sentences]
        rows = self.embedder.vectors([claim.text, *texts])
        found = np.clip(rows[1:] @ rows[0], 0.0, 1.0)
        ends = np.cumsum([len(document.sentences) for document in documents])
        return np.split(found, ends[:-1]) if documents else []


@dataclass(frozen=True, slots=True)
class PlaceSelector:
    """The first sentence of each abstract, or the last."""

    place: int = 0

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return 1 for the sentence at the place and 0 for the others."""
        found = [np.zeros(len(document.sentences)) for document in documents]
        for values in found:
            if len(values):
                values[self.place] = 1.0
        return found


@dataclass(frozen=True, slots=True)
class OracleSelector:
    """The gold sentences.

    An abstract without gold sentences gets its ``fill`` sentences that are most
    similar to the claim, as VeriSci's oracle for abstracts without evidence does.
    """

    fill: int = 2

    def scores(self, claim: Claim, documents: Sequence[Document]) -> list[Array]:
        """Return 1 for the sentences of the rationales and 0 for the others."""
        gold = {
            evidence.document.text: {
                n for rationale in evidence.rationales for n in rationale.sentences
            }
            for evidence in claim.evidence
        }
        found = []
        for document in documents:
            sentences = gold.get(document.id.text) or set(
                top_sentences(claim.text, document.sentences, self.fill)
            )
            values = np.zeros(len(document.sentences))
            values[[n for n in sentences if n < len(values)]] = 1.0
            found.append(values)
        return found


def gold_documents(claim: Claim) -> list[str]:
    """Return the abstracts that hold evidence for or against the claim."""
    return [
        evidence.document.text
        for evidence in claim.evidence
        if evidence.label is not Label.NOT_ENOUGH_INFO
    ]
