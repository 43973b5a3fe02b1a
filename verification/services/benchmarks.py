"""What organisers do: gold sets, benchmarks, phases and announcements."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.text import slugify

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.files import store_path
from corpus.models import StoredFile, User
from verification.models import Announcement, Benchmark, GoldSet, Phase
from verification.organiser_links import benchmark_of, organiser_keys
from verification.predictions import source_of
from verification.public_claims import answers_in, public_claims
from verification.scoring.findings import Finding
from verification.scoring.reading import Source
from verification.scoring.service import Outcome, score, validate
from verification.scoring.tasks import Request
from verification.services.scoring import stored_source
from verification.trivial import empty_predictions

OVERALL_LIMIT = 10
"""The default number of submissions in all where the gold is hidden."""
GOLD_LIMIT = 128 * 1024 * 1024
"""So many bytes of gold can be scored, unpacked: gold is held in memory."""
RESERVED_SLUGS = frozenset({"new"})
LIMITS = (
    "daily_per_person",
    "total_per_person",
    "daily_per_team",
    "total_per_team",
)


class GoldRefusedError(DomainError):
    """Files that cannot be gold; ``errors`` says why, line by line."""

    def __init__(self, errors: Sequence[Finding]) -> None:
        count = "1 error was" if len(errors) == 1 else f"{len(errors):,} errors were"
        super().__init__(f"This gold cannot be scored: {count} found.")
        self.errors = list(errors)


@dataclass(frozen=True, slots=True)
class GoldFiles:
    """The files of a gold set; ``claims`` is derived from the gold where missing."""

    gold: StoredFile
    corpus: StoredFile | None = None
    claims: StoredFile | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a benchmark scores."""

    task: str
    profile: str
    setting: str
    primary_metric: str


@dataclass(frozen=True, slots=True)
class About:
    """What people read about a benchmark, and who they are."""

    name: str
    description: str
    visibility: str


def scoring_of(benchmark: Benchmark) -> Scoring:
    """Return how a benchmark scores."""
    return Scoring(
        benchmark.task,
        benchmark.profile,
        benchmark.setting,
        benchmark.primary_metric,
    )


def create_gold_set(
    *,
    files: GoldFiles,
    scoring: Scoring,
    owner: User,
    name: str,
    split: str = "",
    is_hidden: bool = True,
    benchmark: Benchmark | None = None,
) -> GoldSet:
    """Keep gold that the scorer can score, and make the public file of its claims.

    ``GoldRefusedError`` with all errors otherwise. Not to be called inside a
    transaction: the file of the claims is stored first.
    """
    checked = _checked(files, scoring, owner, is_hidden)
    return _keep_gold_set(
        files,
        scoring,
        checked,
        owner=owner,
        name=name,
        split=split,
        is_hidden=is_hidden,
        benchmark=benchmark,
    )


@dataclass(frozen=True, slots=True)
class _Checked:
    n_claims: int
    claims: StoredFile


@transaction.atomic
def _keep_gold_set(
    files: GoldFiles, scoring: Scoring, checked: _Checked, **about: Any
) -> GoldSet:
    gold_set = GoldSet.objects.create(
        task=scoring.task,
        gold=files.gold,
        corpus=files.corpus,
        claims=checked.claims,
        n_claims=checked.n_claims,
        **about,
    )
    _record(
        "gold_set",
        gold_set,
        "create",
        gold_set.owner,
        fields=column_values(gold_set),
    )
    return gold_set


def _checked(
    files: GoldFiles, scoring: Scoring, owner: User, is_hidden: bool
) -> _Checked:
    """Return the number of claims and their public file, if all is well."""
    gold = gold_source(files.gold)
    with tempfile.TemporaryDirectory(prefix="claimdesk-gold-") as folder:
        path = Path(folder) / "predictions"
        path.write_bytes(b"".join(empty_predictions(scoring.task, gold)))
        nothing = Source.of_path(path)
        n_claims = _scored(files, scoring, gold, nothing)
        if files.claims is not None:
            _require_public(files.claims, scoring, nothing, is_hidden)
    claims = files.claims or _derived_claims(gold, scoring, owner)
    return _Checked(n_claims, claims)


