"""Order, places, rounding and bars of a board, by hand."""

from __future__ import annotations

import pytest

from verification.board_rows import (
    Order,
    Row,
    Value,
    bar_of,
    in_order,
    with_places,
)
from verification.disclosure import Detail


def _row(system: str, value: float | None = None, **about: object) -> Row:
    values = {"f1": Value(value)}
    return Row(token=f"t-{system}", system=system, by="", values=values, **about)  # type: ignore[arg-type]


def _names(rows: list[Row]) -> list[str]:
    return [row.system for row in rows]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Order("f1"), ["c", "a", "B", "d", "E"]),
        (Order("f1", False), ["a", "B", "c", "d", "E"]),
        (Order("system", False), ["a", "B", "c", "d", "E"]),
        (Order("system"), ["E", "d", "c", "B", "a"]),
        # Nobody has a number of claims: all are missing.
        (Order("n_claims"), ["a", "B", "c", "d", "E"]),
    ],
)
def test_missing_values_come_last_either_way(order: Order, expected: list[str]) -> None:
    rows = [_row("E"), _row("d"), _row("c", 0.9), _row("B", 0.5), _row("a", 0.5)]
    assert _names(in_order(rows, order)) == expected


def test_zero_is_a_value_and_no_missing_one() -> None:
    rows = [_row("none"), _row("zero", 0.0), _row("half", 0.5)]
    assert _names(in_order(rows, Order("f1"))) == ["half", "zero", "none"]
    assert _names(in_order(rows, Order("f1", False))) == ["zero", "half", "none"]


def test_equal_values_share_a_place_and_baselines_have_none() -> None:
    rows = [
        _row("first", 0.9),
        _row("oracle", 0.95, is_baseline=True),
        _row("tied", 0.9),
        _row("third", 0.4),
        _row("undefined"),
        _row("gone", 0.99, standing="withdrawn"),
    ]
    places = {row.system: row.place for row in with_places(rows, "f1")}
    assert places == {
        "first": 1,
        "oracle": None,
        "tied": 1,
        "third": 3,
        "undefined": None,
        "gone": None,
    }


def test_rounding_is_that_of_a_percentage_with_one_decimal() -> None:
    value = Value(2 / 3, 0.51449, 0.77951)
    assert value.as_detail(Detail.OVERALL) == Value(0.667, 0.514, 0.78)
    assert value.as_detail(Detail.NOTHING) == Value()
    assert value.as_detail(Detail.EVERYTHING) == value


def test_a_bar_goes_from_0_to_1_and_ends_at_the_edge() -> None:
    bar = bar_of(Value(0.5, 0.25, 0.75))
    assert bar is not None
    assert (bar.at, bar.start, bar.length) == (60.0, 30.0, 60.0)
    beyond = bar_of(Value(1.2, 1.0, 1.4))
    assert beyond is not None
    assert (beyond.at, beyond.start, beyond.length) == (120.0, 120.0, 1.0)
    assert bar_of(Value(0.5)) is None
