"""Resampling is of claims, repeatable, and independent of how it is cut up."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.paths import REPO
from tests.verification.scoring.files import request
from verification.scoring.bootstrap import (
    Interval,
    bootstrap,
    interval_of,
    paired_bootstrap,
)
from verification.scoring.metrics import Array, Measures, ratio
from verification.scoring.service import Bootstrap, score

# Correct and total of twenty claims.
TABLE = np.array([[n % 3, 2 + n % 2] for n in range(20)], dtype=np.float64)

BETTER = TABLE + np.array([1, 0])


def share(weights: Array) -> Measures:
    sums = weights @ TABLE
    return {"share": ratio(sums[:, 0], sums[:, 1])}


def better(weights: Array) -> Measures:
    sums = weights @ BETTER
    return {"share": ratio(sums[:, 0], sums[:, 1])}


def test_the_result_does_not_depend_on_the_size_of_chunks() -> None:
    whole = bootstrap(share, 20, resamples=1000, seed=3)
    for cells in (1, 20, 333, 7000):
        assert bootstrap(share, 20, resamples=1000, seed=3, cells=cells) == whole


def test_another_seed_gives_another_result() -> None:
    first = bootstrap(share, 20, resamples=100, seed=0)
    assert first == bootstrap(share, 20, resamples=100, seed=0)
    assert first != bootstrap(share, 20, resamples=100, seed=1)


def test_two_processes_agree_on_a_seed() -> None:
    program = (
        "from tests.verification.scoring.test_bootstrap import share\n"
        "from verification.scoring.bootstrap import bootstrap\n"
        "print(bootstrap(share, 20, resamples=1000, seed=5))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=REPO,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    }
    assert outputs == {f"{bootstrap(share, 20, resamples=1000, seed=5)}\n"}


def test_the_standard_deviation_is_that_of_a_mean_of_claims() -> None:
    # For a plain mean the bootstrap's standard deviation is known: s / sqrt(n).
    values = np.arange(50, dtype=np.float64)

    def mean(weights: Array) -> Measures:
        return {"mean": weights @ values / 50}

    found = bootstrap(mean, 50, resamples=10_000)["mean"]
    assert found is not None
    assert found.mean == pytest.approx(24.5, abs=0.1)
    assert found.std == pytest.approx(values.std() / np.sqrt(50), rel=0.03)
    assert found.low < found.mean < found.high


def test_whole_clusters_are_drawn() -> None:
    # In one cluster there is nothing to vary; with one claim each it is as by claim.
    single = bootstrap(share, 20, resamples=200, units=["family"] * 20)["share"]
    assert single is not None
    assert single.std == 0.0
    separate = bootstrap(share, 20, resamples=200, units=[f"c{n}" for n in range(20)])
    assert separate == bootstrap(share, 20, resamples=200)
    pairs = bootstrap(share, 20, resamples=2000, units=[n // 2 for n in range(20)])
    assert pairs != bootstrap(share, 20, resamples=2000)


def test_undefined_resamples_are_left_out() -> None:
    assert interval_of(np.array([np.nan, np.nan])) is None
    found = interval_of(np.array([np.nan, 0.5, 0.5]))
    assert found == Interval(0.5, 0.0, 0.5, 0.5)


def test_a_measure_that_is_undefined_has_no_interval() -> None:
    def rarely(weights: Array) -> Measures:
        lucky = weights[:, 0] > 1
        return {"rare": np.where(lucky, 0.5, np.nan)}

    assert bootstrap(rarely, 20, resamples=500) == {"rare": None}


def test_a_run_compared_with_itself_does_not_differ() -> None:
    found = paired_bootstrap(share, share, 20, resamples=500)["share"]
    assert found is not None
    assert found.observed == 0.0
    assert found.interval == Interval(0.0, 0.0, 0.0, 0.0)
    assert found.p_value == 1.0


def test_a_run_that_is_better_on_every_claim_is_told_apart() -> None:
    found = paired_bootstrap(better, share, 20, resamples=999)["share"]
    assert found is not None
    assert found.observed == pytest.approx(20 / TABLE[:, 1].sum())
    assert found.interval.low > 0
    assert found.p_value == pytest.approx(2 / 1000)
    swapped = paired_bootstrap(share, better, 20, resamples=999)["share"]
    assert swapped is not None
    assert swapped.observed == -found.observed
    assert swapped.p_value == found.p_value


def differs(who: str, place: int) -> bool:
    return who == "b" and place < 2


def test_agreement_is_resampled_by_claim() -> None:
    # Ten claims with two pairs each.
    lines = [
        {
            "claim_id": claim,
            "doc_id": document,
            "annotator": who,
            "label": "SC"[(claim + document + differs(who, claim + document)) % 2],
        }
        for claim in range(10)
        for document in range(2)
        for who in "ab"
    ]
    outcome = score(
        "agreement", request(None, lines), bootstrap=Bootstrap(2_000, seed=1)
    )
    assert outcome.score is not None
    found: Any = outcome.intervals
    # They differ on both pairs of claim 0 and on one of claim 1.
    per_claim = np.array([0.0, 0.5] + [1.0] * 8)
    label = found["label_percent_agreement"]
    assert label["mean"] == pytest.approx(per_claim.mean(), abs=0.01)
    assert label["std"] == pytest.approx(per_claim.std() / np.sqrt(10), rel=0.05)
    assert found["pairwise_cohen_kappa.a-b"] == found["label_cohen_kappa"]
    assert found["label_cohen_kappa"]["high"] <= 1.0


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        bootstrap(share, 0, resamples=10)
