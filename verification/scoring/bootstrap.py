"""Bootstrap intervals from per-claim counts (SciFact, Appendix B).

Claims are drawn with replacement as often as there are claims; each resample is a
row of weights, so that its sums come from one matrix product and its measures are
ratios of sums, never means of per-claim scores. Work goes in chunks of bounded
memory whose size does not change the result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from verification.scoring.metrics import Array, Measures

Measure: TypeAlias = Callable[[Array], Measures]

CELLS = 100_000
"""The number of weights held at a time: 0.8 MB, which stays in a processor's cache.

Larger products would also be shared between threads, which wait for each other on
a busy machine.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """Mean, standard deviation and the 2.5 and 97.5 percentiles of a measure."""

    mean: float
    std: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first of two runs scores, and how surely.

    ``p_value`` is two-sided: twice the smaller share of resamples in which the
    difference is not above, or not below, zero; at most 1 and never 0.
    """

    observed: float
    interval: Interval
    p_value: float


def bootstrap(
    measure: Measure,
    n_claims: int,
    *,
    resamples: int,
    seed: int = 0,
    units: Sequence[Hashable] | None = None,
    cells: int = CELLS,
) -> dict[str, Interval | None]:
    """Return the interval of each measure; ``None`` where it is undefined.

    ``units`` names the cluster (claim family or abstract) of each claim; whole
    clusters are then drawn. A resample in which a measure is undefined is left out
    of its interval.
    """
    values = _resampled(measure, n_claims, resamples, seed, units, cells)
    observed = measure(np.ones((1, n_claims)))
    return {
        name: None if np.isnan(observed[name][0]) else interval_of(sample)
        for name, sample in values.items()
    }


def paired_bootstrap(
    first: Measure,
    second: Measure,
    n_claims: int,
    *,
    resamples: int,
    seed: int = 0,
    units: Sequence[Hashable] | None = None,
    cells: int = CELLS,
) -> dict[str, Difference | None]:
    """Compare two runs on the same claims, both drawn alike in each resample."""

    def difference(weights: Array) -> Measures:
        one, other = first(weights), second(weights)
        return {name: one[name] - other[name] for name in one}

    values = _resampled(difference, n_claims, resamples, seed, units, cells)
    observed = difference(np.ones((1, n_claims)))
    return {
        name: _difference(float(observed[name][0]), sample)
        for name, sample in values.items()
    }


def interval_of(sample: Array) -> Interval | None:
    """Return what describes a sample, leaving undefined values out."""
    defined = sample[~np.isnan(sample)]
    if not defined.size:
        return None
    low, high = np.percentile(defined, [2.5, 97.5])
    return Interval(
        float(defined.mean()), float(defined.std()), float(low), float(high)
    )


def _difference(observed: float, sample: Array) -> Difference | None:
    interval = interval_of(sample)
    if interval is None or np.isnan(observed):
        return None
    defined = sample[~np.isnan(sample)]
    # One is added to both counts: the observed run is itself a possible resample.
    smaller = min((defined <= 0).sum(), (defined >= 0).sum()) + 1
    p_value = min(1.0, 2 * float(smaller) / (defined.size + 1))
    return Difference(observed, interval, p_value)


def _resampled(
    measure: Measure,
    n_claims: int,
    resamples: int,
    seed: int,
    units: Sequence[Hashable] | None,
    cells: int,
) -> Measures:
    if n_claims < 1 or resamples < 1:
        raise ValueError("a bootstrap needs at least one claim and one resample")
    unit_of_claim = _numbered(units) if units is not None else None
    n_units = n_claims if unit_of_claim is None else max(unit_of_claim) + 1
    parts: dict[str, list[Array]] = {}
    for weights in _weights(n_units, resamples, seed, max(1, cells // n_claims)):
        per_claim = weights if unit_of_claim is None else weights[:, unit_of_claim]
        for name, values in measure(per_claim).items():
            parts.setdefault(name, []).append(values)
    return {name: np.concatenate(values) for name, values in parts.items()}


def _numbered(units: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(unit, len(numbers)) for unit in units]


def _weights(n_units: int, resamples: int, seed: int, rows: int) -> Iterator[Array]:
    """Yield how often each unit was drawn, one row for each resample."""
    random = np.random.default_rng(seed)
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        drawn = random.integers(0, n_units, size=(count, n_units))
        drawn += np.arange(count)[:, None] * n_units
        flat = np.bincount(drawn.ravel(), minlength=count * n_units)
        yield flat.reshape(count, n_units).astype(np.float64)
