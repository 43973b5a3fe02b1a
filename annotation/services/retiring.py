"""Taking claims and pairs out of the data set, one or many, and bringing them back.

Nothing is deleted. A restored row is in the state that it was retired from, and what
was answered early about a restored claim waits again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model

from annotation.models import Claim, EarlyAnswer, Lease, Pair, Project, Stage
from corpus.events import new_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User

BATCH = 500
RETIRED = "retired"
WAITING, SET_ASIDE = EarlyAnswer.State.WAITING.value, EarlyAnswer.State.SET_ASIDE.value
_PAIR_STAGES = (Stage.VERIFY, Stage.ADJUDICATE)
_CLAIM_STAGES = (Stage.NEGATE, Stage.PROOFREAD)


@dataclass(frozen=True, slots=True)
class _By:
    """In which project who changes rows, and why."""

    project: Project
    actor: User
    why: str


@transaction.atomic
def retire_claim(*, claim: Claim, actor: User, reason: str) -> Claim:
    """Take a claim and its pairs out of the data set; nothing is deleted."""
    retired = retire_claims(
        project=claim.project, claim_ids=[claim.pk], actor=actor, reason=reason
    )
    if not retired:
        raise StaleStateError("This claim has been retired in the meantime.")
    claim.state = Claim.State.RETIRED
    return claim


@transaction.atomic
def retire_claims(
    *, project: Project, claim_ids: Iterable[int], actor: User, reason: str
) -> list[int]:
    """Retire claims with their pairs; returns those that were not retired already."""
    by, done = _By(project, actor, _reason(reason)), []
    for batch in _batches(claim_ids):
        claims = _locked(Claim, project, pk__in=batch)
        _move(claims, RETIRED, by, "retire")
        keys = [claim.pk for claim in claims]
        pairs = _locked(Pair, project, claim__in=keys)
        _move(pairs, RETIRED, by, "retire")
        _drop_leases(_CLAIM_STAGES, keys)
        _drop_leases(_PAIR_STAGES, [pair.pk for pair in pairs])
        _move(_early_answers(keys, WAITING), SET_ASIDE, by, "set_aside")
        done += keys
    return done


@transaction.atomic
def retire_pairs(
    *, project: Project, pair_ids: Iterable[int], actor: User, reason: str
) -> list[int]:
    """Retire pairs; returns those that were not retired already."""
    by, done = _By(project, actor, _reason(reason)), []
    for batch in _batches(pair_ids):
        pairs = _locked(Pair, project, pk__in=batch)
        _move(pairs, RETIRED, by, "retire")
        keys = [pair.pk for pair in pairs]
        _drop_leases(_PAIR_STAGES, keys)
        done += keys
    return done


@transaction.atomic
def restore_claims(
    *, project: Project, claim_ids: Iterable[int], actor: User, reason: str = ""
) -> int:
    """Bring retired claims back, with all that went out along with them."""
    by, count = _By(project, actor, reason), 0
    for batch in _batches(claim_ids):
        claims = list(
            Claim.objects.select_for_update()
            .filter(project=project, pk__in=batch, state=RETIRED)
            .order_by("pk")
        )
        since = _retirements("claim", claims, RETIRED)
        _move(claims, since, by, "restore")
        pairs = list(
            Pair.objects.select_for_update()
            .filter(claim__in=claims, state=RETIRED)
            .order_by("pk")
        )
        pair_events = _retirements("pair", pairs, RETIRED, required=False)
        # What was out before its claim stays out.
        along = [
            pair
            for pair in pairs
            if pair.pk in pair_events
            and pair_events[pair.pk].pk > since[pair.claim_id].pk
        ]
        _move(along, pair_events, by, "restore")
        _restore_early_answers(claims, since, by)
        count += len(claims)
    return count


def _restore_early_answers(
    claims: Sequence[Claim], since: Mapping[int, Event], by: _By
) -> None:
    early = _early_answers([claim.pk for claim in claims], SET_ASIDE)
    events = _retirements("earlyanswer", early, SET_ASIDE, required=False)
    along = [
        answer
        for answer in early
        if answer.pk in events
        and events[answer.pk].pk > since[answer.claim_version.claim_id].pk
    ]
    _move(along, events, by, "restore")


@transaction.atomic
def restore_pairs(
    *, project: Project, pair_ids: Iterable[int], actor: User, reason: str = ""
) -> int:
    """Bring retired pairs back whose claim is in the data set."""
    by, count = _By(project, actor, reason), 0
    for batch in _batches(pair_ids):
        pairs = list(
            Pair.objects.select_for_update(of=("self",))
            .filter(project=project, pk__in=batch, state=RETIRED)
            .exclude(claim__state=RETIRED)
            .order_by("pk")
        )
        _move(pairs, _retirements("pair", pairs, RETIRED), by, "restore")
        count += len(pairs)
    return count


def _reason(reason: str) -> str:
    if not reason.strip():
        raise DomainError("Say why this is taken out of the data set.")
    return reason.strip()


def _batches(keys: Iterable[int]) -> list[list[int]]:
    chosen = list(dict.fromkeys(keys))
    return [chosen[i : i + BATCH] for i in range(0, len(chosen), BATCH)]


def _locked(model: type[Model], project: Project, **which: Any) -> list[Any]:
    rows = model._default_manager.select_for_update().filter(project=project, **which)
    return list(rows.exclude(state=RETIRED).order_by("pk"))


def _early_answers(claim_ids: Sequence[int], state: str) -> list[EarlyAnswer]:
    rows = EarlyAnswer.objects.select_for_update(of=("self",)).filter(
        claim_version__claim__in=claim_ids, state=state
    )
    return list(rows.select_related("claim_version").order_by("pk"))


def _move(
    rows: Sequence[Any], target: str | Mapping[int, Event], by: _By, verb: str
) -> None:
    """Change states with one conditional update for each old and new state.

    ``target`` is the new state, or the events by which rows left theirs, which they
    get back.
    """
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows:
        new = target if isinstance(target, str) else target[row.pk].from_state
        groups[row.state, new].append(row)
    events = []
    for (old, new), members in groups.items():
        model = type(members[0])
        changed = model._default_manager.filter(
            pk__in=[row.pk for row in members], state=old
        ).update(state=new)
        if changed != len(members):
            raise StaleStateError("Some of them have changed in the meantime.")
        for row in members:
            row.state = new
            events.append(
                new_event(
                    noun=str(model._meta.model_name),
                    obj=row,
                    verb=verb,
                    actor=by.actor,
                    project_id=by.project.pk,
                    from_state=old,
                    to_state=new,
                    why=by.why,
                )
            )
    Event.objects.bulk_create(events, batch_size=BATCH)


def _retirements(
    noun: str, rows: Sequence[Any], state: str, *, required: bool = True
) -> dict[int, Event]:
    """Return the event by which each row went out, if a person took it out."""
    found = Event.objects.filter(
        noun=noun, object_id__in=[row.pk for row in rows], to_state=state
    ).order_by("pk")
    last = {event.object_id: event for event in found}
    known = {pk: event for pk, event in last.items() if event.from_state}
    if required and any(row.pk not in known for row in rows):
        raise DomainError(
            "Some of them were taken out by an import, not by hand. Import the right "
            "file instead."
        )
    return known


def _drop_leases(stages: Iterable[Stage], keys: Sequence[int]) -> None:
    Lease.objects.filter(stage__in=list(stages), item_id__in=keys).delete()
