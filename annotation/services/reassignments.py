"""Giving stuck work to somebody else, and taking that back.

An item of a queue becomes a chosen person's for a day. A claim that came back gets
another author. A judgement that came back cannot: it is one person's opinion, so its
slot is freed for the chosen person.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.models import Claim, Judgement, Lease, Pair, Project, Stage
from annotation.selectors.negations import answering_stage
from annotation.selectors.queue import ITEMS, needed
from annotation.services.judgements import record_judgement
from annotation.services.leases import record_lease, take_away, take_item
from annotation.services.notices import withdraw_notices
from annotation.services.pairs import lock_pair
from annotation.services.review_notices import answer_page_of, tell_new_author
from annotation.services.settling import settle_pair
from annotation.services.slots import drop_leases, free_slot
from corpus.events import record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from corpus.transitions import change_state

KEPT_FOR = timedelta(days=1)
FREED = "free"


def access_of(project: Project, person: User) -> ProjectAccess:
    """Return what a person may do in a project; refused for those who do nothing."""
    access = door.get_project(person, project.slug)
    if access.membership is None or not person.is_active:
        raise DomainError(f"{person} is no active member of this project.")
    return access


@transaction.atomic
def assign_item(
    *, project: Project, stage: Stage, item_id: int, person: User, actor: User
) -> Lease:
    """Put an item of a queue in front of a chosen person for a day.

    Who has left it loses it; of those who work on it one, if there is no other place.
    Refused if the person may not do it: blindness and the rules on families hold for
    admins too.
    """
    access = access_of(project, person)
    if not access.can_now(stage):
        raise DomainError(f"{person} may not do this kind of work.")
    _make_room(project, stage, item_id, person, actor)
    try:
        lease = take_item(access=access, stage=stage, item_id=item_id)
    except StaleStateError as error:
        raise StaleStateError(
            f"{person} cannot get this one: it is finished, or they have worked on "
            "it or on its claim family before, or somebody takes it at this moment."
        ) from error
    lease.expires_at = timezone.now() + KEPT_FOR
    lease.save(update_fields=["expires_at"])
    record_lease(lease, actor, "assign")
    return lease


def _make_room(
    project: Project, stage: Stage, item_id: int, person: User, actor: User
) -> None:
    """Free a slot for a person, if none is free: of who was idle for the longest time.

    The item is not locked yet; taking it asks again under its lock.
    """
    now = timezone.now()
    others = Lease.objects.filter(project=project, stage=stage, item_id=item_id)
    others = others.exclude(person=person).select_related("person", "project")
    for lease in others.filter(expires_at__lte=now):
        take_away(lease=lease, actor=actor)
    item = ITEMS[stage]._default_manager.filter(pk=item_id).first()
    need = needed(project, stage, item) if item else 1
    for lease in others.filter(expires_at__gt=now).order_by("active_at", "pk"):
        slot = free_slot(
            stage=stage, item_id=item_id, person=person, need=need, now=now
        )
        if slot is not None:
            return
        take_away(lease=lease, actor=actor)


@transaction.atomic
def unassign_item(
    *, project: Project, stage: Stage, item_id: int, person: User, actor: User
) -> None:
    """Take back an assignment: the item is anybody's again."""
    lease = Lease.objects.filter(
        project=project, stage=stage, item_id=item_id, person=person
    ).first()
    if lease is None:
        raise StaleStateError(f"{person} does not have this one any more.")
    take_away(lease=lease, actor=actor)


