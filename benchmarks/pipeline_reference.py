"""The pipeline as published scripts run it, to be compared with. Nothing is clever.

Each stage works by itself and hands ids on. The models see one claim and one abstract
at a time, in fp32, padded to the longest of its sentences, and nothing is kept for
later. Retrieval, weights and thresholds are those of the system that it is compared
with, so the labels must be the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import cast

import numpy as np
import torch

from corpus.records import Claim, Document, Label
from verification.pipeline.encoders.base import Encoded
from verification.pipeline.encoders.models import TorchClassifier
from verification.pipeline.label import TransformerPredictor
from verification.pipeline.rationale import TransformerSelector
from verification.pipeline.retrieval.hybrid import RRF
from verification.pipeline.stages import Array, Retriever
from verification.pipeline.systems import System

Answer = dict[str, tuple[tuple[int, ...], str]]
"""Sentences and label of each abstract that a claim was compared with."""


class Reference:
    """One claim and one abstract at a time; ``seconds`` says what took how long."""

    def __init__(self, system: System, retriever: Retriever, depth: int) -> None:
        self.retriever, self.depth, self.settings = retriever, depth, system.settings
        self.selector = cast(TransformerSelector, system.selector)
        self.selecting = cast(TorchClassifier, self.selector.model)
        predictor = cast(TransformerPredictor, system.predictor)
        self.labelling = cast(TorchClassifier, predictor.model)
        self.seconds = dict.fromkeys(("retrieve", "rerank", "select", "label"), 0.0)

    def judge(self, claim: Claim) -> Answer:
        """Return what each abstract says."""
        started = time.perf_counter()
        found = self.retriever.retrieve(claim, max(self.depth, self.settings.k))
        documents = [entry.document for entry in found]
        started = self._note("retrieve", started)
        if self.depth:
            documents = self._reranked(claim, documents)
        documents = documents[: self.settings.k]
        started = self._note("rerank", started)
        chosen = [self._chosen(claim, document) for document in documents]
        started = self._note("select", started)
        labels = [
            self._label(claim, document, sentences)
            for document, sentences in zip(documents, chosen, strict=True)
        ]
        self._note("label", started)
        names = [document.id.text for document in documents]
        return dict(zip(names, zip(chosen, labels, strict=True), strict=True))

    def _note(self, stage: str, started: float) -> float:
        now = time.perf_counter()
        self.seconds[stage] += now - started
        return now

    def _reranked(self, claim: Claim, documents: Sequence[Document]) -> list[Document]:
        tops = [max(self._scores(claim, d), default=0.0) for d in documents]
        by_sentence = sorted(range(len(documents)), key=lambda n: -tops[n])
        sums = [
            1 / (RRF + n + 1) + 1 / (RRF + by_sentence.index(n) + 1)
            for n in range(len(documents))
        ]
        order = sorted(range(len(documents)), key=lambda n: -sums[n])
        return [documents[n] for n in order]

    def _chosen(self, claim: Claim, document: Document) -> tuple[int, ...]:
        scores = self._scores(claim, document)
        return tuple(int(n) for n in np.flatnonzero(scores >= self.settings.threshold))

    def _scores(self, claim: Claim, document: Document) -> Array:
        pairs = [(claim.text, sentence) for sentence in document.sentences]
        if not pairs:
            return np.zeros(0)
        values = logits(self.selecting, pairs).astype(np.float64)
        selected = list(self.selecting.labels).index(self.selector.selected)
        margins = values[:, selected] - values[:, 1 - selected]
        return self.selector.combination.scores(margins)

    def _label(self, claim: Claim, document: Document, chosen: tuple[int, ...]) -> str:
        if not chosen:
            return str(Label.NOT_ENOUGH_INFO)
        text = " ".join(document.sentences[n] for n in chosen)
        (row,) = logits(self.labelling, [(claim.text, text)])
        return self.labelling.labels[int(row.argmax())]


def logits(model: TorchClassifier, pairs: Sequence[tuple[str, str]]) -> Array:
    """Run one batch in fp32, padded to its longest pair."""
    found = model.batcher.tokenizer.encode_batch(list(pairs))
    rows = [Encoded(pair.ids, pair.type_ids) for pair in found]
    with torch.no_grad():
        values: Array = model.module(model.batcher.tensors(rows, "cpu")).numpy()
    return values
