"""Bootstrap intervals of agreement, with whole clusters (abstracts) resampled.

Items on one abstract resemble each other: several claims on it, and its sentences. So
whole abstracts are drawn with replacement, as often as there are abstracts, and an
interval is the 2.5 and 97.5 percentiles of a coefficient over the resamples.

Each cluster is a row of whole numbers, its sufficient statistics; a resample is a row
of weights. So the sums of all resamples are a matrix product, which is exact, and the
coefficients follow from the sums. Each resample has its own stretch of a counter-based
generator. Hence the size of the chunks, which bounds the memory, changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from math import lcm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from annotation.agreement import (
    Category,
    Coefficient,
    Tally,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)

Array: TypeAlias = npt.NDArray[np.float64]

RESAMPLES = 10_000
SEED = 1
LEVEL = 0.95
CELLS = 500_000
"""The number of weights held at a time: 4 MB."""
FEW_CLUSTERS = 50
"""Below this, percentile intervals are noticeably too narrow: ``docs/quality.md``."""


class Measure(StrEnum):
    """A coefficient of agreement.

    The first two compare the first judgement of an item with its second; the others
    use all judgements.
    """

    PERCENT = "percent_agreement"
    COHEN = "cohen_kappa"
    AC1 = "gwet_ac1"
    FLEISS = "fleiss_kappa"
    ALPHA = "krippendorff_alpha"


@dataclass(frozen=True, slots=True)
class Sample:
    """Items by cluster: one tally for each, in an order that all samples share.

    ``n_categories`` is the size of the label scheme. Items with fewer than two
    ratings are left out of everything.
    """

    clusters: Sequence[Tally]
    n_categories: int | None = None

    def comparable(self) -> Sample:
        """Return the sample without the items that were not judged twice."""
        return Sample([_twice(tally) for tally in self.clusters], self.n_categories)

    def total(self) -> Tally:
        """Return the tally of all clusters."""
        return add_tallies(self.clusters)


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval, or the ``reason`` why there is none.

    ``n_undefined`` of the ``n_resamples`` had no value and are left out.
    """

    low: float | None
    high: float | None
    n_clusters: int
    n_resamples: int = 0
    n_undefined: int = 0
    reason: str = ""

    @property
    def has_few_clusters(self) -> bool:
        """Whether it rests on so few clusters that it is too narrow."""
        return self.low is not None and self.n_clusters < FEW_CLUSTERS


Estimates: TypeAlias = dict[Measure, Coefficient]
Intervals: TypeAlias = dict[Measure, Interval]


