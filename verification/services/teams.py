"""Teams: people who submit together and share a quota."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.models.jobs import new_token
from verification.models import Team

MOST_MEMBERS = 100


@transaction.atomic
def create_team(*, name: str, founder: User) -> Team:
    """Make a team of one."""
    team = Team(name=name.strip())
    _save_named(team)
    team.members.add(founder)
    # Without the token: whoever knows it may join.
    _record(team, "create", founder, {"name": team.name, "members": [founder.pk]})
    return team


def _save_named(team: Team) -> None:
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError:
        raise DomainError("There is a team of this name already.") from None


@transaction.atomic
def join_team(*, team: Team, person: User) -> Team:
    """Add a person who has the team's link; twice changes nothing."""
    team = _locked(team)
    if team.members.filter(pk=person.pk).exists():
        return team
    if team.members.count() >= MOST_MEMBERS:
        raise DomainError(f"This team is full: it has {MOST_MEMBERS} members.")
    team.members.add(person)
    _record_members(team, "join", person)
    return team


@transaction.atomic
def leave_team(*, team: Team, person: User) -> None:
    """Take a person out of a team; what was submitted for it stays with it."""
    team = _locked(team)
    team.members.remove(person)
    _record_members(team, "leave", person)


@transaction.atomic
def rename_team(*, team: Team, member: User, name: str) -> Team:
    """Call a team otherwise, also on boards where it stands."""
    team = _locked(team)
    was, team.name = team.name, name.strip()
    if team.name == was:
        return team
    _save_named(team)
    record_event(
        noun="team",
        obj=team,
        verb="rename",
        actor=member,
        fields={"name": team.name},
        was={"name": was},
    )
    return team


@transaction.atomic
def renew_link(*, team: Team, member: User) -> Team:
    """Give a team another link; the old one no longer works."""
    team = _locked(team)
    team.token = new_token()
    team.save(update_fields=["token"])
    _record(team, "renew_link", member, {})
    return team


def _locked(team: Team) -> Team:
    return Team.objects.select_for_update().get(pk=team.pk)


def _record_members(team: Team, verb: str, person: User) -> None:
    keys = team.members.order_by("pk").values_list("pk", flat=True)
    _record(team, verb, person, {"members": list(keys)})


def _record(team: Team, verb: str, actor: User, fields: dict[str, Any]) -> None:
    record_event(noun="team", obj=team, verb=verb, actor=actor, fields=fields)
