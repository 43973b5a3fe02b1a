"""Label predictors: does a rationale support or contradict the claim, or neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from corpus.records import Claim, Label
from verification.pipeline.calibration import softmax
from verification.pipeline.rationale import PairLogits
from verification.pipeline.stages import LABELS, Ablation, Array, Candidate, Judged

OWN_LABELS = {str(label): label for label in LABELS}
NLI_LABELS = {
    "entailment": Label.SUPPORT,
    "contradiction": Label.CONTRADICT,
    "neutral": Label.NOT_ENOUGH_INFO,
}
"""The label map of zero-shot NLI models."""


@dataclass(frozen=True, slots=True)
class TransformerPredictor:
    """A model over (claim, rationale), calibrated by one temperature.

    ``label_map`` says which of our labels each of the model's labels is; columns
    that share a label are added up, and a model without one (two-way FEVER models
    have no neutral) gives it no probability. ``text_first`` is for NLI models,
    which read the premise before the hypothesis.
    """

    model: PairLogits
    label_map: Mapping[str, Label] = field(default_factory=lambda: OWN_LABELS)
    temperature: float = 1.0
    text_first: bool = False

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return one row for each candidate, in the order of ``LABELS``."""
        return self.probabilities_together([(claim, candidates)], ablation)[0]

    def probabilities_together(
        self, asked: Sequence[tuple[Claim, Sequence[Candidate]]], ablation: Ablation
    ) -> list[Array]:
        """Return one row for each candidate of each claim."""
        pairs = [
            (
                "" if ablation is Ablation.ABSTRACT_ONLY else claim.text,
                "" if ablation is Ablation.CLAIM_ONLY else candidate.text,
            )
            for claim, candidates in asked
            for candidate in candidates
        ]
        if self.text_first:
            pairs = [(text, sentence) for sentence, text in pairs]
        ends = np.cumsum([len(candidates) for _, candidates in asked])
        return np.split(self._rows(pairs), ends[:-1])

    def _rows(self, pairs: Sequence[tuple[str, str]]) -> Array:
        found = softmax(self.model.logits(pairs), self.temperature)
        rows = np.zeros((len(pairs), len(LABELS)))
        for column, name in enumerate(self.model.labels):
            if name not in self.label_map:
                raise ValueError(f"The label map does not say what {name} means.")
            rows[:, LABELS.index(self.label_map[name])] += found[:, column]
        return rows


@dataclass(frozen=True, slots=True)
class MajorityPredictor:
    """The same label always."""

    label: Label = Label.SUPPORT

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return certainty."""
        rows = np.zeros((len(candidates), len(LABELS)))
        rows[:, LABELS.index(self.label)] = 1.0
        return rows


class OraclePredictor:
    """The gold label; an abstract without one is not enough information."""

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        """Return certainty."""
        gold = {evidence.document.text: evidence.label for evidence in claim.evidence}
        rows = np.zeros((len(candidates), len(LABELS)))
        for row, candidate in zip(rows, candidates, strict=True):
            label = gold.get(candidate.document.id.text, Label.NOT_ENOUGH_INFO)
            row[LABELS.index(label)] = 1.0
        return rows


def shown_label(judged: Judged, threshold: float) -> Label | None:
    """Return the label that may be shown, or ``None``: the system abstains.

    Only SUPPORT and CONTRADICT are suggestions, and only from the threshold on.
    """
    if judged.label is Label.NOT_ENOUGH_INFO or judged.confidence < threshold:
        return None
    return judged.label
