"""A week of working time as a table for whoever pays.

One row for each person, day and session. Days and weeks are those of the stated
zone; where a person has corrected a session, the corrected time counts and the
measured one stands beside it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from annotation import work_hours
from annotation.models import WorkSession
from annotation.selectors.days import session_row
from corpus.text import csv_safe

COLUMNS = (
    "week",
    "time_zone",
    "person",
    "project",
    "date",
    "start",
    "end",
    "break_minutes",
    "worked_minutes",
    "worked_hours",
    "opened",
    "closed",
    "is_corrected",
    "measured_start",
    "measured_end",
    "measured_minutes",
    "reason",
    "corrected_at",
)


def pay_sheet(
    sessions: Iterable[WorkSession], week: str, zone: ZoneInfo, now: datetime
) -> Iterator[str]:
    """Yield the lines of the table, by person and time."""
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    ordered = sorted(sessions, key=lambda s: (str(s.person), s.started_at, s.pk))
    for session in ordered:
        for row in _rows(session, week, zone, now):
            yield writer.writerow(csv_safe(str(cell)) for cell in row)


class _Echo:
    """A file that hands back what is written, for ``csv.writer``."""

    def write(self, line: str) -> str:
        return line


def _rows(
    session: WorkSession, week: str, zone: ZoneInfo, now: datetime
) -> Iterator[tuple[object, ...]]:
    def clock(at: datetime | None) -> str:
        return at.astimezone(zone).strftime("%Y-%m-%d %H:%M") if at else ""

    for day in work_hours.week_days(week):
        row = session_row(session, work_hours.day_span(day, zone), now)
        if row is None:
            continue
        yield (
            week,
            zone.key,
            session.person,
            session.project,
            day.isoformat(),
            clock(row.start),
            clock(row.end),
            _minutes(row.break_seconds),
            _minutes(row.seconds),
            f"{row.seconds / 3600:.2f}",
            session.get_opened_display(),
            _closing(session, now),
            "yes" if session.is_corrected else "no",
            clock(row.measured_start) if row.measured_seconds else "",
            clock(row.measured_end) if row.measured_seconds else "",
            _minutes(row.measured_seconds),
            session.correction_reason,
            clock(session.corrected_at),
        )


def _closing(session: WorkSession, now: datetime) -> str:
    if session.is_forgotten(now):
        return WorkSession.Closed.FORGOTTEN.label
    return session.get_closed_display() or "still open"


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:.1f}"
