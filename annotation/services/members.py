"""Who works in a project, with which permissions, and how people get in."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from annotation.models import Invitation, Membership, Project, Stage
from annotation.services.slots import drop_leases_of
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.transitions import change_state

INVITATION_DAYS = 14
BAD_LINK = "This invitation link is not valid: it may have been mistyped or revoked."
WORKING_STATES = (Membership.State.PROBATION, Membership.State.TRUSTED)


def ordered_stages(stages: Iterable[str]) -> list[str]:
    """Return stages without repeats in the order of work; unknown ones are refused."""
    wanted = {str(stage) for stage in stages}
    unknown = wanted - set(Stage.values)
    if unknown:
        raise DomainError(f"There is no permission called “{min(unknown)}”.")
    return [stage for stage in Stage.values if stage in wanted]


@transaction.atomic
def add_member(
    *,
    project: Project,
    user: User,
    stages: Iterable[str],
    actor: User | None,
    state: str = Membership.State.PROBATION,
) -> Membership:
    """Make a person a member; refused if they are one already."""
    membership = Membership(
        project=project, user=user, stages=ordered_stages(stages), state=state
    )
    try:
        with transaction.atomic():
            membership.save(force_insert=True)
    except IntegrityError:
        raise DomainError(f"{user} is a member of this project already.") from None
    record_event(
        noun="membership",
        obj=membership,
        verb="add",
        actor=actor,
        project_id=project.pk,
        to_state=membership.state,
        fields=column_values(membership),
    )
    return membership


@transaction.atomic
def change_stages(
    *, membership: Membership, stages: Iterable[str], actor: User | None
) -> bool:
    """Give a member other permissions; False if they have exactly these."""
    membership = _locked(membership)
    wanted = ordered_stages(stages)
    if wanted == membership.stages:
        return False
    if Stage.ADMIN not in wanted:
        _keep_an_admin(membership)
    old, membership.stages = membership.stages, wanted
    membership.save(update_fields=["stages"])
    drop_leases_of(membership=membership)
    record_event(
        noun="membership",
        obj=membership,
        verb="change_stages",
        actor=actor,
        project_id=membership.project_id,
        from_state=membership.state,
        to_state=membership.state,
        fields={"stages": wanted},
        was={"stages": old},
    )
    return True


@transaction.atomic
def make_admin(*, project: Project, user: User) -> Membership:
    """Make somebody an admin with all stages, whatever they were before.

    For whoever runs the site: there may be no admin who could do it.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    membership = Membership.objects.filter(project=project, user=user).first()
    if membership is None:
        return add_member(
            project=project,
            user=user,
            stages=Stage.values,
            actor=None,
            state=Membership.State.TRUSTED,
        )
    if not membership.is_active:
        raise DomainError(f"{user} is suspended in this project: reinstate them first.")
    change_stages(membership=membership, stages=Stage.values, actor=None)
    membership.refresh_from_db()
    return membership


@transaction.atomic
def suspend_member(*, membership: Membership, actor: User, why: str = "") -> Membership:
    """Shut a member out until further notice; their work stays."""
    membership = _locked(membership)
    _keep_an_admin(membership)
    _move(
        membership,
        from_states=(
            Membership.State.INVITED,
            Membership.State.QUIZ,
            *WORKING_STATES,
        ),
        to_state=Membership.State.SUSPENDED,
        verb="suspend",
        actor=actor,
        why=why,
    )
    drop_leases_of(membership=membership)
    return membership


@transaction.atomic
def reinstate_member(*, membership: Membership, actor: User) -> Membership:
    """Let a suspended member work again, on probation."""
    return _move(
        _locked(membership),
        from_states=(Membership.State.SUSPENDED,),
        to_state=Membership.State.PROBATION,
        verb="reinstate",
        actor=actor,
    )


@transaction.atomic
def trust_member(*, membership: Membership, actor: User) -> Membership:
    """End a member's probation."""
    return _move(
        _locked(membership),
        from_states=(Membership.State.QUIZ, Membership.State.PROBATION),
        to_state=Membership.State.TRUSTED,
        verb="trust",
        actor=actor,
    )


def _locked(membership: Membership) -> Membership:
    """Read a membership again while nobody else can change this project's members.

    Two admins who remove each other at once would otherwise both succeed.
    """
    Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    return Membership.objects.select_related("user", "project").get(pk=membership.pk)


