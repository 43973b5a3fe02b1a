"""Thresholds, temperatures and the small sums of training; numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verification.pipeline.stages import Array


def softmax(logits: Array, temperature: float = 1.0) -> Array:
    """Return the probabilities of each row."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=-1, keepdims=True)
    exponents = np.exp(scaled)
    result: Array = exponents / exponents.sum(axis=-1, keepdims=True)
    return result


def sigmoid(values: Array) -> Array:
    """Return the logistic function, without overflow."""
    result: Array = 0.5 * (1.0 + np.tanh(0.5 * values.astype(np.float64)))
    return result


def negative_log_likelihood(
    logits: Array, truth: Array, temperature: float = 1.0
) -> float:
    """Return the mean negative logarithm of the true class's probability."""
    found = softmax(logits, temperature)[np.arange(len(truth)), truth]
    return float(-np.log(np.clip(found, 1e-12, None)).mean())


def fit_temperature(logits: Array, truth: Array) -> float:
    """Return the temperature with the least negative log-likelihood.

    Golden-section search over the logarithm, from 0.05 to 20.
    """
    low, high = np.log(0.05), np.log(20.0)
    ratio = (np.sqrt(5.0) - 1) / 2
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if negative_log_likelihood(
            logits, truth, float(np.exp(left))
        ) < negative_log_likelihood(logits, truth, float(np.exp(right))):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


def best_threshold(scores: Array, truth: Array) -> tuple[float, float]:
    """Return the threshold with the best F1 of ``scores >= threshold``, and the F1.

    The threshold lies between two scores; of equal F1 the highest is taken.
    """
    order = np.argsort(-scores, kind="stable")
    ranked, relevant = scores[order], truth[order].astype(bool)
    total = int(relevant.sum())
    if not len(scores) or not total:
        return float("inf"), 0.0
    correct = np.cumsum(relevant)
    f1 = 2 * correct / (np.arange(1, len(scores) + 1) + total)
    # A cut inside a run of equal scores cannot be made.
    f1[:-1][ranked[:-1] == ranked[1:]] = -1.0
    best = int(f1.argmax())
    following = ranked[best + 1] if best + 1 < len(ranked) else ranked[best] - 2.0
    return float((ranked[best] + following) / 2), float(f1[best])


def precision_threshold(
    confidence: Array, is_right: Array, precision: float
) -> tuple[float, float]:
    """Return the lowest confidence from which on the precision holds, and coverage.

    Without any such confidence the threshold is above 1: always abstain.
    """
    order = np.argsort(-confidence, kind="stable")
    ranked, right = confidence[order], is_right[order].astype(float)
    shares = np.cumsum(right) / np.arange(1, len(right) + 1)
    possible = shares >= precision
    possible[:-1] &= ranked[:-1] != ranked[1:]
    if not possible.any():
        return 1.01, 0.0
    last = int(np.flatnonzero(possible)[-1])
    return float(ranked[last]), (last + 1) / len(ranked)


def macro_f1(truth: Sequence[int] | Array, found: Array, classes: int) -> float:
    """Return the mean F1 of the classes that occur in either."""
    truth = np.asarray(truth)
    values = []
    for number in range(classes):
        is_true, is_found = truth == number, found == number
        both = int((is_true & is_found).sum())
        either = int(is_true.sum() + is_found.sum())
        if either:
            values.append(2 * both / either)
    return float(np.mean(values)) if values else 0.0