def add_tallies(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies."""
    total: Counter[tuple[Category, ...]] = Counter()
    for tally in tallies:
        total.update(tally)
    return total


def estimates(sample: Sample) -> Estimates:
    """Return every coefficient of the items that were judged twice."""
    total = sample.comparable().total()
    first_two = _first_two(total)
    return {
        Measure.PERCENT: percent_agreement(first_two),
        Measure.COHEN: cohen_kappa(first_two),
        Measure.AC1: gwet_ac1(total, sample.n_categories),
        Measure.FLEISS: fleiss_kappa(total),
        Measure.ALPHA: krippendorff_alpha(total),
    }


def intervals(
    samples: Sequence[Sample],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    cells: int = CELLS,
) -> list[Intervals]:
    """Return the interval of each coefficient of each sample.

    All samples are cut into the same clusters, and each resample draws the same
    clusters for all of them.
    """
    parts = [_Part.of(sample.comparable()) for sample in samples]
    n_clusters = len(samples[0].clusters) if samples else 0
    if n_clusters < 2:
        return [_too_few(part) for part in parts]
    statistics = np.hstack([part.statistics for part in parts])
    cuts = np.cumsum([part.statistics.shape[1] for part in parts])[:-1]
    values: list[list[dict[Measure, Array]]] = [[] for _ in parts]
    step = max(1, cells // n_clusters)
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        sums = weights(n_clusters, start, stop, seed) @ statistics
        for part, found, own in zip(
            parts, values, np.split(sums, cuts, axis=1), strict=True
        ):
            found.append(part.values(own))
    return [
        part.intervals(found) if part.n_clusters > 1 else _too_few(part)
        for part, found in zip(parts, values, strict=True)
    ]


def weights(n_clusters: int, start: int, stop: int, seed: int) -> Array:
    """Return how often each cluster is drawn in the resamples of a range."""
    drawn = np.empty((stop - start, n_clusters))
    for row, number in enumerate(range(start, stop)):
        stream = np.random.Philox(key=seed, counter=number << 128)
        chosen = np.random.Generator(stream).integers(n_clusters, size=n_clusters)
        drawn[row] = np.bincount(chosen, minlength=n_clusters)
    return drawn


def _twice(tally: Tally) -> Tally:
    return {labels: count for labels, count in tally.items() if len(labels) > 1}


def _first_two(tally: Tally) -> Tally:
    found: Counter[tuple[Category, ...]] = Counter()
    for labels, count in tally.items():
        found[labels[:2]] += count
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A sample as numbers: the statistics of each cluster, and how to read sums."""

    sample: Sample
    statistics: Array
    n_clusters: int
    n_labels: int
    scale: int
    sizes: frozenset[int]

    @classmethod
    def of(cls, sample: Sample) -> _Part:
        """Return the statistics of a sample of comparable items."""
        total = sample.total()
        sizes = frozenset(map(len, total))
        # Shares of an item become whole numbers, so that sums have no rounding.
        scale = lcm(*(size * (size - 1) for size in sizes))
        labels = sorted({label for rated in total for label in rated}, key=repr)
        rows = [_row(tally, labels, scale) for tally in sample.clusters]
        return cls(
            sample,
            np.array(rows, dtype=np.float64),
            sum(map(bool, sample.clusters)),
            len(labels),
            scale,
            sizes,
        )

    def values(self, sums: Array) -> dict[Measure, Array]:
        """Return each coefficient of each resample, NaN where it is undefined."""
        found = _Sums.of(sums, self.scale)
        categories = max(self.n_labels, self.sample.n_categories or 0)
        return {
            Measure.PERCENT: _ratio(found.same, found.n),
            Measure.COHEN: _cohen(found),
            Measure.AC1: _gwet(found, categories),
            Measure.FLEISS: _fleiss(found),
            Measure.ALPHA: _krippendorff(found),
        }

    def intervals(self, values: Sequence[Mapping[Measure, Array]]) -> Intervals:
        """Return the interval of each coefficient that has a value."""
        return {
            measure: self._interval(
                coefficient, np.concatenate([chunk[measure] for chunk in values])
            )
            for measure, coefficient in estimates(self.sample).items()
        }

    def _interval(self, coefficient: Coefficient, drawn: Array) -> Interval:
        if coefficient.value is None:
            return Interval(None, None, self.n_clusters, reason=coefficient.reason)
        defined = drawn[~np.isnan(drawn)]
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        return Interval(
            float(low),
            float(high),
            self.n_clusters,
            drawn.size,
            drawn.size - defined.size,
        )


def _row(tally: Tally, labels: Sequence[Category], scale: int) -> list[int]:
    """Return the sufficient statistics of a cluster, whole numbers throughout.

    Items; items whose first two labels are equal; equal pairs of ratings and unequal
    ones, scaled; and of each label: first, second, all ratings, scaled share.
    """
    same = like = unlike = 0
    at = {label: place for place, label in enumerate(labels)}
    by_label = [[0] * len(labels) for _ in range(4)]
    for rated, count in tally.items():
        size = len(rated)
        equal = sum(n * (n - 1) for n in Counter(rated).values())
        same += count * (rated[0] == rated[1])
        like += count * equal * (scale // (size * (size - 1)))
        unlike += count * (size * (size - 1) - equal) * (scale // (size - 1))
        by_label[0][at[rated[0]]] += count
        by_label[1][at[rated[1]]] += count
        for label in rated:
            by_label[2][at[label]] += count
            by_label[3][at[label]] += count * (scale // size)
    return [sum(tally.values()), same, like, unlike, *chain(*by_label)]


@dataclass(frozen=True, slots=True)
class _Sums:
    """The statistics of ``_row``, summed over each resample."""

    n: Array
    same: Array
    like: Array
    unlike: Array
    first: Array
    second: Array
    ratings: Array
    shares: Array
    scale: int

    @classmethod
    def of(cls, sums: Array, scale: int) -> _Sums:
        """Cut a matrix of sums into its statistics."""
        n, same, like, unlike = sums[:, :4].T
        first, second, ratings, shares = np.split(sums[:, 4:], 4, axis=1)
        return cls(n, same, like, unlike, first, second, ratings, shares, scale)


def _ratio(above: Array, below: Array) -> Array:
    """Divide; NaN where the divisor, a whole number, is zero."""
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below != 0)


def _cohen(sums: _Sums) -> Array:
    expected = (sums.first * sums.second).sum(axis=1)
    return _ratio(sums.same * sums.n - expected, sums.n**2 - expected)


def _fleiss(sums: _Sums) -> Array:
    """Only asked for where all items have the same number of ratings."""
    total = sums.ratings.sum(axis=1)
    squares = (sums.ratings**2).sum(axis=1)
    observed = _ratio(sums.like, sums.scale * sums.n)
    return _ratio(observed * total**2 - squares, total**2 - squares)


def _krippendorff(sums: _Sums) -> Array:
    total = sums.ratings.sum(axis=1)
    squares = (sums.ratings**2).sum(axis=1)
    disagreeing = (total - 1) * (sums.unlike / sums.scale)
    return 1 - _ratio(disagreeing, total**2 - squares)


def _gwet(sums: _Sums, categories: int) -> Array:
    if categories < 2:
        return np.full_like(sums.n, np.nan)
    agreed = _ratio(sums.like, sums.scale * sums.n)
    shares = sums.shares / np.maximum(sums.scale * sums.n, 1)[:, None]
    chance: Array = (shares * (1 - shares)).sum(axis=1) / (categories - 1)
    value: Array = (agreed - chance) / (1 - chance)
    return value


def _too_few(part: _Part) -> Intervals:
    """There is nothing to resample: say so, or why there is no value at all."""
    reason = "All items lie on one abstract; an interval needs at least two."
    return {
        measure: Interval(
            None, None, part.n_clusters, reason=coefficient.reason or reason
        )
        for measure, coefficient in estimates(part.sample).items()
    }
