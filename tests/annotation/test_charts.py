"""Where the lines of a chart lie, and how a burn-up is counted: by hand."""

from __future__ import annotations

from datetime import date

import pytest

from annotation.burn_up import Change, percentile, progress
from annotation.charts import (
    Dot,
    IntervalChart,
    Mark,
    Series,
    Tick,
    consecutive,
    day_chart,
    interval_chart,
    nice_step,
)

MONDAY = date(2026, 11, 30)
DAYS = consecutive(date(2026, 11, 28), MONDAY)


@pytest.mark.parametrize(
    ("top", "step"),
    [(1, 1), (5, 1), (6, 2), (10, 2), (11, 5), (25, 5), (26, 10), (100_000, 20_000)],
)
def test_steps_are_round_and_few(top: int, step: int) -> None:
    assert nice_step(top) == step


def test_lines_run_from_the_left_to_the_right_and_never_leave_the_frame() -> None:
    chart = day_chart(
        key="verify",
        title="Verify",
        y_name="Pairs",
        days=DAYS,
        series=[Series("in all", "all", [0, 4, 10]), Series("done", "done", [0, 0, 5])],
    )
    in_all, done = chart.lines
    # The frame goes from 64 to 452 and, upwards, from 192 to 16: 10 pairs are 176 high.
    assert in_all.points == "64.0,192.0 258.0,121.6 452.0,16.0"
    assert done.points == "64.0,192.0 258.0,192.0 452.0,104.0"
    assert [tick.words for tick in chart.y_ticks] == ["0", "2", "4", "6", "8", "10"]
    assert [tick.words for tick in chart.x_ticks] == ["28 Nov", "29 Nov", "30 Nov"]
    assert chart.summary == "28 Nov to 30 Nov. At the end in all: 10; done: 5."


def test_one_day_and_no_rows_make_a_chart_too() -> None:
    chart = day_chart(
        key="x", title="X", y_name="Y", days=[MONDAY], series=[Series("a", "a", [0])]
    )
    assert chart.lines[0].points == "452.0,192.0"
    assert [tick.words for tick in chart.y_ticks] == ["0", "1"]


def test_a_year_has_at_most_six_marks() -> None:
    days = consecutive(date(2026, 1, 1), date(2026, 12, 31))
    chart = day_chart(
        key="x", title="X", y_name="Y", days=days, series=[Series("a", "a", [1] * 365)]
    )
    assert len(chart.x_ticks) <= 6
    assert chart.x_ticks[-1].words == "31 Dec"


def test_rows_are_where_they_went_last() -> None:
    first, second, third = DAYS
    changes = [
        Change(first, "pair", "", "open", 10),
        Change(second, "pair", "open", "judged", 4),
        Change(third, "pair", "judged", "approved", 3),
        Change(third, "pair", "judged", "open", 1),
        Change(third, "pair", "open", "retired", 2),
        Change(first, "source", "", "open", 2),
        Change(third, "source", "open", "done", 1),
        Change(third, "source", "open", "skipped", 1),
    ]
    write, proofread, verify, review = progress(changes, DAYS)
    assert (verify.in_all, verify.through) == ([10, 10, 8], [0, 4, 3])
    assert verify.share == 37
    assert (write.in_all, write.through) == ([2, 2, 2], [0, 0, 2])
    assert (proofread.in_all, review.through) == ([0, 0, 0], [0, 0, 0])
    assert proofread.share == 0


def test_what_happened_before_the_first_day_is_where_the_lines_start() -> None:
    changes = [
        Change(date(2026, 1, 1), "pair", "", "open", 5),
        Change(date(2026, 1, 2), "pair", "open", "judged", 2),
    ]
    verify = progress(changes, DAYS)[2]
    assert (verify.in_all, verify.through) == ([5, 5, 5], [2, 2, 2])


@pytest.mark.parametrize(
    ("values", "median", "p90"),
    [
        ([], None, None),
        ([7], 7, 7),
        ([1, 2], 1, 2),
        ([10, 20, 30], 20, 30),
        (list(range(1, 11)), 5, 9),
        (list(range(1, 12)), 6, 10),
    ],
)
def test_percentiles_are_values_that_were_measured(
    values: list[int], median: int | None, p90: int | None
) -> None:
    histogram = [(value, 1) for value in reversed(values)]
    assert percentile(histogram, 0.5) == median
    assert percentile(histogram, 0.9) == p90


def test_a_histogram_counts_repeated_values() -> None:
    assert percentile([(5, 9), (100, 1)], 0.9) == 5
    assert percentile([(5, 8), (100, 2)], 0.9) == 100


def interval_of(*marks: Mark) -> IntervalChart:
    return interval_chart(
        key="k", title="Kappa", x_name="Week", y_name="Value", marks=marks
    )


def test_values_stand_side_by_side_with_their_intervals() -> None:
    chart = interval_of(Mark("W1", 0.5, 0.25, 0.75), Mark("W2"), Mark("W3", 1.0))
    # Thirds of the 388 between 64 and 452; from 0 at 192 to 1 at 16.
    assert chart.dots == (
        Dot(128.7, 104.0, 148.0, 60.0),
        Dot(387.3, 16.0, None, None),
    )
    assert [tick.words for tick in chart.x_ticks] == ["W1", "W2", "W3"]
    assert [tick.words for tick in chart.y_ticks][:2] == ["1.0", "0.8"]
    assert chart.y_ticks[-1] == Tick(192.0, "0.0")
    assert chart.summary == "W1: 0.50 (0.25 to 0.75). W2: no value. W3: 1.00."


def test_an_axis_of_intervals_reaches_below_zero_where_one_does() -> None:
    chart = interval_of(Mark("W1", 0.1, -0.21, 0.4))
    assert [t.words for t in chart.y_ticks][-3:] == ["0.0", "-0.2", "-0.4"]
    assert chart.y_ticks[-1].at == 192.0
    (dot,) = chart.dots
    assert dot.low_y is not None
    assert dot.low_y < 192
