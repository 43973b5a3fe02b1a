"""Benchmarks: how they start, their words, announcements and organisers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import User
from verification.models import Announcement, Benchmark, Phase
from verification.organiser_links import benchmark_of, organiser_keys
from verification.services.gold import (
    CheckedGold,
    GoldFiles,
    Scoring,
    keep_gold_set,
)

RESERVED_SLUGS = frozenset({"new"})


@dataclass(frozen=True, slots=True)
class About:
    """What people read about a benchmark, and who they are."""

    name: str
    description: str
    visibility: str


def require_free_name(about: About) -> None:
    """Refuse a name that another benchmark has, before anything is checked."""
    if Benchmark.objects.filter(name=about.name.strip()).exists():
        raise _name_taken()


@transaction.atomic
def keep_benchmark(
    *,
    about: About,
    scoring: Scoring,
    files: GoldFiles,
    checked: CheckedGold,
    organiser: User,
    **gold: Any,
) -> Benchmark:
    """Make a benchmark with gold that was checked."""
    benchmark = create_benchmark(
        name=about.name,
        description=about.description,
        scoring=scoring,
        visibility=about.visibility,
        organiser=organiser,
    )
    keep_gold_set(files, scoring, checked, owner=organiser, benchmark=benchmark, **gold)
    return benchmark


@transaction.atomic
def create_benchmark(
    *,
    name: str,
    description: str,
    scoring: Scoring,
    visibility: str,
    organiser: User,
    is_demo: bool = False,
) -> Benchmark:
    """Make a benchmark without phases, organised by whoever makes it."""
    benchmark = Benchmark(
        slug=_free_slug(name),
        name=name.strip(),
        description=description,
        task=scoring.task,
        profile=scoring.profile,
        setting=scoring.setting,
        primary_metric=scoring.primary_metric,
        visibility=visibility,
        is_demo=is_demo,
    )
    try:
        with transaction.atomic():
            benchmark.save()
    except IntegrityError:
        raise _name_taken() from None
    benchmark.organisers.add(organiser)
    record_event(
        noun="benchmark",
        obj=benchmark,
        verb="create",
        actor=organiser,
        fields=column_values(benchmark) | {"organisers": [organiser.pk]},
    )
    return benchmark


def _name_taken() -> DomainError:
    return DomainError("There is a benchmark of this name already.")


@transaction.atomic
def change_benchmark(
    *, benchmark: Benchmark, organiser: User, about: About
) -> Benchmark:
    """Give a benchmark new words or other readers; its address stays."""
    locked = locked_benchmark(benchmark)
    wanted = {
        "name": about.name.strip(),
        "description": about.description,
        "visibility": about.visibility,
    }
    changed, was = set_differences(locked, wanted)
    if not changed:
        return locked
    try:
        with transaction.atomic():
            locked.save(update_fields=list(changed))
    except IntegrityError:
        raise _name_taken() from None
    record_event(
        noun="benchmark",
        obj=locked,
        verb="change",
        actor=organiser,
        fields=changed,
        was=was,
    )
    return locked


def locked_benchmark(benchmark: Benchmark) -> Benchmark:
    """Return the row for a change; whoever asks second waits for the first."""
    return Benchmark.objects.select_for_update().get(pk=benchmark.pk)


def set_differences(
    row: Benchmark | Phase, wanted: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set what differs on a row; return the new values and the old ones."""
    was = {name: getattr(row, name) for name in wanted}
    changed = {name: value for name, value in wanted.items() if value != was[name]}
    for name, value in changed.items():
        setattr(row, name, value)
    return changed, {name: was[name] for name in changed}


def _free_slug(name: str) -> str:
    base = slugify(name)[:120] or "benchmark"
    taken = set(
        Benchmark.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    )
    taken |= RESERVED_SLUGS
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (base, *numbered) if slug not in taken)


@transaction.atomic
def announce(*, benchmark: Benchmark, organiser: User, text: str) -> Announcement:
    """Tell everybody who sees the benchmark something."""
    if not text.strip():
        raise DomainError("Write something first.")
    said = Announcement.objects.create(
        benchmark=benchmark, author=organiser, text=text.strip()
    )
    record_event(
        noun="announcement",
        obj=said,
        verb="create",
        actor=organiser,
        fields=column_values(said),
    )
    return said


@transaction.atomic
def add_organiser(*, token: str, person: User) -> Benchmark:
    """Let whoever opened an organisers' link organise the benchmark too."""
    found = benchmark_of(token)
    if found is not None:
        # Whoever opens it at the same time waits, and comes too late.
        locked_benchmark(found)
        found = benchmark_of(token)
    if found is None:
        raise DomainError("This link does not work any more. Ask for a new one.")
    if not found.organisers.filter(pk=person.pk).exists():
        found.organisers.add(person)
        _record_organisers(found, "add_organiser", person)
    return found


@transaction.atomic
def remove_organiser(*, benchmark: Benchmark, organiser: User, person: User) -> None:
    """Take the organiser's part from somebody; somebody who can act always stays."""
    locked = locked_benchmark(benchmark)
    others = locked.organisers.filter(is_active=True).exclude(pk=person.pk)
    if not others.exists():
        raise DomainError("A benchmark always has an organiser. Add another one first.")
    locked.organisers.remove(person)
    _record_organisers(locked, "remove_organiser", organiser)


def _record_organisers(benchmark: Benchmark, verb: str, actor: User) -> None:
    fields = {"organisers": organiser_keys(benchmark)}
    record_event(noun="benchmark", obj=benchmark, verb=verb, actor=actor, fields=fields)
