"""Telling people: once each, replayable, and taken back while nobody has read it."""

from __future__ import annotations

import pytest

from annotation.access import get_project
from annotation.models import Notice, Stage
from annotation.services.leases import release_lease, take_away, take_item
from annotation.services.notices import (
    notify,
    read_all_notices,
    read_notice,
    withdraw_notices,
)
from corpus.models import User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import ClaimFactory, Team, UserFactory

pytestmark = pytest.mark.django_db


def _tell(team: Team, *users: User) -> list[Notice]:
    return notify(
        users=users,
        project=team.project,
        kind="returned",
        text="Your claim came back.",
        url="/x/",
    )


def test_each_person_is_told_once_and_the_inactive_are_not(team: Team) -> None:
    gone = UserFactory(is_active=False)
    told = _tell(team, team.annotator, team.annotator, team.reviewer, gone)
    assert [notice.user for notice in told] == [team.annotator, team.reviewer]


def test_reading_is_noted_once(team: Team) -> None:
    (notice,) = _tell(team, team.annotator)
    read_notice(notice=notice)
    notice.refresh_from_db()
    first = notice.read_at
    assert first is not None
    read_notice(notice=notice)
    notice.refresh_from_db()
    assert notice.read_at == first


def test_all_are_read_of_one_person_only(team: Team) -> None:
    _tell(team, team.annotator, team.reviewer)
    _tell(team, team.annotator)
    assert read_all_notices(user=team.annotator) == 2
    assert read_all_notices(user=team.annotator) == 0
    assert Notice.objects.filter(read_at=None).get().user == team.reviewer


def test_only_what_is_new_and_unread_is_withdrawn(team: Team) -> None:
    (earlier,) = _tell(team, team.annotator)
    (later,) = _tell(team, team.annotator)
    (read,) = _tell(team, team.annotator)
    read_notice(notice=read)
    withdraw_notices(
        users=[team.annotator],
        project=team.project,
        urls=["/x/"],
        since=later.created_at,
    )
    assert set(Notice.objects.all()) == {earlier, read}
    assert not Notice.objects.filter(pk=later.pk).exists()
    assert_events_rebuild_the_tables()


def test_who_loses_an_item_to_an_admin_is_told(team: Team) -> None:
    claim = ClaimFactory(project=team.project, state="submitted")
    access = get_project(team.reviewer, team.project.slug)
    lease = take_item(access=access, stage=Stage.PROOFREAD, item_id=claim.pk)
    take_away(lease=lease, actor=team.admin)
    notice = Notice.objects.get()
    assert (notice.user, notice.kind) == (team.reviewer, "released")
    assert "proofread claims" in notice.text


def test_who_gives_an_item_back_is_told_nothing(team: Team) -> None:
    claim = ClaimFactory(project=team.project, state="submitted")
    access = get_project(team.reviewer, team.project.slug)
    take_item(access=access, stage=Stage.PROOFREAD, item_id=claim.pk)
    release_lease(user=team.reviewer, stage=Stage.PROOFREAD, item_id=claim.pk)
    assert not Notice.objects.exists()
