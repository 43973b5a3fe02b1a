"""Places in a quota: the database gives each once, however many ask at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from corpus.exceptions import DomainError
from corpus.models import User
from verification.models import Phase, QuotaSlot, Submission, Team

ALL = "all"


class QuotaExhaustedError(DomainError):
    """No place is left; ``free_at`` says when the next day begins, if that helps."""

    def __init__(self, message: str, free_at: datetime | None) -> None:
        super().__init__(message)
        self.free_at = free_at


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit that a submission counts against."""

    holder: str
    period: str
    most: int
    whose: str

    @property
    def is_daily(self) -> bool:
        """Whether the limit begins anew at midnight, UTC."""
        return self.period != ALL


@dataclass(frozen=True, slots=True)
class Remaining:
    """How much of one limit is left."""

    limit: Limit
    used: int

    @property
    def left(self) -> int:
        """How many more submissions it allows."""
        return max(0, self.limit.most - self.used)


def limits_of(
    phase: Phase, person: User, team: Team | None, now: datetime
) -> list[Limit]:
    """Return the limits that a submission by this person and team counts against."""
    return list(_limits(phase, person, team, now))


def _limits(
    phase: Phase, person: User, team: Team | None, now: datetime
) -> Iterator[Limit]:
    today = now.astimezone(UTC).date().isoformat()
    mine = f"person:{person.pk}"
    yield Limit(mine, today, phase.daily_per_person, "you")
    if phase.total_per_person is not None:
        yield Limit(mine, ALL, phase.total_per_person, "you")
    if team is None:
        return
    ours, name = f"team:{team.pk}", f"the team “{team.name}”"
    yield Limit(ours, today, phase.daily_per_team, name)
    if phase.total_per_team is not None:
        yield Limit(ours, ALL, phase.total_per_team, name)


def remaining(
    phase: Phase, person: User, team: Team | None, now: datetime
) -> list[Remaining]:
    """Return how much of each limit is left."""
    return remaining_of(phase, limits_of(phase, person, team, now))


def remaining_of(phase: Phase, limits: Sequence[Limit]) -> list[Remaining]:
    """Return how much of some limits is left; one query however many they are."""
    slots = QuotaSlot.objects.filter(
        phase=phase,
        holder__in={limit.holder for limit in limits},
        period__in={limit.period for limit in limits},
    )
    used = Counter(slots.values_list("holder", "period"))
    return [Remaining(limit, used[limit.holder, limit.period]) for limit in limits]


def next_day(now: datetime) -> datetime:
    """Return when daily limits begin anew: the next midnight, UTC."""
    tomorrow = now.astimezone(UTC).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), tzinfo=UTC)


def take_places(*, submission: Submission, now: datetime) -> None:
    """Take one place of each limit; ``QuotaExhaustedError`` if one has none left.

    The caller is in a transaction, which a refusal must roll back.
    """
    phase = submission.phase
    for limit in limits_of(phase, submission.submitter, submission.team, now):
        _take(submission, limit, now)


def _take(submission: Submission, limit: Limit, now: datetime) -> None:
    for _ in range(limit.most + 1):
        taken = set(_places(submission.phase, limit).values_list("number", flat=True))
        free = [number for number in range(limit.most) if number not in taken]
        if not free:
            raise _exhausted(limit, now)
        if _insert(submission, limit, free[0]):
            return
    raise _exhausted(limit, now)


def _insert(submission: Submission, limit: Limit, number: int) -> bool:
    """Take one place; False if somebody was faster. The unique place decides."""
    try:
        with transaction.atomic():
            QuotaSlot.objects.create(
                phase=submission.phase,
                submission=submission,
                holder=limit.holder,
                period=limit.period,
                number=number,
            )
    except IntegrityError:
        return False
    return True


def _places(phase: Phase, limit: Limit) -> QuerySet[QuotaSlot]:
    return QuotaSlot.objects.filter(
        phase=phase, holder=limit.holder, period=limit.period
    )


def _exhausted(limit: Limit, now: datetime) -> QuotaExhaustedError:
    whose = "You have" if limit.whose == "you" else f"{_capital(limit.whose)} has"
    if not limit.is_daily:
        message = f"{whose} no submission left in this phase: {limit.most} in all."
        return QuotaExhaustedError(message, None)
    message = (
        f"{whose} no submission left for today: {limit.most} a day. The next day "
        "begins at 00:00 UTC."
    )
    return QuotaExhaustedError(message, next_day(now))


def give_back(*, submission: Submission) -> int:
    """Give the places of a submission back; returns how many. In a transaction."""
    return submission.quota_slots.all().delete()[0]


def _capital(words: str) -> str:
    """Return words with the first letter large and the others as they are."""
    return words[:1].upper() + words[1:]
