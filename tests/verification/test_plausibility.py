"""Plausible answers, counted by hand, and the interval against SciPy's."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from verification.plausibility import (
    Share,
    is_abstract_plausible,
    is_answer_plausible,
    share_of,
    wilson_interval,
)


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (23, 36), (28, 36)])
def test_the_interval_is_that_of_scipy(successes: int, n: int) -> None:
    found = binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson_interval(successes, n) == pytest.approx((found.low, found.high))


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ([], False),
        ([True], True),
        ([False], False),
        ([None], None),
        ([True, False], True),
        ([True, None], True),
        ([False, None], None),
        ([False, False, None], False),
        ([True, False, None], None),
        ([True, False, False], False),
    ],
)
def test_at_least_half_of_the_evidence_makes_an_answer_plausible(
    evidence: list[bool | None], expected: bool | None
) -> None:
    assert is_answer_plausible(evidence) is expected


def test_at_least_half_of_the_experts_make_an_abstract_plausible() -> None:
    assert is_abstract_plausible([]) is None
    assert is_abstract_plausible([True, False]) is True
    assert is_abstract_plausible([True, False, False]) is False


def test_a_share_is_of_the_answers_that_are_decided() -> None:
    assert share_of([True, False, None, True]) == Share(2, 3)
    assert Share(0, 0).interval is None
