"""Slots of items, for the services that finish work. No permissions are asked here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Judgement, Lease, Membership, Project, Stage
from corpus.exceptions import StaleStateError
from corpus.models import User

HELD = (
    "Somebody else has this one in front of them now. If you had it before, it was "
    "handed on because it had been left alone for too long, or because an admin "
    "released it."
)


def free_slot(
    *, stage: Stage, item_id: int, person: User, need: int, now: datetime
) -> int | None:
    """Return the slot that a person has or may have; None if all are taken.

    The caller has locked the item. What expired does not count.
    """
    taken = set(_judged(stage, item_id))
    own = None
    for lease in Lease.objects.filter(stage=stage, item_id=item_id):
        if lease.person_id == person.pk:
            own = lease.slot
        elif lease.is_live(now):
            taken.add(lease.slot)
    free = [slot for slot in range(need) if slot not in taken]
    if own in free:
        return own
    return free[0] if free else None


def _judged(stage: Stage, item_id: int) -> Iterable[int | None]:
    if stage is not Stage.VERIFY:
        return ()
    return (
        Judgement.objects.filter(pair=item_id)
        .exclude(slot=None)
        .values_list("slot", flat=True)
    )


def require_slot(*, stage: Stage, item_id: int, person: User, need: int = 1) -> int:
    """Return the slot in which a person finishes an item; the item is locked.

    Who let a lease expire, or never took one, still finishes while a slot is free.
    ``StaleStateError`` if others hold them all.
    """
    slot = free_slot(
        stage=stage, item_id=item_id, person=person, need=need, now=timezone.now()
    )
    if slot is None:
        raise StaleStateError(HELD)
    return slot


def finish_item(*, stage: Stage, item_id: int, person: User) -> None:
    """Let a person finish an item that needs one person; nobody holds it any more.

    The caller has changed the item's row in this transaction, and so locked it.
    """
    require_slot(stage=stage, item_id=item_id, person=person)
    drop_leases(stage=stage, item_id=item_id)


def insert_lease(
    *, project: Project, stage: Stage, item_id: int, person: User, slot: int
) -> Lease | None:
    """Put an item in front of a person; None if somebody was faster.

    The unique slot decides, so that an item never has more people than it needs.
    """
    now = timezone.now()
    drop_expired(stage=stage, item_id=item_id)
    values = {"active_at": now, "expires_at": expiry(project, now)}
    lease = Lease(
        project=project,
        stage=stage,
        item_id=item_id,
        person=person,
        slot=slot,
        taken_at=now,
        **values,
    )
    try:
        with transaction.atomic():
            lease.save(force_insert=True)
    except IntegrityError:
        return None
    return lease


def expiry(project: Project, now: datetime) -> datetime:
    """When an item is given to others, if nothing happens until then."""
    return now + timedelta(minutes=project.rules.lease_minutes)


def drop_expired(*, stage: Stage, item_id: int) -> None:
    """Let the rows of those who let theirs expire go; a row means having the item."""
    rows = Lease.objects.filter(stage=stage, item_id=item_id)
    rows.filter(expires_at__lte=timezone.now()).delete()


def drop_leases(*, stage: Stage, item_id: int, person: User | None = None) -> int:
    """Take an item from the person who finished it, or from all who have it.

    Returns how many had it. The caller is in a transaction.
    """
    rows = Lease.objects.filter(stage=stage, item_id=item_id)
    if person is not None:
        rows = rows.filter(person=person)
    return rows.delete()[0]


def drop_leases_of(*, membership: Membership) -> int:
    """Free what a member holds but may no longer do."""
    allowed = [stage.value for stage in Stage if membership.allows(stage)]
    rows = Lease.objects.filter(
        project=membership.project_id, person=membership.user_id
    )
    return rows.exclude(stage__in=allowed).delete()[0]
