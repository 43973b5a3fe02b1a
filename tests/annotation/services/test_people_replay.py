"""Events of projects and people are complete: replaying them gives the tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.services.erasure import erase_identity
from annotation.services.guidelines import publish_consent_text, publish_guideline
from annotation.services.members import (
    accept_invitation,
    change_stages,
    create_invitation,
    reinstate_member,
    revoke_invitation,
    suspend_member,
    trust_member,
)
from annotation.services.projects import (
    archive_project,
    change_project,
    restore_project,
    settings_key,
)
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import Team, accept_texts, make_team

pytestmark = pytest.mark.django_db


def test_everything_that_happens_to_people_can_be_rebuilt() -> None:
    team = make_team(citances=2)
    _change_everything(team)
    _let_people_in(team)
    _move_a_member(team)
    assert_events_rebuild_the_tables()

    erase_identity(user=team.annotator, actor=team.annotator)
    assert_events_rebuild_the_tables()


def _change_everything(team: Team) -> None:
    project, admin = team.project, team.admin
    change_project(
        project=project,
        actor=admin,
        seen=settings_key(project),
        name="Teas",
        description="All teas",
        visibility="public",
        rules=replace(project.rules, split_shares=(0.5, 0.25, 0.25)),
        labels=project.labels[:2],
    )
    archive_project(project=project, actor=admin)
    restore_project(project=project, actor=admin)
    archive_project(project=project, actor=admin)
    publish_guideline(project=project, text="B", actor=admin, change_note="Shorter")
    publish_consent_text(project=project, text="B", actor=admin)
    accept_texts(project, team.reviewer)


def _let_people_in(team: Team) -> None:
    note = f"For {team.annotator.email}"
    _, token = create_invitation(
        project=team.project, stages=["write"], actor=team.admin, note=note
    )
    accept_invitation(token=token, user=team.outsider)
    invitation, _ = create_invitation(
        project=team.project, stages=["admin"], actor=team.admin, max_uses=3
    )
    revoke_invitation(invitation=invitation, actor=team.admin)


def _move_a_member(team: Team) -> None:
    membership = team.membership(team.annotator)
    change_stages(membership=membership, stages=["review"], actor=team.admin)
    suspend_member(membership=membership, actor=team.admin, why="On leave")
    reinstate_member(membership=team.membership(team.annotator), actor=team.admin)
    trust_member(membership=team.membership(team.annotator), actor=team.admin)
