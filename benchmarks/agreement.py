"""Measure agreement: intervals of a big project, and how often intervals are right.

Run from the repository root: ``python -m benchmarks.agreement``. All data are made by
a seed; ``--repetitions`` and ``--clusters`` say how much of the second part is done.

* The report on 50,000 doubly judged pairs on 5,000 abstracts with 10,000 resamples:
  seconds of the fold and of the intervals, the peak of memory, and the ratio to
  resampling the rows of clusters and calling scikit-learn's ``cohen_kappa_score`` once
  for each resample, extrapolated from 50 loops.
* The coverage of the 95 % interval of Cohen's kappa over 2,000 repetitions with 20, 50,
  100 and 200 abstracts, with its own standard error; 1,000 resamples each.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from sklearn.metrics import cohen_kappa_score

from annotation.agreement import cohen_kappa
from annotation.agreement_intervals import (
    RESAMPLES,
    Measure,
    Sample,
    add_tallies,
    intervals,
    weights,
)
from annotation.agreement_report import Part, RatedPair, Rating, build_report

PAIRS, DOCUMENTS, SENTENCES, PEOPLE, WEEKS = 50_000, 5_000, 10, 12, 26
LOOPED = 50
LABELS = np.array(["SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO"])
START = datetime(2026, 1, 5, tzinfo=UTC)


def rated_pairs(rng: np.random.Generator) -> list[RatedPair]:
    """Return pairs on which two people agree to about 85 %."""
    return [_rated(number, rng) for number in range(PAIRS)]


def _rated(number: int, rng: np.random.Generator) -> RatedPair:
    truth = int(rng.integers(3))
    at = START + timedelta(days=number * WEEKS * 7 / PAIRS)
    people = rng.choice(PEOPLE, 2, replace=False)
    ratings = []
    for person in people:
        label = truth if rng.random() < 0.9 else int(rng.integers(3))
        chosen = rng.integers(SENTENCES, size=2 if label < 2 else 0)
        ratings.append(
            Rating(int(person), str(LABELS[label]), frozenset(chosen.tolist()), at)
        )
    document = number % DOCUMENTS
    return RatedPair(number, document, "cited", SENTENCES, tuple(ratings))


def measure_report(pairs: Sequence[RatedPair]) -> None:
    """Print what the whole report takes."""

    def read() -> Iterator[RatedPair]:
        yield from pairs

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    report = build_report(read(), read(), n_labels=3)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kappa = report.first[Part.LABELS].by_measure[Measure.COHEN]
    print(
        f"{report.n_pairs:,} pairs on {DOCUMENTS:,} abstracts, {RESAMPLES:,} "
        f"resamples, both columns, {len(report.weeks)} weeks: {seconds:.2f} s, "
        f"{(after - before) / 1024:.0f} MB more at the peak "
        f"({after / 1024:.0f} MB in all); kappa {kappa.coefficient.value:.4f} "
        f"({kappa.interval.low:.4f} to {kappa.interval.high:.4f})"
    )


def measure_ratio(pairs: Sequence[RatedPair]) -> None:
    """Print the intervals of the labels beside a loop over rows with scikit-learn."""
    clusters: list[Counter[tuple[object, ...]]] = [Counter() for _ in range(DOCUMENTS)]
    rows: list[list[tuple[str, ...]]] = [[] for _ in range(DOCUMENTS)]
    for rated in pairs:
        clusters[rated.document][rated.labels] += 1
        rows[rated.document].append(rated.labels)
    start = time.perf_counter()
    (found,) = intervals([Sample(clusters, 3)])
    ours = time.perf_counter() - start
    arrays = [np.array(labels) for labels in rows]
    start = time.perf_counter()
    for drawn in weights(DOCUMENTS, 0, LOOPED, seed=1):
        chosen = np.concatenate(
            [arrays[n] for n in np.repeat(np.arange(DOCUMENTS), drawn.astype(int))]
        )
        cohen_kappa_score(chosen[:, 0], chosen[:, 1])
    looped = (time.perf_counter() - start) / LOOPED
    interval = found[Measure.COHEN]
    print(
        f"labels alone: {ours:.2f} s for five coefficients "
        f"(kappa {interval.low:.4f} to {interval.high:.4f}); scikit-learn on "
        f"resampled rows {1000 * looped:.1f} ms for each loop, "
        f"{RESAMPLES * looped:.0f} s for all, for one coefficient: "
        f"{RESAMPLES * looped / ours:.0f} times as long"
    )


def simulated(n: int, rng: np.random.Generator) -> list[Counter[tuple[object, ...]]]:
    """Return abstracts with 1 to 10 pairs each; some abstracts are harder than others.

    How often somebody errs is drawn for each abstract, and the true labels of an
    abstract resemble each other, so that pairs on one abstract are not independent.
    """
    clusters = []
    for _ in range(n):
        size = int(rng.integers(1, 11))
        errs, mostly = rng.beta(1, 5), rng.integers(3)
        truth = np.where(rng.random(size) < 0.5, mostly, rng.integers(3, size=size))
        said = [
            np.where(rng.random(size) < errs, rng.integers(3, size=size), truth)
            for _ in range(2)
        ]
        clusters.append(Counter(zip(*(s.tolist() for s in said), strict=True)))
    return clusters


def measure_coverage(n: int, true: float, repetitions: int) -> None:
    """Print in how many repetitions the interval contains the true kappa."""
    rng = np.random.default_rng(n)
    inside, undefined, width = 0, 0, 0.0
    for _ in range(repetitions):
        (found,) = intervals([Sample(simulated(n, rng), 3)], resamples=1_000)
        interval = found[Measure.COHEN]
        if interval.low is None or interval.high is None:
            undefined += 1
            continue
        inside += interval.low <= true <= interval.high
        width += interval.high - interval.low
    tried = repetitions - undefined
    share = inside / tried
    error = (share * (1 - share) / tried) ** 0.5
    print(
        f"{n} abstracts: {100 * share:.1f} % of {tried:,} intervals contain the true "
        f"kappa (standard error {100 * error:.1f}), mean width {width / tried:.3f}, "
        f"{undefined} undefined"
    )


def main() -> None:
    """Print all figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repetitions", type=int, default=2_000)
    options.add_argument("--clusters", type=int, nargs="*", default=[20, 50, 100, 200])
    chosen = options.parse_args()
    pairs = rated_pairs(np.random.default_rng(1))
    measure_report(pairs)
    measure_ratio(pairs)
    true = cohen_kappa(add_tallies(simulated(200_000, np.random.default_rng(0)))).value
    if true is None:
        raise SystemExit("The simulation has one label only.")
    print(f"true kappa of the simulation, from 200,000 abstracts: {true:.4f}")
    for n in chosen.clusters:
        measure_coverage(n, true, chosen.repetitions)


if __name__ == "__main__":
    main()
