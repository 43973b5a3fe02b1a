"""Members, invitation links, and joining by one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from annotation.models import Invitation, Membership
from annotation.services.members import create_invitation, revoke_invitation
from corpus.models import User
from tests.factories import PASSWORD, Team, make_team

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(team: Team, name: str, *args: object) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def invite(team: Team, **data: object) -> Any:
    values = {"preset": "annotator", "max_uses": "2", "days": "14", "note": "Course"}
    return signed_in(team.admin).post(url(team, "create_invitation"), values | data)


def link_of(response: Any) -> str:
    """The path of the link that the page shows."""
    found = re.search(
        r'data-copy="https?://[^/]+(/join/[^"]+)"', response.content.decode()
    )
    assert found
    return found.group(1)


def test_members_are_listed_with_state_and_permissions(team: Team) -> None:
    page = signed_in(team.admin).get(url(team, "members")).content.decode()

    assert team.annotator.email in page
    assert "Write claims, Negate claims, Verify pairs" in page
    assert "suspended" in page


def test_the_list_asks_as_often_for_many_members_as_for_few(
    django_assert_num_queries: Any,
) -> None:
    team = make_team()
    client = signed_in(team.admin)
    # Session, user, project, membership; members, invitations, those that work;
    # what is new.
    with django_assert_num_queries(8):
        client.get(url(team, "members"))


def test_permissions_are_changed(team: Team) -> None:
    member = team.membership(team.annotator)
    address = url(team, "change_member", member.pk)
    page = signed_in(team.admin).get(address).content.decode()
    assert re.search(r'value="write"[^>]*checked', page)

    signed_in(team.admin).post(address, {"stages": ["verify", "review"]})
    assert team.membership(team.annotator).stages == ["verify", "review"]

    signed_in(team.admin).post(address, {})
    assert team.membership(team.annotator).stages == []


def test_suspending_reinstating_and_trusting(team: Team) -> None:
    client, member = signed_in(team.admin), team.membership(team.annotator)
    for name, state in (
        ("suspend_member", "suspended"),
        ("reinstate_member", "probation"),
        ("trust_member", "trusted"),
    ):
        client.post(url(team, name, member.pk), {"why": "On leave"})
        assert team.membership(team.annotator).state == state


def test_the_last_admin_is_kept_and_the_page_says_why(team: Team) -> None:
    member = team.membership(team.admin)

    for name in ("suspend_member", "change_member"):
        page = signed_in(team.admin).post(
            url(team, name, member.pk), {"stages": ["write"]}, follow=True
        )
        assert "is the only admin" in page.content.decode()

    assert team.membership(team.admin).allows("admin")


def test_a_member_of_another_project_cannot_be_changed_here(team: Team) -> None:
    other = make_team(name="Other")
    member = other.membership(other.annotator)

    for name in ("change_member", "suspend_member", "reinstate_member", "trust_member"):
        response = signed_in(team.admin).post(url(team, name, member.pk))
        assert response.status_code == 404


# Invitations


@pytest.mark.parametrize(
    ("data", "stages"),
    [
        ({"preset": "annotator"}, ["write", "negate", "verify"]),
        ({"preset": "reviewer"}, ["proofread", "review", "adjudicate"]),
        ({"preset": "custom", "stages": ["verify"]}, ["verify"]),
        # What is ticked below counts only with "custom".
        (
            {"preset": "reviewer", "stages": ["admin"]},
            ["proofread", "review", "adjudicate"],
        ),
    ],
)
def test_a_link_carries_what_was_chosen(
    data: dict[str, object], stages: list[str], team: Team
) -> None:
    invite(team, **data)

    assert Invitation.objects.get().stages == stages


def test_a_link_is_shown_once_and_lets_people_in(team: Team) -> None:
    response = invite(team)
    link = link_of(response)
    again = signed_in(team.admin).get(url(team, "members")).content.decode()
    assert link not in again
    client = signed_in(team.outsider)
    assert team.project.name in client.get(link).content.decode()

    joined = client.post(link)

    assert joined["Location"] == url(team, "project")
    assert client.get(joined["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"max_uses": "0"}, "greater than or equal to 1"),
        ({"days": "999"}, "less than or equal to 365"),
        ({"preset": "custom"}, "at least one kind of work"),
        ({"preset": "owner"}, "valid choice"),
    ],
)
def test_a_bad_invitation_is_refused_at_its_field(
    data: dict[str, str], message: str, team: Team
) -> None:
    response = invite(team, **data)

    assert message in response.content.decode()
    assert not Invitation.objects.exists()


def test_a_revoked_link_says_so(team: Team) -> None:
    link = link_of(invite(team))
    invitation = Invitation.objects.get()
    signed_in(team.admin).post(url(team, "revoke_invitation", invitation.pk))

    for client in (Client(), signed_in(team.outsider)):
        response = client.get(link)
        assert response.status_code == 410
        assert "revoked" in response.content.decode()
        assert team.project.name not in response.content.decode()


def test_an_invitation_of_another_project_cannot_be_revoked_here(team: Team) -> None:
    other = make_team(name="Other")
    invitation, _ = create_invitation(
        project=other.project, stages=["write"], actor=other.admin
    )

    response = signed_in(team.admin).post(url(team, "revoke_invitation", invitation.pk))

    assert response.status_code == 404
    assert revoke_invitation(invitation=invitation, actor=other.admin)


def test_a_stranger_signs_up_on_the_way_in(team: Team) -> None:
    link = link_of(invite(team))
    client = Client()
    page = client.get(link).content.decode()
    signup = re.search(r'href="(/accounts/signup/[^"]+)"', page)
    assert signup

    signed_up = client.post(
        signup.group(1),
        {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD},
    )
    assert signed_up["Location"] == link
    client.post(link)

    member = Membership.objects.get(project=team.project, user__email="new@example.org")
    assert member.stages == ["write", "negate", "verify"]
    assert mail.outbox[0].to == ["new@example.org"]


def test_posting_without_an_account_lets_nobody_in(team: Team) -> None:
    link = link_of(invite(team))
    before = team.project.memberships.count()

    assert Client().post(link).status_code == 200

    assert team.project.memberships.count() == before


def test_a_suspended_member_is_told_so(team: Team) -> None:
    response = signed_in(team.suspended).post(link_of(invite(team)))

    assert "suspended" in response.content.decode()


# Permissions

MEMBER_PAGES = [
    ("GET", "members", False),
    ("GET", "change_member", True),
    ("POST", "change_member", True),
    ("POST", "suspend_member", True),
    ("POST", "reinstate_member", True),
    ("POST", "trust_member", True),
    ("POST", "create_invitation", False),
    ("POST", "revoke_invitation", True),
]


@pytest.mark.parametrize(("method", "name", "has_object"), MEMBER_PAGES)
@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("reviewer", 403),
        ("annotator", 403),
        ("read_only", 403),
        ("suspended", 404),
        ("outsider", 404),
    ],
)
def test_only_admins_see_and_change_members(
    method: str, name: str, has_object: bool, role: str, status: int, team: Team
) -> None:
    args = [team.membership(team.annotator).pk] if has_object else []
    client = signed_in(getattr(team, role))

    assert client.generic(method, url(team, name, *args)).status_code == status


@pytest.mark.parametrize(("method", "name", "has_object"), MEMBER_PAGES)
def test_a_wrong_method_is_refused(
    method: str, name: str, has_object: bool, team: Team
) -> None:
    args = [1] if has_object else []

    response = signed_in(team.admin).generic("PUT", url(team, name, *args))

    assert response.status_code == 405


def test_a_public_project_does_not_show_its_members() -> None:
    team = make_team(visibility="public")

    assert signed_in(team.outsider).get(url(team, "members")).status_code == 403
