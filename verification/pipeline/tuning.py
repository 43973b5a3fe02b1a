"""Tuning a system's few numbers on labelled training claims.

Claims are split by abstract into folds. The weights of the sentence combination and
the threshold are fitted on all folds but one and judged on that one; what is returned
is fitted on all, with the judged F1 beside it, which is honest about fresh claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from corpus.records import Claim, Document
from verification.pipeline.calibration import best_threshold, sigmoid
from verification.pipeline.rationale import (
    Combination,
    TransformerSelector,
    gold_documents,
    sentence_features,
)
from verification.pipeline.stages import Array

FOLDS = 5
RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Tuned:
    """A combination, its threshold, and the F1 on folds that were not fitted on."""

    combination: Combination
    threshold: float
    f1: float
    f1_of_margin: float
    """The F1 of the model's own margin with a threshold chosen alike."""


def fit_logistic(features: Array, truth: Array, ridge: float = RIDGE) -> Array:
    """Return the weights and, last, the bias of a logistic regression.

    Newton's method; the squared weights, not the bias, are penalised.
    """
    rows = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], ridge)
    penalty[-1] = 0.0
    for _ in range(50):
        found = sigmoid(rows @ weights)
        gradient = rows.T @ (found - truth) + penalty * weights
        curvature = (rows * (found * (1 - found))[:, None]).T @ rows
        step = np.linalg.lstsq(curvature + np.diag(penalty), gradient, rcond=None)[0]
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def tune_selection(
    selector: TransformerSelector,
    claims: Sequence[Claim],
    documents: Mapping[str, Document],
    folds: int = FOLDS,
) -> Tuned:
    """Return the combination and threshold for sentences of abstracts with evidence."""
    features, margins, truth, groups = _sentences(selector, claims, documents)
    numbers = np.array([_fold(group, folds) for group in groups])
    counts, plain = np.zeros(3), np.zeros(3)
    for fold in range(folds):
        test, rest = numbers == fold, numbers != fold
        if not truth[rest].any() or not test.any():
            continue
        weights = fit_logistic(features[rest], truth[rest])
        scores = features @ weights[:-1] + weights[-1]
        counts += _counts(scores, truth, rest, test)
        plain += _counts(margins, truth, rest, test)
    weights = fit_logistic(features, truth)
    combination = Combination(tuple(map(float, weights[:-1])), float(weights[-1]))
    cut, _ = best_threshold(features @ weights[:-1] + weights[-1], truth)
    threshold = float(sigmoid(np.asarray(cut)))
    return Tuned(combination, threshold, _f1(counts), _f1(plain))


def _counts(scores: Array, truth: Array, rest: Array, test: Array) -> Array:
    """Choose a threshold on the rest; count correct, found and true of the test."""
    cut, _ = best_threshold(scores[rest], truth[rest])
    found = scores[test] >= cut
    return np.array([(found & truth[test]).sum(), found.sum(), truth[test].sum()])


def _f1(counts: Array) -> float:
    return float(2 * counts[0] / max(1.0, counts[1] + counts[2]))


def _fold(group: str, folds: int) -> int:
    digest = sha256(group.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[4:8], "big") % folds


def _sentences(
    selector: TransformerSelector,
    claims: Sequence[Claim],
    documents: Mapping[str, Document],
) -> tuple[Array, Array, Array, list[str]]:
    features, margins, truth = [], [], []
    groups: list[str] = []
    for claim in claims:
        gold = {
            evidence.document.text: {
                n for rationale in evidence.rationales for n in rationale.sentences
            }
            for evidence in claim.evidence
        }
        named = [documents[name] for name in gold_documents(claim) if name in documents]
        for document, values in zip(named, selector.margins(claim, named), strict=True):
            features.append(sentence_features(values))
            margins.append(values)
            places = range(len(values))
            truth.append([n in gold[document.id.text] for n in places])
            groups += [document.id.text] * len(values)
    if not features:
        raise ValueError("The claims have no abstract with evidence to tune on.")
    return (
        np.concatenate(features),
        np.concatenate(margins),
        np.concatenate([np.array(values, dtype=bool) for values in truth]),
        groups,
    )
