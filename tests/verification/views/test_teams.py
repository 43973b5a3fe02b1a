"""The pages of teams."""

from __future__ import annotations

import pytest
from django.test import Client

from corpus.models import User
from tests.factories import UserFactory
from verification.models import Team
from verification.services.teams import create_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def founder() -> User:
    """Whoever makes the team."""
    user: User = UserFactory()
    return user


@pytest.fixture
def team(founder: User) -> Team:
    """A team of one."""
    return create_team(name="Moss lab", founder=founder)


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_team_is_made_and_listed(founder: User) -> None:
    client = _browser(founder)
    assert client.post("/teams/", {"name": "Moss <lab>"}).status_code == 302
    assert "Moss &lt;lab&gt;" in client.get("/teams/").content.decode()
    twice = client.post("/teams/", {"name": "Moss <lab>"})
    assert "of this name already" in twice.context["form"].errors["name"][0]


def test_whoever_has_the_link_joins(founder: User, team: Team) -> None:
    other = UserFactory()
    client = _browser(other)
    assert client.get(f"/teams/{team.pk}/").status_code == 404
    page = client.get(f"/teams/join/{team.token}/").content.decode()
    assert f"Join the team as {other}" in page
    client.post(f"/teams/join/{team.token}/accept/")
    assert set(team.members.all()) == {founder, other}
    assert str(founder) in client.get(f"/teams/{team.pk}/").content.decode()


def test_strangers_come_back_to_the_link_after_they_signed_in(team: Team) -> None:
    page = Client().get(f"/teams/join/{team.token}/").content.decode()
    assert f"?next=/teams/join/{team.token}/" in page


def test_a_renewed_link_shuts_the_old_one(founder: User, team: Team) -> None:
    client = _browser(founder)
    client.post(f"/teams/{team.pk}/link/")
    assert client.get(f"/teams/join/{team.token}/").status_code == 404
    team.refresh_from_db()
    page = client.get(f"/teams/{team.pk}/")
    assert team.token in page.content.decode()
    assert page["Cache-Control"] == "no-store"


def test_a_nul_in_a_link_is_no_fault_of_ours() -> None:
    assert Client().get("/teams/join/%00/").status_code == 404


def test_a_member_leaves_and_no_longer_sees_the_team(founder: User, team: Team) -> None:
    client = _browser(founder)
    client.post(f"/teams/{team.pk}/leave/")
    assert client.get(f"/teams/{team.pk}/").status_code == 404


def test_a_team_is_renamed_by_its_members(founder: User, team: Team) -> None:
    client = _browser(founder)
    client.post(f"/teams/{team.pk}/", {"name": "Fern lab"})
    team.refresh_from_db()
    assert team.name == "Fern lab"
    assert client.post(f"/teams/{team.pk}/", {"name": ""}).status_code == 200
