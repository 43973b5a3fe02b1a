"""Members, their permissions, and the links that let people in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Invitation, Membership, Stage
from annotation.services import members
from annotation.services.members import (
    accept_invitation,
    add_member,
    change_stages,
    create_invitation,
    find_invitation,
    reinstate_member,
    revoke_invitation,
    suspend_member,
    trust_member,
)
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from tests.factories import Team, UserFactory, make_team

pytestmark = pytest.mark.django_db


def events(noun: str, verb: str) -> list[Event]:
    return list(Event.objects.filter(noun=noun, verb=verb).order_by("id"))


def test_somebody_becomes_a_member_once(team: Team) -> None:
    with pytest.raises(DomainError, match="member of this project already"):
        add_member(
            project=team.project, user=team.annotator, stages=[], actor=team.admin
        )


def test_permissions_are_kept_in_the_order_of_work_without_repeats(
    team: Team,
) -> None:
    membership = team.membership(team.annotator)

    change_stages(
        membership=membership, stages=["review", "write", "write"], actor=team.admin
    )

    assert team.membership(team.annotator).stages == ["write", "review"]
    [event] = events("membership", "change_stages")
    assert event.payload == {
        "set": {"stages": ["write", "review"]},
        "was": {"stages": ["write", "negate", "verify"]},
    }


def test_an_unknown_permission_is_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="no permission called “fly”"):
        change_stages(
            membership=team.membership(team.annotator),
            stages=["fly"],
            actor=team.admin,
        )


def test_the_same_permissions_again_write_no_event(team: Team) -> None:
    membership = team.membership(team.annotator)

    assert not change_stages(
        membership=membership, stages=membership.stages, actor=team.admin
    )

    assert events("membership", "change_stages") == []


def test_suspending_reinstating_and_trusting_keep_who_and_why(team: Team) -> None:
    membership = team.membership(team.annotator)

    suspend_member(membership=membership, actor=team.admin, why="On leave")
    assert not team.membership(team.annotator).is_active
    reinstate_member(membership=membership, actor=team.admin)
    assert team.membership(team.annotator).state == "probation"
    trust_member(membership=membership, actor=team.admin)

    assert team.membership(team.annotator).state == "trusted"
    [suspended] = events("membership", "suspend")
    assert (suspended.from_state, suspended.to_state) == ("trusted", "suspended")
    assert (suspended.actor, suspended.why) == (team.admin, "On leave")


def test_suspending_twice_says_that_it_has_happened(team: Team) -> None:
    with pytest.raises(StaleStateError, match="suspended"):
        suspend_member(membership=team.membership(team.suspended), actor=team.admin)


def suspend_admin(team: Team) -> None:
    suspend_member(membership=team.membership(team.admin), actor=team.admin)


def demote_admin(team: Team) -> None:
    change_stages(
        membership=team.membership(team.admin), stages=["write"], actor=team.admin
    )


@pytest.mark.parametrize("removal", [suspend_admin, demote_admin])
def test_the_last_admin_stays(removal: Callable[[Team], None], team: Team) -> None:
    with pytest.raises(DomainError, match="only admin"):
        removal(team)


@pytest.mark.parametrize("removal", [suspend_admin, demote_admin])
def test_an_admin_may_go_when_another_stays(
    removal: Callable[[Team], None], team: Team
) -> None:
    add_member(
        project=team.project, user=UserFactory(), stages=["admin"], actor=team.admin
    )

    removal(team)

    assert not team.membership(team.admin).allows(Stage.ADMIN)


def test_an_admin_who_cannot_act_does_not_count(team: Team) -> None:
    for changes in ({"is_active": False}, {}):
        user = UserFactory(**changes)
        add_member(
            project=team.project,
            user=user,
            stages=["admin"],
            actor=team.admin,
            state="trusted" if changes else "suspended",
        )

    with pytest.raises(DomainError, match="only admin"):
        suspend_admin(team)


def invite(team: Team, **values: object) -> tuple[Invitation, str]:
    wanted = {"stages": ["write", "verify"], "actor": team.admin}
    return create_invitation(project=team.project, **(wanted | values))  # type: ignore[arg-type]


def test_a_link_works_for_two_weeks_and_its_secret_is_not_kept(team: Team) -> None:
    invitation, token = invite(team)

    assert timedelta(days=13) < invitation.expires_at - timezone.now()
    assert invitation.expires_at - timezone.now() <= timedelta(days=14)
    assert token not in str(Invitation.objects.values().get())
    assert token not in str(events("invitation", "create")[0].payload)


def test_whoever_opens_a_link_is_a_member_on_probation(team: Team) -> None:
    _, token = invite(team)

    membership = accept_invitation(token=token, user=team.outsider)

    assert membership.state == "probation"
    assert membership.stages == ["write", "verify"]
    assert events("invitation", "use")[0].payload["set"] == {"uses": 1}


def test_a_member_who_opens_a_link_uses_nothing_up(team: Team) -> None:
    invitation, token = invite(team, stages=["admin"])

    accept_invitation(token=token, user=team.annotator)

    invitation.refresh_from_db()
    assert invitation.uses == 0
    assert not team.membership(team.annotator).allows(Stage.ADMIN)


def test_opening_a_link_twice_uses_it_once(team: Team) -> None:
    invitation, token = invite(team, max_uses=2)

    first = accept_invitation(token=token, user=team.outsider)
    second = accept_invitation(token=token, user=team.outsider)

    invitation.refresh_from_db()
    assert (first, invitation.uses) == (second, 1)


def use_up(invitation: Invitation, team: Team) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(uses=1)


def let_expire(invitation: Invitation, team: Team) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())


def revoke(invitation: Invitation, team: Team) -> None:
    revoke_invitation(invitation=invitation, actor=team.admin)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(use_up, "used up"), (let_expire, "expired"), (revoke, "revoked")],
)
def test_a_link_that_no_longer_works_says_why(
    spoil: Callable[[Invitation, Team], None], message: str, team: Team
) -> None:
    invitation, token = invite(team)
    spoil(invitation, team)

    for attempt in (
        lambda: find_invitation(token),
        lambda: accept_invitation(token=token, user=team.outsider),
    ):
        with pytest.raises(DomainError, match=message):
            attempt()

    assert not Membership.objects.filter(user=team.outsider).exists()


def test_a_suspended_member_does_not_come_back_by_a_link(team: Team) -> None:
    _, token = invite(team)

    with pytest.raises(DomainError, match="suspended"):
        accept_invitation(token=token, user=team.suspended)

    assert team.membership(team.suspended).state == "suspended"


def test_an_unknown_link_is_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="not valid"):
        accept_invitation(token="guessed", user=team.outsider)


def test_an_invitation_to_nothing_is_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="at least one kind of work"):
        invite(team, stages=[])


def test_revoking_twice_is_one_event(team: Team) -> None:
    invitation, _ = invite(team)

    assert revoke_invitation(invitation=invitation, actor=team.admin)
    assert not revoke_invitation(invitation=invitation, actor=team.admin)

    assert len(events("invitation", "revoke")) == 1


def join_at_once(token: str, people: list[User]) -> list[str]:
    """Let everybody open one link at the same moment; return what each one got."""
    start = Barrier(len(people))

    def join(user: User) -> str:
        try:
            start.wait(timeout=10)
            accept_invitation(token=token, user=user)
        except DomainError as error:
            return str(error)
        finally:
            connection.close()
        return "joined"

    with ThreadPoolExecutor(len(people)) as pool:
        return list(pool.map(join, people))


@pytest.mark.django_db(transaction=True)
def test_parallel_use_of_a_link_never_exceeds_its_number() -> None:
    team = make_team()
    _, token = invite(team, max_uses=2)
    before = team.project.memberships.count()

    outcomes = join_at_once(token, UserFactory.create_batch(6))

    assert outcomes.count("joined") == 2
    assert all("used up" in outcome for outcome in outcomes if outcome != "joined")
    assert team.project.memberships.count() == before + 2
    assert Invitation.objects.get().uses == 2


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_remove_each_other_leave_one() -> None:
    team = make_team()
    second = add_member(
        project=team.project, user=UserFactory(), stages=["admin"], actor=team.admin
    )
    start = Barrier(2)

    def suspend(membership: Membership) -> bool:
        try:
            start.wait(timeout=10)
            members.suspend_member(membership=membership, actor=team.admin)
        except DomainError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(suspend, [second, team.membership(team.admin)]))

    assert sorted(outcomes) == [False, True]
