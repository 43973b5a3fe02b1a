"""Working time as spans, days and weeks in a reader's zone. Pure.

All arithmetic is on instants, so that a day on which clocks change has its 23 or 25
hours and nobody gains or loses one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# A running session without any activity for this long was forgotten: it ends this
# much after the last activity. A pause that nobody ends becomes the end.
IDLE_LIMIT = timedelta(minutes=30)
COUNTED_AFTER_LAST_ACTIVITY = timedelta(minutes=5)
PAUSE_LIMIT = timedelta(hours=12)
LONGEST_SESSION = timedelta(hours=24)

_WEEK = re.compile(r"(\d{4})-W(\d{2})")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time; ``end`` is not part of it."""

    start: datetime
    end: datetime

    @property
    def seconds(self) -> int:
        """Its length in whole seconds."""
        return int((self.end.astimezone(UTC) - self.start.astimezone(UTC)) / SECOND)


SECOND = timedelta(seconds=1)


def worked_spans(
    start: datetime, end: datetime, pauses: Iterable[Span] = ()
) -> list[Span]:
    """Return what is left of a stretch of time without its pauses, in order."""
    spans = []
    at = start
    for pause in sorted(pauses, key=lambda span: span.start):
        if pause.start > at:
            spans.append(Span(at, min(pause.start, end)))
        at = max(at, pause.end)
        if at >= end:
            break
    if at < end:
        spans.append(Span(at, end))
    return [span for span in spans if span.end > span.start]


def total_seconds(spans: Iterable[Span]) -> int:
    """Return the length of all spans together."""
    return sum(span.seconds for span in spans)


def clipped(spans: Iterable[Span], window: Span) -> list[Span]:
    """Return the parts of the spans that lie in a window."""
    parts = (
        Span(max(span.start, window.start), min(span.end, window.end)) for span in spans
    )
    return [part for part in parts if part.end > part.start]


def middle_pause(start: datetime, end: datetime, length: timedelta) -> list[Span]:
    """Return one pause of a given length in the middle of a stretch of time.

    For a correction that says how long the breaks were, but not when.
    """
    if not length:
        return []
    begin = start + (end - start - length) / 2
    return [Span(begin, begin + length)]


def day_span(day: date, zone: ZoneInfo) -> Span:
    """Return a calendar day of a zone: 23, 24 or 25 hours."""
    return Span(_midnight(day, zone), _midnight(day + timedelta(days=1), zone))


def days_span(days: Sequence[date], zone: ZoneInfo) -> Span:
    """Return the stretch from the first to the last of consecutive days."""
    return Span(day_span(days[0], zone).start, day_span(days[-1], zone).end)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def seconds_per_day(
    spans: Iterable[Span], days: Sequence[date], zone: ZoneInfo
) -> dict[date, int]:
    """Return the seconds of the spans on each of these days; midnight divides."""
    found = list(spans)
    return {day: total_seconds(clipped(found, day_span(day, zone))) for day in days}


def week_name(day: date) -> str:
    """Return the ISO week of a day, such as 2026-W49."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def week_days(name: str) -> list[date]:
    """Return the seven days of an ISO week, Monday first; ``ValueError`` if none."""
    match = _WEEK.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no week; an example is 2026-W49.")
    monday = date.fromisocalendar(int(match[1]), int(match[2]), 1)
    if not 2000 <= monday.year <= 2200:
        raise ValueError("The week must lie between 2000 and 2200.")
    return [monday + timedelta(days=number) for number in range(7)]
