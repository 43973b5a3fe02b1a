"""Handing out work: one item, one person for each slot, for as long as they work.

Leases are written without events: they say who has what in front of them, and are
gone with the work. What an admin takes away, and what people leave to others, is
recorded.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, F, Model, QuerySet, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from annotation.access import ProjectAccess
from annotation.models import Lease, Membership, Notice, Project, Skip, Source, Stage
from annotation.selectors import queue
from annotation.services.notices import notify
from annotation.services.slots import (
    HELD,
    drop_leases,
    expiry,
    free_slot,
    insert_lease,
)
from annotation.services.sources import skip_source
from annotation.services.work_time import note_activity
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User

__all__ = [
    "drop_leases",
    "record_lease",
    "release_lease",
    "renew_lease",
    "restore_lease",
    "skip_item",
    "take_away",
    "take_item",
    "take_next",
    "unskip_item",
]

# Between looking and locking, others may be faster; then the next item is tried.
ATTEMPTS = 50
LOST = (
    "You do not have this one any more: it had been left alone too long, or an admin "
    "released it. What you wrote is still here. You can submit it as long as nobody "
    "else has taken the item."
)
GONE = "This one is no longer waiting for you: it was finished, or taken out."


def take_next(
    *, access: ProjectAccess, stage: Stage, besides: int | None = None
) -> Lease | None:
    """Give the person the next item of a stage; what they hold already comes first.

    ``besides`` is an item that they have in front of them when they want to load
    another one beside it. None if nothing waits, or the daily quota is reached.

    Looking is not part of the transaction that takes, so that nobody waits while the
    queue is read; whatever was found is asked again under its lock.
    """
    access.require(stage)
    has_some = Lease.objects.filter(
        project=access.project, stage=stage, person=access.account
    ).exists()
    if has_some:
        lease, is_over = _take_one_of(access, stage, [], besides)
        if is_over:
            return lease
    for _ in range(ATTEMPTS):
        found = queue.next_items(access, stage, besides=besides)
        lease, is_over = _take_one_of(access, stage, found, besides)
        if is_over or not found:
            return lease
    return None


@transaction.atomic
def _take_one_of(
    access: ProjectAccess, stage: Stage, found: list[int], besides: int | None
) -> tuple[Lease | None, bool]:
    """Return what the person holds, or takes of these items; and whether that is all.

    Items that somebody locks at this moment are passed over first, and waited for
    only where nothing else is left.
    """
    if not _may_still_work(access, stage):
        return None, True
    rows = queue.eligible(access, stage)
    rows = queue.without_besides(rows, access, stage, besides)
    if held := _held(access, stage, rows):
        return held, True
    if _quota_is_reached(access, stage, timezone.now()):
        return None, True
    for skip in (True, False):
        for pk in found:
            if lease := _take_locked(access, stage, rows.filter(pk=pk), skip=skip):
                return lease, True
    return None, False


def _take_locked(
    access: ProjectAccess, stage: Stage, rows: QuerySet[Any], *, skip: bool
) -> Lease | None:
    """Lock an item and take it; None if it cannot be had.

    An item without a free slot is unlocked at once, by going back to the savepoint:
    people who keep it while they wait for another would wait in a circle.
    """
    with transaction.atomic():
        item = _locked(rows, skip=skip).first()
        lease = None if item is None else _take(access, stage, item)
        transaction.set_rollback(lease is None)
    return lease


@transaction.atomic
def take_item(*, access: ProjectAccess, stage: Stage, item_id: int) -> Lease:
    """Give the person this item; ``StaleStateError`` if it is held or done."""
    access.require(stage)
    if not _may_still_work(access, stage):
        raise StaleStateError("You may no longer do this kind of work here.")
    rows = queue.eligible(access, stage).filter(pk=item_id)
    item = _locked(rows, skip=False).first()
    if item is None:
        raise StaleStateError(GONE)
    own = Lease.objects.filter(stage=stage, item_id=item_id, person=access.account)
    lease = own.first()
    if lease is not None and _renew(lease):
        return lease
    if _quota_is_reached(access, stage, timezone.now()):
        raise DomainError(queue.quota_notice(access, stage) or QUOTA_IN_HAND)
    taken = _take(access, stage, item)
    if taken is None:
        raise StaleStateError(HELD)
    return taken


QUOTA_IN_HAND = (
    "What you have open already is the last of your daily number. Finish it, or "
    "leave it to others, before you take another one."
)


def _may_still_work(access: ProjectAccess, stage: Stage) -> bool:
    """Read the permission again, and let a person's requests wait for each other.

    Two tabs that ask at once would otherwise get two items, or pass the quota.
    """
    assert access.membership is not None  # noqa: S101  (a stage was required)
    member = (
        Membership.objects.select_for_update(no_key=True, of=("self",))
        .filter(pk=access.membership.pk)
        .first()
    )
    return member is not None and member.allows(stage)


def _locked(rows: QuerySet[Any], *, skip: bool) -> QuerySet[Any]:
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def _held(access: ProjectAccess, stage: Stage, rows: QuerySet[Any]) -> Lease | None:
    """Return what the person holds and may still do."""
    for lease in Lease.objects.filter(
        project=access.project, stage=stage, person=access.account
    ).order_by("id"):
        if rows.filter(pk=lease.item_id).exists() and _renew(lease):
            return lease
    return None


def _take(access: ProjectAccess, stage: Stage, item: Model) -> Lease | None:
    """Take a free slot of a locked item; None if there is none any more."""
    slot = free_slot(
        stage=stage,
        item_id=item.pk,
        person=access.account,
        need=queue.needed(access.project, stage, item),
        now=timezone.now(),
    )
    if slot is None:
        return None
    return insert_lease(
        project=access.project,
        stage=stage,
        item_id=item.pk,
        person=access.account,
        slot=slot,
    )


def _quota_is_reached(access: ProjectAccess, stage: Stage, now: datetime) -> bool:
    """Whether the tasks done today, and those in hand, are the daily number."""
    quota = access.project.rules.daily_quota
    if not quota:
        return False
    in_hand = Lease.objects.filter(
        project=access.project, stage=stage, person=access.account, expires_at__gt=now
    ).count()
    done = queue.done_today(access.project, stage, access.account, now)
    return done + in_hand >= quota


def _renew(lease: Lease) -> bool:
    """Keep an item for longer, never shorter; False if it is lost by now.

    What was given for a day stays given for a day. One that has expired is locked
    first, so that whoever finishes it at this moment has finished: their slot is not
    given out again.
    """
    now = timezone.now()
    until = Value(expiry(lease.project, now), output_field=DateTimeField())
    with transaction.atomic():
        if not lease.is_live(now):
            items = queue.ITEMS[Stage(lease.stage)]._default_manager
            _locked(items.filter(pk=lease.item_id), skip=False).first()
        changed = Lease.objects.filter(pk=lease.pk).update(
            active_at=now, expires_at=Greatest(F("expires_at"), until)
        )
        transaction.set_rollback(not changed)
    if changed:
        lease.refresh_from_db()
    return bool(changed)


@transaction.atomic
def renew_lease(
    *, user: User, stage: Stage, item_id: int, project: Project | None = None
) -> Lease:
    """Keep an item for longer, since its holder is working on it.

    Late is not too late, as long as nobody else has taken it.
    """
    own = Lease.objects.filter(stage=stage, item_id=item_id, person=user)
    if project is not None:
        own = own.filter(project=project)
    lease = own.select_related("project").first()
    if lease is None or not _renew(lease):
        raise StaleStateError(LOST)
    note_activity(person=user)
    return lease


@transaction.atomic
def release_lease(*, user: User, stage: Stage, item_id: int) -> bool:
    """Give an item back that ``user`` holds; False if they did not hold it."""
    own = Lease.objects.filter(stage=stage, item_id=item_id, person=user)
    return bool(own.delete()[0])


@transaction.atomic
def take_away(*, lease: Lease, actor: User) -> Event | None:
    """Free an item that somebody holds, as an admin; None if it was free by then."""
    pk = lease.pk
    if not Lease.objects.filter(pk=pk).delete()[0]:
        return None
    notify(
        users=[lease.person],
        project=lease.project,
        kind=Notice.Kind.RELEASED,
        text=(
            "An admin gave an item back to the queue that you had in front of you "
            f"({Stage(lease.stage).label.lower()})."
        ),
    )
    return record_lease(lease, actor, "release")


def record_lease(lease: Lease, actor: User, verb: str) -> Event:
    """Write down who gave an item to whom, or took it; no state changes."""
    return record_event(
        noun="lease",
        obj=lease,
        verb=verb,
        actor=actor,
        project_id=lease.project_id,
        was={
            "stage": str(lease.stage),
            "item_id": lease.item_id,
            "person_id": lease.person_id,
        },
    )


@transaction.atomic
def restore_lease(
    *, access: ProjectAccess, stage: Stage, item_id: int, actor: User
) -> Lease:
    """Give an item back to the person from whom it was released.

    ``access`` is that person's; ``StaleStateError`` if somebody else has it by now.
    """
    lease = take_item(access=access, stage=stage, item_id=item_id)
    record_lease(lease, actor, "restore")
    return lease


@transaction.atomic
def skip_item(
    *, access: ProjectAccess, stage: Stage, item_id: int, reason: str
) -> None:
    """Leave an item to others, with a reason; the person never gets it again.

    A source is put aside for everybody, as no claim can be written from it.
    """
    access.require(stage)
    why = reason.strip()
    if not why:
        raise DomainError("Say why you leave this one to others.")
    rows = queue.eligible(access, stage).filter(pk=item_id)
    item = rows.first()
    if item is None:
        raise StaleStateError(GONE)
    if isinstance(item, Source):
        skip_source(source=item, actor=access.account, reason=why)
        return
    drop_leases(stage=stage, item_id=item_id, person=access.account)
    skip, is_new = Skip.objects.get_or_create(
        stage=stage,
        item_id=item_id,
        person=access.account,
        defaults={"project": access.project, "reason": why},
    )
    if is_new:
        record_event(
            noun="skip",
            obj=skip,
            verb="skip",
            actor=access.account,
            project_id=access.project.pk,
            why=why,
            fields=column_values(skip),
        )


@transaction.atomic
def unskip_item(*, skip: Skip, actor: User) -> bool:
    """Take a skip back: the item is served to that person again. False if it was."""
    pk, project_id = skip.pk, skip.project_id
    if not Skip.objects.filter(pk=pk).delete()[0]:
        return False
    skip.pk = pk
    record_event(
        noun="skip", obj=skip, verb="delete", actor=actor, project_id=project_id
    )
    return True
