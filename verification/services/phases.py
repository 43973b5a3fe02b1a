"""Phases: when a benchmark takes submissions, how many, and what is shown."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import User
from verification.models import Benchmark, GoldSet, Phase
from verification.services.benchmarks import locked_benchmark, set_differences

OVERALL_LIMIT = 10
"""The default number of submissions in all where the gold is hidden."""
LIMITS = (
    "daily_per_person",
    "total_per_person",
    "daily_per_team",
    "total_per_team",
)


@transaction.atomic
def add_phase(
    *,
    benchmark: Benchmark,
    gold_set: GoldSet,
    organiser: User,
    kind: str,
    name: str,
    shows: str,
    opens_at: datetime,
    closes_at: datetime | None,
    **limits: int | None,
) -> Phase:
    """Add a phase after the others.

    What is hidden is never shown claim by claim while the phase is open, and has at
    most ten submissions in all unless the organiser says otherwise.
    """
    locked = locked_benchmark(benchmark)
    _require_of_benchmark(locked, gold_set)
    _require_hidden(gold_set, shows)
    _require_order(opens_at, closes_at)
    if gold_set.is_hidden:
        limits.setdefault("total_per_person", OVERALL_LIMIT)
        limits.setdefault("total_per_team", OVERALL_LIMIT)
    phase = Phase(
        benchmark=locked,
        number=locked.phases.count() + 1,
        kind=kind,
        name=name.strip(),
        gold_set=gold_set,
        shows=shows,
        opens_at=opens_at,
        closes_at=closes_at,
        **limits,
    )
    _require_apart(phase)
    phase.save()
    record_event(
        noun="phase",
        obj=phase,
        verb="create",
        actor=organiser,
        fields=column_values(phase),
    )
    return phase


def _require_of_benchmark(benchmark: Benchmark, gold_set: GoldSet) -> None:
    if benchmark.task != gold_set.task:
        raise DomainError("This gold was made for another task.")
    if gold_set.benchmark_id not in {None, benchmark.pk}:
        raise DomainError("This gold belongs to another benchmark.")


def _require_hidden(gold_set: GoldSet, shows: str) -> None:
    if gold_set.is_hidden and shows == Phase.Shows.EVERYTHING:
        raise DomainError(
            "Slices and errors would give hidden gold away before the phase closes. "
            "Show overall measures, or nothing."
        )


def _require_order(opens_at: datetime, closes_at: datetime | None) -> None:
    if closes_at is not None and closes_at <= opens_at:
        raise DomainError("The phase would close before it opens.")


def _require_apart(phase: Phase) -> None:
    """Keep the phases of hidden gold apart in time.

    A phase that closes shows everything about its gold; one that runs beside it, or
    comes afterwards and is not said to be late, would be scored on gold that is known.
    """
    if not phase.gold_set.is_hidden:
        return
    others = phase.gold_set.phases.exclude(pk=phase.pk)
    closes_later = Q(closes_at=None) | Q(closes_at__gt=phase.opens_at)
    begins_before = Q(opens_at__lt=phase.closes_at) if phase.closes_at else Q()
    if beside := others.filter(closes_later, begins_before).first():
        raise DomainError(
            f"The hidden gold serves the phase “{beside}” at the same time: what one "
            "of them shows, the other would give away. Choose other dates, or "
            "another gold set."
        )
    is_late = phase.kind == Phase.Kind.LATE
    if not is_late and others.filter(closes_at__lte=phase.opens_at).exists():
        raise DomainError(
            "This gold is known by then: an earlier phase with it has closed. Choose "
            "“after the deadline” as the kind, or another gold set."
        )
    if phase.closes_at is None:
        return
    follows = others.exclude(kind=Phase.Kind.LATE).filter(opens_at__gte=phase.closes_at)
    if known := follows.first():
        raise DomainError(
            f"The phase “{known}” opens later with the same hidden gold, which would "
            "be known by then. Choose another gold set for one of them."
        )


@transaction.atomic
def change_phase(
    *, phase: Phase, organiser: User, name: str, shows: str, **limits: int | None
) -> Phase:
    """Change what a phase is called and shows, and how often one may submit.

    Places that are taken stay taken.
    """
    locked = _locked_phase(phase)
    _require_hidden(locked.gold_set, shows)
    wanted = {"name": name.strip(), "shows": shows, **limits}
    changed, was = set_differences(locked, wanted)
    if changed:
        locked.save(update_fields=list(changed))
        record_event(
            noun="phase",
            obj=locked,
            verb="change",
            actor=organiser,
            fields=changed,
            was=was,
        )
    return locked


def _locked_phase(phase: Phase) -> Phase:
    return (
        Phase.objects.select_for_update(of=("self",))
        .select_related("gold_set", "benchmark")
        .get(pk=phase.pk)
    )


@transaction.atomic
def change_deadline(
    *, phase: Phase, organiser: User, closes_at: datetime | None, why: str
) -> Phase:
    """Move a deadline; the old one and the reason are kept and shown.

    A phase of hidden gold that has closed stays closed: everything was shown.
    """
    locked = _locked_to_move(phase, why, "deadline")
    _require_movable(locked, closes_at, timezone.now())
    return _move(locked, "closes_at", closes_at, "change_deadline", organiser, why)


@transaction.atomic
def change_opening(
    *, phase: Phase, organiser: User, opens_at: datetime | None, why: str
) -> Phase:
    """Move the opening of a phase that has not opened; the reason is kept and shown.

    Without a time it opens at once.
    """
    locked = _locked_to_move(phase, why, "opening")
    now = timezone.now()
    if locked.opens_at <= now:
        raise DomainError("This phase has opened already: its opening stays.")
    opens_at = opens_at or now
    _require_ahead(opens_at, now)
    _require_order(opens_at, locked.closes_at)
    return _move(locked, "opens_at", opens_at, "change_opening", organiser, why)


def _locked_to_move(phase: Phase, why: str, what: str) -> Phase:
    """Lock the phase and its benchmark, whose other phases it must keep clear of."""
    locked_benchmark(phase.benchmark)
    locked = _locked_phase(phase)
    if not why.strip():
        raise DomainError(f"Say why the {what} moves: everybody reads it.")
    return locked


def _move(
    phase: Phase, field: str, at: datetime | None, verb: str, organiser: User, why: str
) -> Phase:
    """Give one end of a locked phase another time, unless it has it."""
    was = getattr(phase, field)
    if was == at:
        return phase
    setattr(phase, field, at)
    _require_apart(phase)
    phase.save(update_fields=[field])
    record_event(
        noun="phase",
        obj=phase,
        verb=verb,
        actor=organiser,
        why=why.strip(),
        fields={field: _iso(at)},
        was={field: _iso(was)},
    )
    return phase


def _require_ahead(at: datetime, now: datetime) -> None:
    if at < now:
        raise DomainError("This moment has passed. Choose one that comes.")


def _require_movable(phase: Phase, closes_at: datetime | None, now: datetime) -> None:
    _require_order(phase.opens_at, closes_at)
    if closes_at is not None:
        _require_ahead(closes_at, now)
    if phase.gold_set.is_hidden and phase.is_closed(now):
        raise DomainError(
            "This phase has closed, and everything about its gold was shown since. "
            "Add a phase “after the deadline” for later submissions."
        )


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
