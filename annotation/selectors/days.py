"""What one person did on which day: time, pieces of work, and what came back.

Days are those of the reader's zone. The number of queries does not depend on how
many days or pieces of work there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from annotation import work_hours
from annotation.access import ACTIVE_STATES
from annotation.models import (
    Claim,
    ClaimVersion,
    Judgement,
    JudgementVersion,
    Membership,
    Project,
    Review,
    TaskTime,
    WorkSession,
)
from annotation.models.time import overlaps
from annotation.work_hours import Span
from corpus.models import Event, User

WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work with its words for one and for many."""

    code: str
    one: str
    many: str

    def words(self, count: int) -> str:
        """Return a count with its noun."""
        return f"{count} {self.one if count == 1 else self.many}"


KINDS = (
    Kind("written", "claim", "claims"),
    Kind("negated", "negation", "negations"),
    Kind("verified", "pair", "pairs"),
    Kind("answered", "answer to a reviewer", "answers to reviewers"),
    Kind("proofread", "claim proofread", "claims proofread"),
    Kind("reviewed", "judgement reviewed", "judgements reviewed"),
    Kind("skipped", "skipped", "skipped"),
)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session with the time of it that lies in the window."""

    session: WorkSession
    start: datetime
    end: datetime
    seconds: int
    break_seconds: int
    measured_start: datetime
    measured_end: datetime
    measured_seconds: int
    is_forgotten: bool


@dataclass(frozen=True, slots=True)
class Day:
    """One day of one person."""

    day: date
    seconds: int
    counts: Mapping[str, int]
    came_back: int

    @property
    def pieces(self) -> list[str]:
        """What was done, in words; nothing for what did not happen."""
        return [
            kind.words(self.counts[kind.code])
            for kind in KINDS
            if self.counts.get(kind.code)
        ]

    @property
    def cells(self) -> list[int]:
        """The counts in the order of ``KINDS``, for tables."""
        return [self.counts.get(kind.code, 0) for kind in KINDS]


@dataclass(frozen=True, slots=True)
class Returned:
    """Work of the person that waits for an answer in one project."""

    project: Project
    claims: int
    judgements: int

    @property
    def total(self) -> int:
        """Claims and judgements together."""
        return self.claims + self.judgements


def sessions_in(sessions: QuerySet[WorkSession], window: Span) -> list[WorkSession]:
    """Return the sessions with time in a window, oldest first."""
    found = sessions.filter(overlaps(window)).select_related("project", "person")
    return list(found.order_by("started_at", "pk"))


def session_row(session: WorkSession, window: Span, now: datetime) -> SessionRow | None:
    """Return the part of a session in a window; ``None`` if it has no time there."""
    measured = work_hours.clipped(session.measured_spans(now), window)
    counted = work_hours.clipped(session.spans(now), window)
    if not counted and not measured:
        return None
    shown = counted or measured
    start, end = shown[0].start, shown[-1].end
    seconds = work_hours.total_seconds(counted)
    return SessionRow(
        session=session,
        start=start,
        end=end,
        seconds=seconds,
        break_seconds=Span(start, end).seconds - seconds if counted else 0,
        measured_start=measured[0].start if measured else session.started_at,
        measured_end=measured[-1].end if measured else session.measured_end(now),
        measured_seconds=work_hours.total_seconds(measured),
        is_forgotten=session.closed == WorkSession.Closed.FORGOTTEN
        or session.is_forgotten(now),
    )


def session_rows(
    sessions: Iterable[WorkSession], window: Span, now: datetime
) -> list[SessionRow]:
    """Return the parts of sessions in a window, without those that have none."""
    rows = (session_row(session, window, now) for session in sessions)
    return [row for row in rows if row is not None]


def days_of(
    user: User,
    days: Sequence[date],
    zone: ZoneInfo,
    sessions: Iterable[WorkSession],
    now: datetime,
) -> list[Day]:
    """Return what a person did on each of consecutive days."""
    window = work_hours.days_span(days, zone)
    spans = [span for session in sessions for span in session.spans(now)]
    seconds = work_hours.seconds_per_day(spans, days, zone)
    counts = _counts(user, window, zone)
    came_back = _per_day(_requests_for_changes(user), "created_at", window, zone)
    return [
        Day(
            day=day,
            seconds=seconds[day],
            counts={kind.code: counts[kind.code][day] for kind in KINDS},
            came_back=came_back[day],
        )
        for day in days
    ]


def _counts(user: User, window: Span, zone: ZoneInfo) -> dict[str, Counter[date]]:
    # What somebody took back a moment later was no piece of work.
    first = ClaimVersion.objects.filter(author=user, number=1).exclude(
        claim__state=WITHDRAWN
    )
    reviews = Review.objects.filter(reviewer=user, undone_at=None)
    answers = Counter[date]()
    for rows in (
        ClaimVersion.objects.filter(author=user, number__gt=1, claim__author=user),
        JudgementVersion.objects.filter(
            author=user, number__gt=1, judgement__annotator=user
        ),
    ):
        answers += _per_day(rows, "created_at", window, zone)
    return {
        "written": _per_day(
            first.filter(claim__negates=None), "created_at", window, zone
        ),
        "negated": _per_day(
            first.exclude(claim__negates=None), "created_at", window, zone
        ),
        "verified": _per_day(
            JudgementVersion.objects.filter(author=user, number=1).exclude(
                judgement__state=WITHDRAWN
            ),
            "created_at",
            window,
            zone,
        ),
        "answered": answers,
        "proofread": _per_day(
            reviews.exclude(claim_version=None), "created_at", window, zone
        ),
        "reviewed": _per_day(
            reviews.exclude(judgement_version=None), "created_at", window, zone
        ),
        "skipped": _per_day(
            Event.objects.filter(actor=user, verb="skip"), "at", window, zone
        ),
    }


def _per_day(
    rows: QuerySet[Any], at: str, window: Span, zone: ZoneInfo
) -> Counter[date]:
    """Count rows per day of a zone, in one query."""
    found = (
        rows.filter(**{f"{at}__gte": window.start, f"{at}__lt": window.end})
        .order_by()
        .annotate(day=TruncDate(at, tzinfo=zone))
        .values_list("day")
        .annotate(Count("pk"))
    )
    return Counter(dict(found))


def _requests_for_changes(user: User) -> QuerySet[Review]:
    mine = Q(claim_version__claim__author=user)
    mine |= Q(judgement_version__judgement__annotator=user)
    return Review.objects.filter(
        mine, decision=Review.Decision.REQUEST_CHANGES, undone_at=None
    )


def returned_now(user: User) -> list[Returned]:
    """Return what waits for the person's answer, by project."""
    claims = _waiting(
        Claim.objects.filter(author=user, state=Claim.State.CHANGES_REQUESTED),
        "project",
    )
    judgements = _waiting(
        Judgement.objects.filter(
            annotator=user, state=Judgement.State.CHANGES_REQUESTED
        ),
        "pair__project",
    )
    projects = (
        Project.objects.filter(
            pk__in={*claims, *judgements},
            archived_at=None,
            memberships__user=user,
            memberships__state__in=ACTIVE_STATES,
        )
        .order_by("name")
        .distinct()
    )
    return [
        Returned(project, claims.get(project.pk, 0), judgements.get(project.pk, 0))
        for project in projects
    ]


def _waiting(rows: QuerySet[Any], project: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(project).annotate(Count("pk")))


def projects_to_work_in(user: User) -> list[Project]:
    """Return the projects in which the person may start to work, by name."""
    memberships = Membership.objects.filter(
        user=user, state__in=ACTIVE_STATES, project__archived_at=None
    )
    found = memberships.select_related("project").order_by("project__name")
    return [m.project for m in found if m.stages]


def active_times(user: User, window: Span) -> list[tuple[str, int, int | None]]:
    """Return stage, pieces and active seconds that the pages have measured."""
    found = (
        TaskTime.objects.filter(person=user, at__gte=window.start, at__lt=window.end)
        .order_by("stage")
        .values_list("stage")
        .annotate(n=Count("pk"), seconds=Sum("active_seconds"))
    )
    return [(TaskTime.Kind(stage).label, n, s) for stage, n, s in found]
