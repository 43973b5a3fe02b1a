"""What the pages of a benchmark show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.http import Http404

from corpus.models import StoredFile, User
from verification.access import BenchmarkAccess
from verification.models import Phase, QuotaSlot
from verification.services.quota import Remaining, limits_of
from verification.services.scoring import gold_files


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase as its benchmark's page lists it.

    ``quota`` is what the reader and their teams have left while it is open.
    """

    phase: Phase
    is_open: bool
    is_closed: bool
    files: list[StoredFile]
    quota: list[Remaining]


def phase_rows(access: BenchmarkAccess, now: datetime) -> list[PhaseRow]:
    """Return the phases in their order, each with its public files and quota."""
    phases = list(
        access.phases().select_related(
            "gold_set__gold", "gold_set__claims", "gold_set__corpus"
        )
    )
    quotas = quotas_of([p for p in phases if p.is_open(now)], access.user, now)
    return [
        PhaseRow(
            phase,
            phase.is_open(now),
            phase.is_closed(now),
            gold_files(phase.gold_set),
            quotas.get(phase.pk, []),
        )
        for phase in phases
    ]


def public_file(access: BenchmarkAccess, token: str, now: datetime) -> StoredFile:
    """Return a public file of a benchmark, else 404."""
    files = [stored for row in phase_rows(access, now) for stored in row.files]
    found = next((stored for stored in files if stored.token == token), None)
    if found is None:
        raise Http404("There is no such file.")
    return found


def quotas_of(
    phases: Sequence[Phase], reader: User | AnonymousUser, now: datetime
) -> dict[int, list[Remaining]]:
    """Return what a reader and their teams have left in each phase, in two queries."""
    if not phases or not isinstance(reader, User):
        return {}
    teams = list(reader.teams.order_by("pk"))
    used = _used_places(phases, reader, [team.pk for team in teams])
    found: dict[int, list[Remaining]] = {}
    for phase in phases:
        limits = [
            limit
            for team in (None, *teams)
            for limit in limits_of(phase, reader, team, now)
        ]
        found[phase.pk] = [
            Remaining(limit, used.get((phase.pk, limit.holder, limit.period), 0))
            for limit in dict.fromkeys(limits)
        ]
    return found


def _used_places(
    phases: Sequence[Phase], reader: User, teams: Sequence[int]
) -> dict[tuple[int, str, str], int]:
    holders = [f"person:{reader.pk}", *(f"team:{pk}" for pk in teams)]
    rows = (
        QuotaSlot.objects.filter(phase__in=phases, holder__in=holders)
        .order_by()
        .values_list("phase", "holder", "period")
        .annotate(Count("pk"))
    )
    return {(phase, holder, period): n for phase, holder, period, n in rows}
