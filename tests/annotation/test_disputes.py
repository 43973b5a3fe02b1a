"""How informative a disagreement is: values by hand, and their order."""

from __future__ import annotations

import pytest

from annotation.disputes import Dispute, conflict, dispute_of


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        ([("SUPPORT", {1}), ("CONTRADICT", {1})], 300),
        ([("SUPPORT", {1}), ("NOT_ENOUGH_INFO", set()), ("CONTRADICT", {2})], 300),
        ([("SUPPORT", {1}), ("NOT_ENOUGH_INFO", set())], 200),
        ([("MIXED", set()), ("CONTRADICT", set())], 200),
        # Nothing in common; one of two; two of three: 100 + 99 times 1, 1/2, 1/3.
        ([("SUPPORT", {1}), ("SUPPORT", {2})], 199),
        ([("SUPPORT", {1, 2}), ("SUPPORT", {2})], 150),
        ([("SUPPORT", {1, 2, 3}), ("SUPPORT", {2, 3})], 133),
        # Overlaps 1, 0 and 0 of three answers: their mean is 1/3.
        ([("SUPPORT", {1}), ("SUPPORT", {1}), ("SUPPORT", {2})], 166),
        ([("SUPPORT", {1}), ("SUPPORT", {1})], 0),
        ([("NOT_ENOUGH_INFO", set()), ("NOT_ENOUGH_INFO", set())], 0),
    ],
)
def test_opposites_come_first_and_then_what_overlaps_least(
    answers: list[tuple[str, set[int]]], value: int
) -> None:
    assert conflict(answers) == value
    assert conflict(answers[::-1]) == value


def test_a_value_says_what_the_dispute_is_about() -> None:
    assert dispute_of(300) is Dispute.OPPOSED
    assert dispute_of(200) is Dispute.LABELS
    assert {dispute_of(100), dispute_of(199)} == {Dispute.SENTENCES}