def gold_source(stored: StoredFile) -> Source:
    """Return stored gold as the scorer reads it, up to ``GOLD_LIMIT`` bytes."""
    if stored.size > GOLD_LIMIT:
        raise DomainError(
            f"{stored.name} is too large to be gold: at most "
            f"{GOLD_LIMIT // (1024 * 1024)} MB can be scored."
        )
    return source_of(stored.name, stored_source(stored).open, GOLD_LIMIT)


def _scored(files: GoldFiles, scoring: Scoring, gold: Source, nothing: Source) -> int:
    """Score empty predictions: whatever is wrong then is wrong with the gold."""
    outcome = score(
        scoring.task,
        Request(
            predictions=nothing,
            gold=gold,
            corpus=stored_source(files.corpus) if files.corpus else None,
            profile=scoring.profile,
        ),
    )
    ours = [error for error in outcome.errors if error.file != nothing.name]
    if ours or outcome.score is None:
        raise GoldRefusedError(ours or outcome.errors)
    names = measures_of(outcome)
    if scoring.primary_metric not in names:
        raise DomainError(
            f"This task has no measure “{scoring.primary_metric}”. It has: "
            f"{', '.join(names)}."
        )
    return len(outcome.score.claim_ids)


def _require_public(
    stored: StoredFile, scoring: Scoring, nothing: Source, is_hidden: bool
) -> None:
    """Refuse a file of claims that lacks some, has others, or gives answers away."""
    claims = gold_source(stored)
    outcome = validate(scoring.task, Request(predictions=nothing, gold=claims))
    errors = [_about_claims(error, nothing, claims) for error in outcome.errors]
    if is_hidden:
        errors += answers_in(scoring.task, claims, scoring.setting)
    if errors:
        raise GoldRefusedError(errors)


def _about_claims(error: Finding, nothing: Source, claims: Source) -> Finding:
    """Say of the file of claims what was found in answers to the gold's claims."""
    if error.file != nothing.name:
        return error
    return Finding(
        claims.name,
        None,
        error.claim_id,
        "The claims of this file and of the gold are not the same: this one is only "
        "in one of them.",
    )


def measures_of(outcome: Outcome) -> list[str]:
    """Return the dotted names of the measures that a score can be resampled in."""
    found = outcome.score
    if found is None or found.measure is None:
        return []
    import numpy as np  # not needed by the web process otherwise

    return list(found.measure(np.ones((1, len(found.claim_ids)))))


def _derived_claims(gold: Source, scoring: Scoring, owner: User) -> StoredFile:
    suffix = ".csv" if scoring.task == "core" else ".jsonl"
    with tempfile.TemporaryDirectory(prefix="claimdesk-claims-") as folder:
        path = Path(folder) / f"claims{suffix}"
        with path.open("wb") as file:
            file.writelines(public_claims(scoring.task, gold, scoring.setting))
        return store_path(path=path, name=path.name, owner=owner)