def _keep_an_admin(membership: Membership) -> None:
    """Refuse a change that would leave the project without an admin."""
    if not membership.allows(Stage.ADMIN):
        return
    others = Membership.objects.filter(
        project=membership.project_id, state__in=WORKING_STATES, user__is_active=True
    ).exclude(pk=membership.pk)
    if not any(other.allows(Stage.ADMIN) for other in others):
        raise DomainError(
            f"{membership.user} is the only admin of this project. Make somebody "
            "else an admin first."
        )


def _move(
    membership: Membership,
    *,
    from_states: tuple[str, ...],
    to_state: str,
    verb: str,
    actor: User,
    why: str = "",
) -> Membership:
    old = change_state(membership, from_states=from_states, to_state=to_state)
    record_event(
        noun="membership",
        obj=membership,
        verb=verb,
        actor=actor,
        project_id=membership.project_id,
        from_state=old,
        to_state=to_state,
        why=why,
        fields={"state": to_state},
    )
    return membership


def hash_token(token: str) -> str:
    """Return what is kept of a secret link: enough to know it again, no more."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def create_invitation(
    *,
    project: Project,
    stages: Iterable[str],
    actor: User,
    max_uses: int = 1,
    expires_at: datetime | None = None,
    note: str = "",
) -> tuple[Invitation, str]:
    """Create an invitation; return it with the secret of its link.

    The secret is not kept, so this is the only time that it can be shown.
    """
    wanted = ordered_stages(stages)
    if not wanted:
        raise DomainError("Choose at least one kind of work for the people you invite.")
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        project=project,
        token_hash=hash_token(token),
        note=note,
        stages=wanted,
        max_uses=max_uses,
        created_by=actor,
        expires_at=expires_at or timezone.now() + timedelta(days=INVITATION_DAYS),
    )
    invitation.save(force_insert=True)
    record_event(
        noun="invitation",
        obj=invitation,
        verb="create",
        actor=actor,
        project_id=project.pk,
        fields=column_values(invitation),
    )
    return invitation, token


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, actor: User) -> bool:
    """Make a link useless; False if it was revoked before."""
    now = timezone.now()
    changed = Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(
        revoked_at=now
    )
    if not changed:
        return False
    invitation.revoked_at = now
    record_event(
        noun="invitation",
        obj=invitation,
        verb="revoke",
        actor=actor,
        project_id=invitation.project_id,
        fields={"revoked_at": now.isoformat()},
    )
    return True


def usable_invitations() -> Q:
    """The condition that a link still works."""
    return Q(revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("max_uses"))


def find_invitation(token: str) -> Invitation:
    """Return the invitation behind a link; ``DomainError`` says why it is useless."""
    invitation = (
        Invitation.objects.select_related("project", "created_by")
        .filter(token_hash=hash_token(token), revoked_at=None)
        .first()
    )
    if invitation is None:
        raise DomainError(BAD_LINK)
    if invitation.expires_at <= timezone.now():
        raise DomainError("This invitation has expired. Ask for a new link.")
    if invitation.uses >= invitation.max_uses:
        raise DomainError("This invitation has been used up. Ask for a new link.")
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Make the person who opened a link a member.

    One who is a member already uses nothing up. The number of uses is guarded by
    one conditional UPDATE, so that parallel use cannot exceed it.
    """
    invitation = Invitation.objects.filter(token_hash=hash_token(token)).first()
    if invitation is None:
        raise DomainError(BAD_LINK)
    known = Membership.objects.filter(project=invitation.project_id, user=user).first()
    if known is not None and not known.is_active:
        raise DomainError("Your membership of this project is suspended.")
    if known is not None:
        return known
    find_invitation(token)
    _use_up(invitation)
    membership = add_member(
        project=invitation.project,
        user=user,
        stages=invitation.stages,
        actor=user,
    )
    invitation.refresh_from_db(fields=["uses"])
    record_event(
        noun="invitation",
        obj=invitation,
        verb="use",
        actor=user,
        project_id=invitation.project_id,
        fields={"uses": invitation.uses},
    )
    return membership


def _use_up(invitation: Invitation) -> None:
    used = Invitation.objects.filter(usable_invitations(), pk=invitation.pk).update(
        uses=F("uses") + 1
    )
    if used != 1:
        raise StaleStateError(
            "This invitation has just been used up. Ask for a new one."
        )
