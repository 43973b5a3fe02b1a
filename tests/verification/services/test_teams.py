"""Teams: joined by a link, left, renamed; each change has its event."""

from __future__ import annotations

import pytest

from corpus.exceptions import DomainError
from corpus.models import Event
from tests.factories import UserFactory
from verification.services import teams
from verification.services.teams import (
    create_team,
    join_team,
    leave_team,
    rename_team,
    renew_link,
)

pytestmark = pytest.mark.django_db


def test_a_team_grows_and_shrinks() -> None:
    founder, other = UserFactory(), UserFactory()
    team = create_team(name=" Moss lab ", founder=founder)
    join_team(team=team, person=other)
    join_team(team=team, person=other)
    leave_team(team=team, person=founder)
    assert (team.name, list(team.members.all())) == ("Moss lab", [other])
    events = Event.objects.filter(noun="team").order_by("pk")
    assert [(e.verb, e.actor, e.payload["set"]["members"]) for e in events] == [
        ("create", founder, [founder.pk]),
        ("join", other, [founder.pk, other.pk]),
        ("leave", founder, [other.pk]),
    ]
    assert team.token not in str([event.payload for event in events])


def test_a_name_is_taken_once() -> None:
    founder = UserFactory()
    create_team(name="Moss lab", founder=founder)
    other = create_team(name="Rain lab", founder=founder)
    with pytest.raises(DomainError, match="of this name already"):
        create_team(name="Moss lab", founder=founder)
    with pytest.raises(DomainError, match="of this name already"):
        rename_team(team=other, member=founder, name="Moss lab")
    assert rename_team(team=other, member=founder, name="Fern lab").name == "Fern lab"


def test_a_renewed_link_is_another() -> None:
    founder = UserFactory()
    team = create_team(name="Moss lab", founder=founder)
    old = team.token
    assert renew_link(team=team, member=founder).token != old


def test_a_team_is_full_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teams, "MOST_MEMBERS", 1)
    team = create_team(name="Moss lab", founder=UserFactory())
    with pytest.raises(DomainError, match="full"):
        join_team(team=team, person=UserFactory())