def start_benchmark(
    *,
    about: About,
    scoring: Scoring,
    files: GoldFiles,
    split: str,
    is_hidden: bool,
    organiser: User,
) -> Benchmark:
    """Make a benchmark with its first gold set: both, or neither.

    ``GoldRefusedError`` with all errors of the gold. Not to be called inside a
    transaction.
    """
    if Benchmark.objects.filter(name=about.name.strip()).exists():
        raise _name_taken()
    checked = _checked(files, scoring, organiser, is_hidden)
    with transaction.atomic():
        benchmark = create_benchmark(
            name=about.name,
            description=about.description,
            scoring=scoring,
            visibility=about.visibility,
            organiser=organiser,
        )
        _keep_gold_set(
            files,
            scoring,
            checked,
            owner=organiser,
            name=files.gold.name[:120],
            split=split,
            is_hidden=is_hidden,
            benchmark=benchmark,
        )
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
    _record(
        "benchmark",
        benchmark,
        "create",
        organiser,
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
    locked = _locked(benchmark)
    wanted = {
        "name": about.name.strip(),
        "description": about.description,
        "visibility": about.visibility,
    }
    changed, was = _differences(locked, wanted)
    if not changed:
        return locked
    try:
        with transaction.atomic():
            locked.save(update_fields=list(changed))
    except IntegrityError:
        raise _name_taken() from None
    _record("benchmark", locked, "change", organiser, fields=changed, was=was)
    return locked


def _locked(benchmark: Benchmark) -> Benchmark:
    """Return the row for a change; whoever asks second waits for the first."""
    return Benchmark.objects.select_for_update().get(pk=benchmark.pk)


def _differences(
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
    locked = _locked(benchmark)
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
    _record("phase", phase, "create", organiser, fields=column_values(phase))
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
    changed, was = _differences(locked, wanted)
    if changed:
        locked.save(update_fields=list(changed))
        _record("phase", locked, "change", organiser, fields=changed, was=was)
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
    _locked(phase.benchmark)
    locked = _locked_phase(phase)
    if not why.strip():
        raise DomainError("Say why the deadline moves: everybody reads it.")
    _require_movable(locked, closes_at, timezone.now())
    was, locked.closes_at = locked.closes_at, closes_at
    if was == closes_at:
        return locked
    _require_apart(locked)
    locked.save(update_fields=["closes_at"])
    _record(
        "phase",
        locked,
        "change_deadline",
        organiser,
        why=why.strip(),
        fields={"closes_at": _iso(closes_at)},
        was={"closes_at": _iso(was)},
    )
    return locked


@transaction.atomic
def change_opening(
    *, phase: Phase, organiser: User, opens_at: datetime | None, why: str
) -> Phase:
    """Move the opening of a phase that has not opened; the reason is kept and shown.

    Without a time it opens at once.
    """
    _locked(phase.benchmark)
    locked = _locked_phase(phase)
    if not why.strip():
        raise DomainError("Say why the opening moves: everybody reads it.")
    now = timezone.now()
    if locked.opens_at <= now:
        raise DomainError("This phase has opened already: its opening stays.")
    opens_at = opens_at or now
    _require_ahead(opens_at, now)
    _require_order(opens_at, locked.closes_at)
    was, locked.opens_at = locked.opens_at, opens_at
    if was == opens_at:
        return locked
    _require_apart(locked)
    locked.save(update_fields=["opens_at"])
    _record(
        "phase",
        locked,
        "change_opening",
        organiser,
        why=why.strip(),
        fields={"opens_at": _iso(opens_at)},
        was={"opens_at": _iso(was)},
    )
    return locked


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


@transaction.atomic
def announce(*, benchmark: Benchmark, organiser: User, text: str) -> Announcement:
    """Tell everybody who sees the benchmark something."""
    if not text.strip():
        raise DomainError("Write something first.")
    said = Announcement.objects.create(
        benchmark=benchmark, author=organiser, text=text.strip()
    )
    _record("announcement", said, "create", organiser, fields=column_values(said))
    return said


@transaction.atomic
def add_organiser(*, token: str, person: User) -> Benchmark:
    """Let whoever opened an organisers' link organise the benchmark too."""
    found = benchmark_of(token)
    if found is not None:
        _locked(found)  # whoever opens it at the same time waits, and comes too late
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
    locked = _locked(benchmark)
    others = locked.organisers.filter(is_active=True).exclude(pk=person.pk)
    if not others.exists():
        raise DomainError("A benchmark always has an organiser. Add another one first.")
    locked.organisers.remove(person)
    _record_organisers(locked, "remove_organiser", organiser)


def _record_organisers(benchmark: Benchmark, verb: str, actor: User) -> None:
    fields = {"organisers": organiser_keys(benchmark)}
    _record("benchmark", benchmark, verb, actor, fields=fields)


def _record(noun: str, obj: Any, verb: str, actor: User, **values: Any) -> None:
    record_event(noun=noun, obj=obj, verb=verb, actor=actor, **values)
