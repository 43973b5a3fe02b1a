"""The report on suggestions, against figures worked out by hand."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from annotation.suggestion_report import Given, Share, arm_figures

S, C = "SUPPORT", "CONTRADICT"
ROWS = [
    Given("control", False, "none", S, 50, first_label=S, model_label=S, others=(S,)),
    Given("control", False, "none", C, 70, first_label=C, model_label=S, others=(S,)),
    Given("always", True, "all", S, 20, model_label=S, verdict_label=S),
    Given("always", True, "label", S, None, model_label=S, verdict_label=C),
    Given("always", True, "none", C, 30, others=(C, S)),
    Given("after", True, "all", S, 40, first_label=C, model_label=S),
    Given("after", True, "none", C, 60, first_label=C, model_label=S),
    Given("after", False, "none", C, 61, first_label=S, model_label=S),
]


def test_each_arm_has_its_own_figures() -> None:
    control, after, always = arm_figures(ROWS, ["control", "none", "after", "always"])

    assert (control.arm, control.n, control.shown) == ("control", 2, Share(0, 2))
    assert (control.median, control.p90, control.n_timed) == (50, 70, 2)
    assert control.taken["all"] == Share(0, 0)
    assert control.changed == Share(0, 2)
    assert control.to_model == Share(0, 1)
    assert control.as_model == Share(1, 2)
    assert control.as_others == Share(1, 2)

    assert (after.shown, after.taken["all"]) == (Share(2, 3), Share(1, 2))
    assert after.changed == Share(2, 3)
    assert after.to_model == Share(1, 2)
    assert (after.first_labels, after.labels) == ({C: 2, S: 1}, {S: 1, C: 2})

    assert (always.median, always.n_timed) == (20, 2)
    assert [always.taken[part] for part in ("all", "label", "sentences", "none")] == [
        Share(1, 3),
        Share(1, 3),
        Share(0, 3),
        Share(1, 3),
    ]
    assert always.changed == Share(0, 0)
    assert always.as_model == Share(2, 2)
    assert always.as_others == Share(1, 2)
    assert always.as_verdict == Share(1, 2)


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (8, 10), (50, 200), (0, 30)])
def test_intervals_are_those_of_scipy(count: int, n: int) -> None:
    expected = binomtest(count, n).proportion_ci(method="wilson")
    assert Share(count, n).interval == pytest.approx(tuple(expected))


def test_a_share_of_nothing_has_neither_value_nor_interval() -> None:
    assert (Share(0, 0).value, Share(0, 0).interval) == (None, None)
