"""Intervals are those of a plain loop over resampled clusters, whatever the chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest

from annotation.agreement import (
    Coefficient,
    Tally,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from annotation.agreement_intervals import (
    FEW_CLUSTERS,
    Interval,
    Measure,
    Sample,
    add_tallies,
    estimates,
    intervals,
    weights,
)

RESAMPLES = 300


def clusters_of(raters: Sequence[int], seed: int = 1, n: int = 12) -> list[Tally]:
    """Clusters of one to five items; each item has one of the numbers of raters."""
    rng = Random(seed)

    def item() -> tuple[str, ...]:
        truth = rng.choice("SCN")
        return tuple(
            truth if rng.random() < 0.7 else rng.choice("SCN")
            for _ in range(rng.choice(raters))
        )

    return [Counter(item() for _ in range(rng.randint(1, 5))) for _ in range(n)]


def first_two(tally: Tally) -> Tally:
    found: Counter[tuple[object, ...]] = Counter()
    for labels, count in tally.items():
        found[labels[:2]] += count
    return found


def plainly(clusters: Sequence[Tally], drawn: Sequence[float]) -> Tally:
    """The tally of one resample, cluster after cluster."""
    chosen = [
        cluster
        for cluster, times in zip(clusters, drawn, strict=True)
        for _ in range(int(times))
    ]
    return add_tallies(chosen)


# How each coefficient is computed for a single tally.
PLAIN: dict[Measure, Callable[[Tally], Coefficient]] = {
    Measure.PERCENT: lambda t: percent_agreement(first_two(t)),
    Measure.COHEN: lambda t: cohen_kappa(first_two(t)),
    Measure.AC1: lambda t: gwet_ac1(t, 3),
    Measure.FLEISS: fleiss_kappa,
    Measure.ALPHA: krippendorff_alpha,
}


def by_hand(
    clusters: Sequence[Tally], measure: Measure, seed: int = 1
) -> tuple[float, float, int]:
    """The ends of the interval and how many resamples have no value, by a loop."""
    values = [
        PLAIN[measure](plainly(clusters, list(drawn))).value
        for drawn in weights(len(clusters), 0, RESAMPLES, seed)
    ]
    defined = [value for value in values if value is not None]
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high), len(values) - len(defined)


def found(clusters: Sequence[Tally], **options: int) -> dict[Measure, Interval]:
    (one,) = intervals([Sample(clusters, 3)], resamples=RESAMPLES, **options)
    return one


@pytest.mark.parametrize("measure", list(Measure))
@pytest.mark.parametrize("raters", [[2], [3], [5]])
def test_intervals_are_those_of_a_loop(measure: Measure, raters: list[int]) -> None:
    clusters = clusters_of(raters)
    low, high, undefined = by_hand(clusters, measure)
    interval = found(clusters)[measure]
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)
    assert interval.n_undefined == undefined
    assert interval.n_resamples == RESAMPLES
    assert interval.n_clusters == 12


@pytest.mark.parametrize("measure", [m for m in Measure if m != Measure.FLEISS])
def test_items_may_have_different_numbers_of_ratings(measure: Measure) -> None:
    clusters = clusters_of([2, 3, 4])
    low, high, _ = by_hand(clusters, measure)
    interval = found(clusters)[measure]
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)


def test_fleiss_has_no_interval_where_it_has_no_value() -> None:
    interval = found(clusters_of([2, 3, 4]))[Measure.FLEISS]
    assert (interval.low, interval.high, interval.n_resamples) == (None, None, 0)
    assert "2 to 4 ratings" in interval.reason


def test_items_judged_once_count_for_nothing() -> None:
    clusters = clusters_of([2])
    more = [Counter(tally) + Counter({("S",): 3}) for tally in clusters]
    assert found(more) == found(clusters)
    assert estimates(Sample(more, 3)) == estimates(Sample(clusters, 3))


@pytest.mark.parametrize("cells", [1, 12, 100, 1201, 10**6])
def test_the_size_of_the_chunks_changes_nothing(cells: int) -> None:
    clusters = clusters_of([2, 3, 7])
    assert found(clusters, cells=cells) == found(clusters)


def test_another_seed_draws_others_and_the_same_seed_the_same() -> None:
    clusters = clusters_of([2])
    assert found(clusters, seed=7) == found(clusters, seed=7) != found(clusters)


def test_every_resample_draws_as_many_clusters_as_there_are() -> None:
    drawn = weights(40, 0, 50, seed=3)
    assert (drawn.sum(axis=1) == 40).all()
    assert (weights(40, 20, 30, seed=3) == drawn[20:30]).all()
    # A cluster is left out of a resample with probability (39/40)^40 = 0.363.
    assert (weights(40, 0, 2000, seed=3) == 0).mean() == pytest.approx(0.363, abs=0.01)


def test_samples_draw_the_same_clusters_together_as_alone() -> None:
    one, other = clusters_of([2]), clusters_of([3], seed=5)
    together = intervals([Sample(one, 3), Sample(other, 3)], resamples=RESAMPLES)
    assert together == [found(one), found(other)]


def test_undefined_resamples_are_counted() -> None:
    # One cluster of three disagrees and has both labels; without it, all is "S".
    clusters: list[Tally] = [{("S", "S"): 4}, {("S", "S"): 2}, {("S", "C"): 1}]
    interval = found(clusters)[Measure.COHEN]
    without = sum(drawn[2] == 0 for drawn in weights(3, 0, RESAMPLES, 1))
    assert interval.n_undefined == without
    # (2/3)^3 of the resamples are expected to lack it.
    assert without == pytest.approx(RESAMPLES * 8 / 27, rel=0.2)


def test_perfect_agreement_has_an_interval_without_width() -> None:
    clusters: list[Tally] = [{("S", "S"): 1, ("C", "C"): 2}] * 5
    interval = found(clusters)[Measure.COHEN]
    assert (interval.low, interval.high) == (1.0, 1.0)


def test_one_label_throughout_says_why_there_is_no_value() -> None:
    interval = found([{("S", "S"): 2}, {("S", "S"): 1}])[Measure.COHEN]
    assert interval.low is None
    assert "Only S was chosen" in interval.reason


def test_one_cluster_is_too_few_for_an_interval() -> None:
    interval = found([{("S", "S"): 2, ("S", "C"): 1, ("C", "C"): 2}])[Measure.COHEN]
    assert interval.low is None
    assert interval.n_clusters == 1
    assert "at least two" in interval.reason


def test_empty_clusters_do_not_count_as_clusters() -> None:
    two: list[Tally] = [{("S", "S"): 2, ("C", "C"): 1}, {}, {("S", "C"): 1}]
    assert found(two)[Measure.COHEN].n_clusters == 2
    one: list[Tally] = [{("S", "S"): 2, ("C", "C"): 1}, {}, {}]
    assert "at least two" in found(one)[Measure.COHEN].reason


def test_few_clusters_are_said() -> None:
    assert found(clusters_of([2]))[Measure.COHEN].has_few_clusters
    enough = clusters_of([2], n=FEW_CLUSTERS)
    assert not found(enough)[Measure.COHEN].has_few_clusters


def test_no_items_at_all() -> None:
    (nothing,) = intervals([Sample([], 3)])
    assert nothing[Measure.COHEN].low is None
    assert "No item was judged by both" in nothing[Measure.COHEN].reason
    assert intervals([]) == []
