"""Working time in days and weeks: by hand, over midnights and changing clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from annotation.work_hours import (
    Span,
    day_span,
    days_span,
    middle_pause,
    seconds_per_day,
    total_seconds,
    week_days,
    week_name,
    worked_spans,
)

BERLIN = ZoneInfo("Europe/Berlin")
KOLKATA = ZoneInfo("Asia/Kolkata")
HOUR = 3600


def utc(day: int, hour: int, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def test_pauses_are_taken_out_wherever_they_lie() -> None:
    start, end = utc(2, 9), utc(2, 17)
    pauses = [Span(utc(2, 12), utc(2, 13)), Span(utc(2, 12, 30), utc(2, 13, 30))]
    assert worked_spans(start, end, pauses) == [
        Span(utc(2, 9), utc(2, 12)),
        Span(utc(2, 13, 30), utc(2, 17)),
    ]
    assert worked_spans(start, end, [Span(utc(2, 8), utc(2, 10))]) == [
        Span(utc(2, 10), end)
    ]
    assert worked_spans(start, end, [Span(utc(2, 16), utc(2, 18))]) == [
        Span(start, utc(2, 16))
    ]
    assert worked_spans(start, end, [Span(utc(2, 8), utc(2, 18))]) == []
    assert worked_spans(start, start) == []


def test_a_day_has_23_24_or_25_hours() -> None:
    assert day_span(date(2026, 3, 29), BERLIN).seconds == 23 * HOUR
    assert day_span(date(2026, 10, 25), BERLIN).seconds == 25 * HOUR
    assert day_span(date(2026, 11, 30), BERLIN).seconds == 24 * HOUR
    assert day_span(date(2026, 11, 30), KOLKATA).start == utc(29, 18, 30)


def test_work_through_the_night_of_the_changed_clock_is_counted_as_it_was() -> None:
    # 22:00 to 06:00 on the wall, but nine hours: the clock went back at 03:00.
    start = datetime(2026, 10, 24, 22, tzinfo=BERLIN)
    end = datetime(2026, 10, 25, 6, tzinfo=BERLIN)
    days = [date(2026, 10, 24), date(2026, 10, 25)]
    assert seconds_per_day([Span(start, end)], days, BERLIN) == {
        days[0]: 2 * HOUR,
        days[1]: 7 * HOUR,
    }
    assert Span(start, end).seconds == 9 * HOUR


def test_midnight_is_that_of_the_zone() -> None:
    spans = [Span(utc(29, 22), utc(30, 1))]
    days = [date(2026, 11, 29), date(2026, 11, 30)]
    assert list(seconds_per_day(spans, days, ZoneInfo("UTC")).values()) == [
        2 * HOUR,
        HOUR,
    ]
    assert list(seconds_per_day(spans, days, BERLIN).values()) == [HOUR, 2 * HOUR]
    assert list(seconds_per_day(spans, days, KOLKATA).values()) == [0, 3 * HOUR]


def test_a_break_without_a_time_lies_in_the_middle() -> None:
    start, end = utc(2, 9), utc(2, 17)
    assert middle_pause(start, end, timedelta(hours=1)) == [
        Span(utc(2, 12, 30), utc(2, 13, 30))
    ]
    assert middle_pause(start, end, timedelta(0)) == []
    pause = middle_pause(start, end, timedelta(hours=1))
    assert total_seconds(worked_spans(start, end, pause)) == 7 * HOUR


def test_weeks_are_those_of_iso_8601() -> None:
    assert week_name(date(2026, 11, 30)) == "2026-W49"
    assert week_name(date(2027, 1, 1)) == "2026-W53"
    days = week_days("2026-W53")
    assert (days[0], days[-1]) == (date(2026, 12, 28), date(2027, 1, 3))
    assert days_span(week_days("2026-W43"), BERLIN).seconds == (7 * 24 + 1) * HOUR


@pytest.mark.parametrize(
    "name", ["", "2026", "2026-49", "2026-W00", "2026-W54", "9999-W01", "x", "2026-W4"]
)
def test_a_week_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"week|year"):
        week_days(name)
