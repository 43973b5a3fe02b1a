"""Work sessions: opened, kept going, forgotten, and never counted twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from time_machine import Traveller

from annotation.models import TaskTime, WorkSession
from annotation.seconds import Seconds
from annotation.services.work_time import note_activity, open_session, record_time
from annotation.work_hours import total_seconds
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that the test moves."""
    with time_machine.travel(NINE, tick=False) as traveller:
        yield traveller


@pytest.fixture
def team(clock: Traveller) -> Team:
    return make_team()


def submit(team: Team, active: int | None = None, **more: object) -> object:
    values = {"project": team.project, "person": team.annotator, "stage": "verify"}
    seconds = Seconds(active, None if active is None else active + 10)
    return record_time(**{**values, "item_id": 7, "seconds": seconds, **more})  # type: ignore[arg-type]


def minutes(session: WorkSession) -> float:
    return total_seconds(session.spans(datetime.now(UTC))) / 60


def test_the_first_submit_opens_a_session_from_when_the_work_began(team: Team) -> None:
    opened = submit(team, 120)
    assert isinstance(opened, WorkSession)
    assert opened.started_at == NINE - timedelta(seconds=120)
    assert opened.opened == WorkSession.Opened.BY_WORK
    row = TaskTime.objects.get()
    assert (row.active_seconds, row.elapsed_seconds, row.at) == (120, 130, NINE)
    assert_events_rebuild_the_tables()


def test_further_submits_keep_it_going(team: Team, clock: Traveller) -> None:
    submit(team, 60)
    clock.shift(timedelta(minutes=29))
    assert submit(team, 60) is None
    clock.shift(timedelta(minutes=10))
    session = WorkSession.objects.get()
    assert minutes(session) == 40
    assert session.last_activity_at == NINE + timedelta(minutes=29)


def test_a_forgotten_session_ends_five_minutes_after_the_last_activity(
    team: Team, clock: Traveller
) -> None:
    submit(team, 0)
    clock.shift(timedelta(hours=5))
    first = WorkSession.objects.get()
    assert first.is_forgotten(datetime.now(UTC))
    assert minutes(first) == 5
    second = submit(team, 60)
    first.refresh_from_db()
    assert (first.state, first.closed) == ("ended", "forgotten")
    assert first.ended_at == NINE + timedelta(minutes=5)
    assert isinstance(second, WorkSession)
    assert second.started_at == NINE + timedelta(hours=5, minutes=-1)
    assert_events_rebuild_the_tables()


def test_long_work_on_one_item_is_no_forgotten_session(
    team: Team, clock: Traveller
) -> None:
    submit(team, 0)
    clock.shift(timedelta(minutes=50))
    assert submit(team, 45 * 60) is None
    assert minutes(WorkSession.objects.get()) == 50


def test_a_page_that_is_still_read_keeps_the_session(
    team: Team, clock: Traveller
) -> None:
    submit(team, 0)
    for _ in range(3):
        clock.shift(timedelta(minutes=20))
        note_activity(person=team.annotator)
    assert minutes(WorkSession.objects.get()) == 60
    clock.shift(timedelta(minutes=31))
    note_activity(person=team.annotator)
    assert minutes(WorkSession.objects.get()) == 65


def test_work_in_another_project_moves_the_session(
    team: Team, clock: Traveller
) -> None:
    other = make_team(name="Sleep")
    submit(team, 0)
    clock.shift(timedelta(minutes=20))
    opened = submit(team, 60, project=other.project)
    assert isinstance(opened, WorkSession)
    first = WorkSession.objects.get(project=team.project)
    assert (first.closed, minutes(first)) == ("switched", 19)
    assert opened.started_at == first.ended_at
    assert open_session(team.annotator) == opened
    assert_events_rebuild_the_tables()


def test_a_form_sent_twice_counts_once(team: Team) -> None:
    key = uuid.uuid4()
    submit(team, 60, submission_key=key)
    assert submit(team, 60, submission_key=key) is None
    assert TaskTime.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (Seconds(50, 40), (40, 40)),
        (Seconds(-5, 40), (0, 40)),
        (Seconds(10**9, 10**9), (14_400, 14_400)),
        (Seconds(), (None, None)),
    ],
)
def test_only_what_can_be_is_believed(
    team: Team, sent: Seconds, kept: tuple[int | None, int | None]
) -> None:
    submit(team, seconds=sent)
    row = TaskTime.objects.get()
    assert (row.active_seconds, row.elapsed_seconds) == kept