@transaction.atomic
def hand_over_claim(*, claim: Claim, person: User, actor: User) -> Claim:
    """Give a claim that came back to another person, who answers in its stead.

    They are told. The versions keep their authors.
    """
    stage = answering_stage(claim)
    if not access_of(claim.project, person).can_now(stage):
        verb = "negate" if stage is Stage.NEGATE else "write"
        raise DomainError(f"{person} may not {verb} claims here.")
    old = claim.author_id
    changed = Claim.objects.filter(
        pk=claim.pk, state=Claim.State.CHANGES_REQUESTED, author=old
    ).update(author=person)
    if changed != 1:
        raise StaleStateError("This claim has been answered in the meantime.")
    claim.author, claim.state = person, Claim.State.CHANGES_REQUESTED
    record_event(
        noun="claim",
        obj=claim,
        verb="hand_over",
        actor=actor,
        project_id=claim.project_id,
        fields={"author_id": person.pk},
        was={"author_id": old},
    )
    tell_new_author(claim)
    return claim


@transaction.atomic
def take_back_claim(*, claim: Claim, person: User, was: User, actor: User) -> Claim:
    """Undo ``hand_over_claim`` from ``was`` to ``person``, while no other came after.

    What ``person`` has not read about it goes.
    """
    claim = Claim.objects.select_for_update(of=("self",)).get(pk=claim.pk)
    last = (
        Event.objects.filter(noun="claim", object_id=claim.pk, verb="hand_over")
        .order_by("-pk")
        .first()
    )
    if last is None or _parties(last) != (was.pk, person.pk):
        raise StaleStateError(
            "Somebody else has been given this claim in the meantime."
        )
    hand_over_claim(claim=claim, person=was, actor=actor)
    withdraw_notices(
        users=[person],
        project=claim.project,
        urls=[answer_page_of(claim)],
        since=last.at,
    )
    return claim


def _parties(event: Event) -> tuple[int, int]:
    """Who had a claim before it was handed over, and who has it since."""
    payload = event.payload
    return payload["was"]["author_id"], payload["set"]["author_id"]


@transaction.atomic
def free_judgement(*, judgement: Judgement, actor: User) -> Judgement:
    """Give up on the answer to a judgement that came back: its slot is free.

    The judgement stays readable, as a rejected one.
    """
    pair = lock_pair(judgement.pair)
    slot = judgement.slot
    old = change_state(
        judgement,
        from_states={Judgement.State.CHANGES_REQUESTED},
        to_state=Judgement.State.REJECTED,
        slot=None,
    )
    record_event(
        noun="judgement",
        obj=judgement,
        verb=FREED,
        actor=actor,
        project_id=pair.project_id,
        from_state=old,
        to_state=judgement.state,
        fields={"slot": None},
        was={"slot": slot},
    )
    settle_pair(pair, actor)
    return judgement


@transaction.atomic
def reassign_judgement(*, judgement: Judgement, person: User, actor: User) -> Lease:
    """Free a judgement that came back and give its pair to a chosen person."""
    freed = free_judgement(judgement=judgement, actor=actor)
    return assign_item(
        project=freed.pair.project,
        stage=Stage.VERIFY,
        item_id=freed.pair_id,
        person=person,
        actor=actor,
    )


@transaction.atomic
def take_back_judgement(*, judgement: Judgement, actor: User) -> Judgement:
    """Undo ``reassign_judgement`` while nobody has judged in its place."""
    pair = lock_pair(judgement.pair)
    judgement.refresh_from_db()
    last = (
        Event.objects.filter(noun="judgement", object_id=judgement.pk)
        .order_by("-pk")
        .first()
    )
    if last is None or last.verb != FREED:
        raise StaleStateError("This judgement has changed in the meantime.")
    slot = last.payload["was"]["slot"]
    if pair.judgements.filter(slot=slot).exists() or pair.state != Pair.State.OPEN:
        raise StaleStateError("Somebody has judged this pair in the meantime.")
    drop_leases(stage=Stage.VERIFY, item_id=pair.pk)
    old = change_state(
        judgement,
        from_states={Judgement.State.REJECTED},
        to_state=Judgement.State.CHANGES_REQUESTED,
        slot=slot,
    )
    record_judgement(judgement, actor, "take_back", old=old, fields={"slot": slot})
    settle_pair(pair, actor)
    return judgement
