"""From summed counts to measures, for many resamples at once.

Every function takes arrays whose last axes may be summed counts of one run or of
10,000 resamples, and never divides by zero: the caller says what 0/0 is.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Measures: TypeAlias = dict[str, Array]

UNDEFINED = float("nan")
"""A value without a denominator, where the evaluator would stop; ``null`` in JSON."""


def ratio(part: Array, whole: Array, *, empty: float = 0.0) -> Array:
    """Return ``part / whole``, and ``empty`` where ``whole`` is 0."""
    result = np.full(np.shape(whole), empty)
    np.divide(part, whole, out=result, where=whole != 0)
    return result


def f1_of(precision: Array, recall: Array, *, empty: float = 0.0) -> Array:
    """Return 2PR / (P + R), and ``empty`` where both are 0."""
    return ratio(2 * precision * recall, precision + recall, empty=empty)


def precision_recall_f1(
    prefix: str, correct: Array, retrieved: Array, relevant: Array
) -> Measures:
    """Return the three measures of summed counts; 0/0 is 0."""
    precision = ratio(correct, retrieved)
    recall = ratio(correct, relevant)
    f1 = f1_of(precision, recall)
    return {
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
        f"{prefix}f1": f1,
    }


def per_class(confusion: Array) -> tuple[Array, Array, Array]:
    """Return precision, recall and F1 of each class of confusion matrices.

    ``confusion[..., true, predicted]`` may have more columns than rows: answers
    of no class, which lower the recall. 0/0 is 0, as in scikit-learn.
    """
    classes = confusion.shape[-2]
    right = np.diagonal(confusion[..., :classes], axis1=-2, axis2=-1)
    precision = ratio(right, confusion[..., :classes].sum(axis=-2))
    recall = ratio(right, confusion.sum(axis=-1))
    return precision, recall, f1_of(precision, recall)


def accuracy(confusion: Array) -> Array:
    """Return the share on the diagonal; undefined without an instance."""
    classes = confusion.shape[-2]
    right = np.trace(confusion[..., :classes], axis1=-2, axis2=-1)
    return ratio(right, confusion.sum(axis=(-2, -1)), empty=UNDEFINED)


def occurring(confusion: Array) -> NDArray[np.bool_]:
    """Return which classes occur as the truth or as an answer."""
    instances: Array = confusion.sum(axis=-1) + confusion.sum(axis=-2)
    return instances > 0


def macro_over_occurring(values: Array, occurs: NDArray[np.bool_]) -> Array:
    """Return the mean over the classes that occur; undefined if none does."""
    total = np.where(occurs, values, 0.0).sum(axis=-1)
    return ratio(total, occurs.sum(axis=-1).astype(float), empty=UNDEFINED)
