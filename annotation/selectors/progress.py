"""What a project's admins see of its progress, and of who did how much.

The number of queries depends neither on the size of the project nor on its members.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import CharField, Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Cast, Substr
from django.utils import timezone

from annotation.burn_up import (
    STAGES,
    Change,
    StageProgress,
    percentile,
    progress,
)
from annotation.charts import Chart, Series, consecutive, day_chart
from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    JudgementVersion,
    Lease,
    Membership,
    Project,
    Review,
    TaskTime,
)
from annotation.selectors.days import WITHDRAWN
from corpus.models import Event, User

NOUNS = tuple(rule.noun for rule in STAGES)
LONGEST_CHART = 366


def changes_of_state(project: Project, zone: ZoneInfo) -> list[Change]:
    """Return how many rows changed from which state to which on each day."""
    events = Event.objects.filter(project_id=project.pk, noun__in=NOUNS).exclude(
        to_state=""
    )
    found = [
        Change(day, noun, left, entered, n)
        for noun, day, left, entered, n in _per_day(events, zone, "from_state")
    ]
    return found + _imported_again(project, events, zone)


def _per_day(
    events: QuerySet[Event], zone: ZoneInfo, left: str
) -> list[tuple[str, date, str, str, int]]:
    """Count events by noun, day of a zone, state left and state entered.

    The database groups by the first characters of the time in UTC; a function that
    knows zones would cost far more for each row.
    """
    length = _characters(zone)
    found = (
        events.order_by()
        .annotate(begin=Substr(Cast("at", CharField()), 1, length))
        .values_list("noun", "begin", left, "to_state")
        .annotate(Count("pk"))
    )
    day_of = cache(lambda begin: _day(begin, zone))
    return [(noun, day_of(begin), out, to, n) for noun, begin, out, to, n in found]


def _characters(zone: ZoneInfo) -> int:
    """How many characters of a time tell the day: midnights fall between them.

    Of most zones the hour is enough (13), of those at a half hour ten minutes (15),
    of the few at a quarter the minute (16).
    """
    today = timezone.now()
    offsets = {
        (today - timedelta(days=30 * month)).astimezone(zone).utcoffset()
        for month in range(13)
    }
    minutes = {int((o or timedelta()).total_seconds()) // 60 % 60 for o in offsets}
    if minutes == {0}:
        return 13
    return 15 if all(minute % 10 == 0 for minute in minutes) else 16


def _day(begin: str, zone: ZoneInfo) -> date:
    """Return the day in a zone of the beginning of a time in UTC."""
    full = begin + "0000-00-00 00:00"[len(begin) :]
    return datetime.fromisoformat(f"{full}+00:00").astimezone(zone).date()


def _imported_again(
    project: Project, events: QuerySet[Event], zone: ZoneInfo
) -> list[Change]:
    """Take back what rows that a second import touched would count twice.

    An import does not say which state it leaves: for a row that has an earlier
    event, it is the one that this event names.
    """
    earlier = Event.objects.filter(
        noun=OuterRef("noun"), object_id=OuterRef("object_id"), pk__lt=OuterRef("pk")
    ).exclude(to_state="")
    again = events.filter(Exists(earlier), from_state="", verb="import").annotate(
        left=Subquery(earlier.order_by("-pk").values("to_state")[:1])
    )
    return [
        Change(day, noun, "", left, -n)
        for noun, day, left, _, n in _per_day(again, zone, "left")
    ]


def stages_of(
    project: Project, zone: ZoneInfo, today: date
) -> tuple[StageProgress, ...]:
    """Return the lines of every stage, from the first change until today."""
    changes = changes_of_state(project, zone)
    first = min((change.day for change in changes), default=today)
    days = consecutive(min(first, today), today)[-LONGEST_CHART:]
    return progress(changes, days)


def burn_up_chart(stage: StageProgress) -> Chart:
    """Return the chart of one stage."""
    rule = stage.rule
    return day_chart(
        key=rule.code,
        title=f"{rule.label}: {rule.unit} in all, and {rule.through_as}",
        y_name=rule.unit.capitalize(),
        days=stage.days,
        series=[
            Series("in all", "all", stage.in_all),
            Series(rule.through_as, "through", stage.through),
        ],
    )


@dataclass(frozen=True, slots=True)
class DayLine:
    """One row of the table beside the charts: a day with both numbers of each stage."""

    day: date
    numbers: tuple[tuple[int, int], ...]


def last_days(stages: Sequence[StageProgress], count: int) -> list[DayLine]:
    """Return the last days on which a number changed, newest first."""
    lines = [
        DayLine(day, tuple((s.in_all[n], s.through[n]) for s in stages))
        for n, day in enumerate(stages[0].days)
    ]
    changed = [
        line
        for before, line in zip([None, *lines], lines, strict=False)
        if before is None or before.numbers != line.numbers
    ]
    return changed[::-1][:count]


@dataclass(slots=True)
class PersonRow:
    """What one member has done, what waits for others and what came back."""

    person: User
    membership: Membership
    written: int = 0
    verified: int = 0
    proofread: int = 0
    reviewed: int = 0
    waiting: int = 0
    returned: int = 0
    in_hand: int = 0
    times: dict[str, tuple[int, int | None, int | None]] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Everything that the person has sent."""
        return self.written + self.verified + self.proofread + self.reviewed


