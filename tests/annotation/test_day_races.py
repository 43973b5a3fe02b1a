"""One person in several tabs, and two admins who undo the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.access import get_project
from annotation.models import Claim, TaskTime, WorkSession
from annotation.services.bulk import act_on_many
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.running import crowd
from tests.annotation.work import written
from tests.factories import Team, make_team

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return make_team(citances=1)


def test_submits_at_one_moment_open_one_work_session(
    team: Team, tmp_path: Path
) -> None:
    tabs = [team.annotator] * 4
    results = crowd(tmp_path, "record_time", team.project.pk, tabs)
    assert sorted(results) == ["won: opened", *["won: went on"] * 3]
    assert WorkSession.objects.count() == 1
    assert TaskTime.objects.count() == 4
    assert_events_rebuild_the_tables()


def test_a_change_of_many_is_undone_once(team: Team, tmp_path: Path) -> None:
    access = get_project(team.admin, team.project.slug)
    claim = written(team)
    bulk = act_on_many(
        access=access,
        noun="claim",
        item_ids=[claim.pk],
        action="retire",
        reason="A duplicate.",
    )
    results = crowd(tmp_path, "undo_many", bulk.pk, [team.admin] * 3)
    assert results.count("won") == 1
    assert all("undone" in result for result in results if result != "won")
    assert Claim.objects.get().state == "submitted"
    assert_events_rebuild_the_tables()
