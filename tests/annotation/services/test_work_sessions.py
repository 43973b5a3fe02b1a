"""Work sessions by hand: breaks, corrections, and nothing that counts twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from time_machine import Traveller

from annotation.models import WorkSession
from annotation.services import work_sessions
from annotation.services.work_time import record_time
from annotation.work_hours import total_seconds
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that the test moves."""
    with time_machine.travel(NINE, tick=False) as traveller:
        yield traveller


@pytest.fixture
def team(clock: Traveller) -> Team:
    return make_team()


def start(team: Team) -> WorkSession:
    return work_sessions.start_session(project=team.project, person=team.annotator)


def hours(session: WorkSession) -> float:
    return total_seconds(session.spans(datetime.now(UTC))) / 3600


def worked(team: Team, clock: Traveller, length: timedelta = 3 * HOUR) -> WorkSession:
    """A stopped session of some hours, kept going by submits."""
    session = start(team)
    for _ in range(int(length / timedelta(minutes=20))):
        clock.shift(timedelta(minutes=20))
        record_time(
            project=team.project, person=team.annotator, stage="verify", item_id=1
        )
    return work_sessions.stop_session(session=session)


def test_breaks_do_not_count(team: Team, clock: Traveller) -> None:
    session = start(team)
    clock.shift(timedelta(minutes=20))
    work_sessions.pause_session(session=session)
    clock.shift(HOUR)
    assert hours(session) == pytest.approx(1 / 3)
    work_sessions.resume_session(session=session)
    clock.shift(timedelta(minutes=10))
    work_sessions.stop_session(session=session)
    assert hours(session) == 0.5
    assert session.closed == "stopped"
    assert_events_rebuild_the_tables()


def test_a_submit_ends_the_break(team: Team, clock: Traveller) -> None:
    session = start(team)
    clock.shift(timedelta(minutes=10))
    work_sessions.pause_session(session=session)
    clock.shift(HOUR)
    record_time(project=team.project, person=team.annotator, stage="write", item_id=1)
    session.refresh_from_db()
    assert session.state == "running"
    assert hours(session) == pytest.approx(1 / 6)
    assert_events_rebuild_the_tables()


def test_a_break_that_nobody_ended_is_the_end(team: Team, clock: Traveller) -> None:
    session = start(team)
    clock.shift(timedelta(minutes=10))
    work_sessions.pause_session(session=session)
    clock.shift(timedelta(hours=13))
    again = start(team)
    session.refresh_from_db()
    assert again != session
    assert session.ended_at == NINE + timedelta(minutes=10)
    assert session.closed == "forgotten"
    assert_events_rebuild_the_tables()


def test_stopping_a_forgotten_session_adds_nothing(
    team: Team, clock: Traveller
) -> None:
    session = start(team)
    clock.shift(timedelta(hours=9))
    work_sessions.stop_session(session=session)
    assert session.ended_at == NINE + timedelta(minutes=5)
    assert session.closed == "forgotten"
    with pytest.raises(StaleStateError, match="ended already"):
        work_sessions.stop_session(session=session)


def test_a_correction_counts_and_the_measured_time_stays(
    team: Team, clock: Traveller
) -> None:
    session = worked(team, clock)
    work_sessions.correct_session(
        session=session,
        started_at=NINE - HOUR,
        ended_at=NINE + 3 * HOUR,
        break_length=timedelta(minutes=30),
        reason="I read the papers before.",
    )
    assert hours(session) == 3.5
    assert total_seconds(session.measured_spans(datetime.now(UTC))) == 3 * 3600
    event = Event.objects.get(noun="worksession", verb="correct")
    assert event.actor == team.annotator
    assert event.why == "I read the papers before."
    assert event.payload["was"]["corrected_at"] is None
    assert_events_rebuild_the_tables()
    work_sessions.withdraw_correction(session=session)
    assert hours(session) == 3
    assert_events_rebuild_the_tables()


def test_a_correction_of_the_end_keeps_the_breaks_where_they_were(
    team: Team, clock: Traveller
) -> None:
    session = start(team)
    clock.shift(timedelta(minutes=10))
    work_sessions.pause_session(session=session)
    clock.shift(timedelta(minutes=15))
    work_sessions.resume_session(session=session)
    clock.shift(timedelta(minutes=5))
    work_sessions.stop_session(session=session)
    clock.shift(2 * HOUR)
    work_sessions.correct_session(
        session=session,
        started_at=NINE,
        ended_at=NINE + HOUR,
        break_length=timedelta(minutes=15),
        reason="The browser had crashed.",
    )
    assert session.corrected_pauses == session.pauses
    assert hours(session) == 0.75


@pytest.mark.parametrize(
    ("begin", "end", "pause", "reason", "words"),
    [
        (2, 1, 0, "x", "before the start"),
        (1, 99, 0, "x", "future"),
        (-30, 1, 0, "x", "at most 24 hours"),
        (0, 1, 1, "x", "breaks are longer"),
        (0, 1, 0, "  ", "Say why"),
        (0, 1, 0, "x" * 501, "at most 500"),
    ],
)
def test_impossible_times_are_refused_in_words(
    team: Team,
    clock: Traveller,
    begin: float,
    end: float,
    pause: float,
    reason: str,
    words: str,
) -> None:
    session = worked(team, clock)
    with pytest.raises(DomainError, match=words):
        work_sessions.correct_session(
            session=session,
            started_at=NINE + begin * HOUR,
            ended_at=NINE + end * HOUR,
            break_length=pause * HOUR,
            reason=reason,
        )
    session.refresh_from_db()
    assert not session.is_corrected


def test_no_time_counts_twice(team: Team, clock: Traveller) -> None:
    worked(team, clock)
    values: dict[str, Any] = {
        "project": team.project,
        "person": team.annotator,
        "break_length": timedelta(0),
        "reason": "A meeting.",
    }
    with pytest.raises(DomainError, match="overlap"):
        work_sessions.enter_session(
            started_at=NINE + 2 * HOUR, ended_at=NINE + 3 * HOUR, **values
        )
    entered = work_sessions.enter_session(
        started_at=NINE - HOUR, ended_at=NINE, **values
    )
    assert hours(entered) == 1
    with pytest.raises(DomainError, match="entered this session yourself"):
        work_sessions.withdraw_correction(session=entered)
    assert_events_rebuild_the_tables()


def test_a_running_session_is_stopped_before_it_is_corrected(team: Team) -> None:
    session = start(team)
    with pytest.raises(DomainError, match="still runs"):
        work_sessions.correct_session(
            session=session,
            started_at=NINE - HOUR,
            ended_at=NINE,
            break_length=timedelta(0),
            reason="x",
        )