# The columns by which an admin may sort; by name unless they ask for another.
SORTS: dict[str, str] = {
    "name": "Name",
    "done": "Done",
    "waiting": "Waiting",
    "returned": "Returned",
    "median": "Median",
}


def people_of(project: Project) -> list[PersonRow]:
    """Return all members, by name, with their figures; ten queries."""
    memberships = project.memberships.select_related("user")
    rows = {m.user_id: PersonRow(m.user, m) for m in memberships}
    for name, found in _figures(project).items():
        for person, n in found:
            if person in rows:
                setattr(rows[person], name, getattr(rows[person], name) + n)
    for person, times in _times(project).items():
        if person in rows:
            rows[person].times = times
    return sorted(
        rows.values(), key=lambda row: (str(row.person).casefold(), row.person.pk)
    )


def _figures(project: Project) -> dict[str, list[tuple[int, int]]]:
    versions = ClaimVersion.objects.filter(claim__project=project, number=1).exclude(
        claim__state=WITHDRAWN
    )
    judged = JudgementVersion.objects.filter(
        judgement__pair__project=project,
        judgement__origin=Judgement.Origin.ANNOTATOR,
        number=1,
    ).exclude(judgement__state=WITHDRAWN)
    reviews = Review.objects.filter(project=project, undone_at=None)
    claims = project.claims.all()
    judgements = Judgement.objects.filter(pair__project=project)
    submitted = {"state": Claim.State.SUBMITTED}
    returned = {"state": Claim.State.CHANGES_REQUESTED}
    return {
        "written": _by(versions, "author"),
        "verified": _by(judged, "author"),
        "proofread": _by(reviews.exclude(claim_version=None), "reviewer"),
        "reviewed": _by(reviews.exclude(judgement_version=None), "reviewer"),
        "waiting": _by(claims.filter(**submitted), "author")
        + _by(judgements.filter(**submitted), "annotator"),
        "returned": _by(claims.filter(**returned), "author")
        + _by(judgements.filter(**returned), "annotator"),
        "in_hand": _by(Lease.objects.filter(project=project), "person"),
    }


def _by(rows: QuerySet[Any], person: str) -> list[tuple[int, int]]:
    return list(
        rows.exclude(**{person: None})
        .order_by()
        .values_list(person)
        .annotate(Count("pk"))
    )


def _times(
    project: Project,
) -> dict[int, dict[str, tuple[int, int | None, int | None]]]:
    """Return n, median and 90th percentile of active seconds: person, stage."""
    found = (
        TaskTime.objects.filter(project=project, active_seconds__isnull=False)
        .order_by()
        .values_list("person", "stage", "active_seconds")
        .annotate(Count("pk"))
    )
    return summarised(found)


def summarised(
    rows: Iterable[tuple[int, str, int, int]],
) -> dict[int, dict[str, tuple[int, int | None, int | None]]]:
    """Fold rows of person, stage, seconds and how often into n, median and p90."""
    histograms: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for person, stage, seconds, n in rows:
        histograms[person, stage].append((seconds, n))
    result: dict[int, dict[str, tuple[int, int | None, int | None]]] = defaultdict(dict)
    for (person, stage), histogram in histograms.items():
        result[person][stage] = (
            sum(n for _, n in histogram),
            percentile(histogram, 0.5),
            percentile(histogram, 0.9),
        )
    return dict(result)


def sorted_people(rows: Sequence[PersonRow], sort: str, stage: str) -> list[PersonRow]:
    """Return the rows in the order that an admin asks for; names decide ties."""
    keys = {
        "done": lambda row: -row.done,
        "waiting": lambda row: -row.waiting,
        "returned": lambda row: -row.returned,
        "median": lambda row: _median(row, stage),
    }
    key = keys.get(sort)
    return sorted(rows, key=key) if key else list(rows)


def _median(row: PersonRow, stage: str) -> tuple[bool, int]:
    median = row.times.get(stage, (0, None, None))[1]
    return median is None, median or 0
