"""A person's day and week in their own zone, and the pay sheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from time_machine import Traveller

from annotation.models import Review, TaskTime, WorkSession
from annotation.services import work_sessions
from annotation.services.judgement_reviews import request_judgement_changes
from annotation.services.review_undo import undo_review
from annotation.services.work_time import record_time
from corpus.models import User
from tests.annotation.work import approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
# A Monday; Berlin is at UTC+1, and changed its clocks on Sunday 25 October.
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
THIN = "\u202f"


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that the test moves."""
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


@pytest.fixture
def team(clock: Traveller) -> Team:
    return make_team(citances=6)


def visit(user: User, url: str, **data: Any) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(url, data)


def page(user: User, name: str = "my_day", **data: Any) -> str:
    text: str = visit(user, reverse(f"annotation:{name}"), **data).content.decode()
    return " ".join(text.replace(THIN, " ").split())


def sheet(response: Any) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def zone(user: User, name: str) -> None:
    user.time_zone = name
    user.save()


def enter(team: Team, start: datetime, end: datetime, **values: Any) -> WorkSession:
    return work_sessions.enter_session(
        project=team.project,
        person=values.pop("person", team.annotator),
        started_at=start,
        ended_at=end,
        break_length=timedelta(0),
        reason=values.pop("reason", "A meeting."),
    )


def test_the_day_says_time_pieces_and_what_came_back(
    team: Team, clock: Traveller
) -> None:
    other = team.other_annotator
    pairs = [approved(team, f"Tea {n} helps.").pairs.get() for n in range(3)]
    work_sessions.start_session(project=team.project, person=other)
    for pair in pairs:
        clock.shift(timedelta(minutes=20))
        judgement = judged(pair, other)
        record_time(project=team.project, person=other, stage="verify", item_id=pair.pk)
    request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="See the second sentence.",
        expected_version=1,
    )
    text = page(other)
    assert "Today 1 h 0 min, 3 pairs, 1 returned" in text
    assert "first in your queue" in text
    assert reverse("annotation:verify_pairs", args=[team.project.slug]) in text
    assert "Today 0 min, 3 claims" in page(team.annotator)
    assert "Today 0 min, 3 claims proofread, 1 judgement reviewed" in page(
        team.reviewer
    )


def test_what_a_reviewer_took_back_is_no_piece_of_work(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="See the second sentence.",
        expected_version=1,
    )
    assert "1 judgement reviewed" in page(team.reviewer)
    assert "1 returned" in page(team.other_annotator)
    undo_review(
        review=Review.objects.exclude(judgement_version=None).get(),
        reviewer=team.reviewer,
    )
    assert "judgement reviewed" not in page(team.reviewer)
    assert "1 returned" not in page(team.other_annotator)


def test_days_end_at_the_readers_midnight(team: Team) -> None:
    enter(
        team,
        datetime(2026, 11, 28, 21, 0, tzinfo=UTC),
        datetime(2026, 11, 29, 1, 0, tzinfo=UTC),
    )
    assert "28 November 2026: 3 h 0 min" in page(team.annotator, date="2026-11-28")
    zone(team.annotator, "Europe/Berlin")
    assert "28 November 2026: 2 h 0 min" in page(team.annotator, date="2026-11-28")
    assert "29 November 2026: 2 h 0 min" in page(team.annotator, date="2026-11-29")
    zone(team.annotator, "Asia/Kolkata")
    assert "28 November 2026: 0 min" in page(team.annotator, date="2026-11-28")
    assert "29 November 2026: 4 h 0 min" in page(team.annotator, date="2026-11-29")


def test_the_night_of_the_changed_clock_keeps_its_hours(team: Team) -> None:
    zone(team.annotator, "Europe/Berlin")
    # 22:00 to 06:00 on the wall in Berlin, and nine hours of work.
    enter(
        team,
        datetime(2026, 10, 24, 20, 0, tzinfo=UTC),
        datetime(2026, 10, 25, 5, 0, tzinfo=UTC),
    )
    assert "25 October 2026: 7 h 0 min" in page(team.annotator, date="2026-10-25")
    assert "2026-W43: 9 h 0 min" in page(team.annotator, "my_week", week="2026-W43")


def test_the_pay_sheet_states_week_zone_and_corrections(
    team: Team, clock: Traveller
) -> None:
    zone(team.annotator, "Europe/Berlin")
    session = work_sessions.start_session(project=team.project, person=team.annotator)
    clock.shift(timedelta(minutes=20))
    work_sessions.stop_session(session=session)
    clock.shift(timedelta(hours=2))
    work_sessions.correct_session(
        session=session,
        started_at=MONDAY,
        ended_at=MONDAY + timedelta(hours=2),
        break_length=timedelta(minutes=30),
        reason="=cmd|' /C calc'!A0",
    )
    response = visit(team.annotator, reverse("annotation:my_week_csv"), week="2026-W49")
    assert response["Content-Disposition"].endswith('"work-time-2026-W49.csv"')
    (row,) = sheet(response)
    assert row == {
        "week": "2026-W49",
        "time_zone": "Europe/Berlin",
        "person": str(team.annotator),
        "project": str(team.project),
        "date": "2026-11-30",
        "start": "2026-11-30 10:00",
        "end": "2026-11-30 12:00",
        "break_minutes": "30.0",
        "worked_minutes": "90.0",
        "worked_hours": "1.50",
        "opened": "started by hand",
        "closed": "stopped by hand",
        "is_corrected": "yes",
        "measured_start": "2026-11-30 10:00",
        "measured_end": "2026-11-30 10:20",
        "measured_minutes": "20.0",
        "reason": "'=cmd|' /C calc'!A0",
        "corrected_at": "2026-11-30 12:20",
    }


def test_admins_get_the_sheet_of_all_members_and_nobody_elses(team: Team) -> None:
    other = make_team(name="Sleep")
    hour = timedelta(hours=1)
    enter(team, MONDAY - 2 * hour, MONDAY - hour, person=team.annotator)
    enter(team, MONDAY - 2 * hour, MONDAY - hour, person=team.reviewer)
    enter(other, MONDAY - 2 * hour, MONDAY - hour, person=other.annotator)
    url = reverse("annotation:project_week_csv", args=[team.project.slug])
    rows = sheet(visit(team.admin, url))
    assert sorted(row["person"] for row in rows) == sorted(
        [str(team.annotator), str(team.reviewer)]
    )
    assert visit(team.reviewer, url).status_code == 403
    own = sheet(visit(team.annotator, reverse("annotation:my_week_csv")))
    assert [row["person"] for row in own] == [str(team.annotator)]


def test_a_session_over_midnight_has_a_row_for_each_day(team: Team) -> None:
    enter(
        team,
        datetime(2026, 11, 25, 22, 0, tzinfo=UTC),
        datetime(2026, 11, 26, 1, 30, tzinfo=UTC),
    )
    rows = sheet(
        visit(team.annotator, reverse("annotation:my_week_csv"), week="2026-W48")
    )
    assert [(r["date"], r["worked_hours"]) for r in rows] == [
        ("2026-11-25", "2.00"),
        ("2026-11-26", "1.50"),
    ]


def test_start_break_and_stop_by_the_buttons(team: Team, clock: Traveller) -> None:
    client = Client()
    client.force_login(team.annotator)
    day = reverse("annotation:my_day")
    client.post(reverse("annotation:start_work", args=[team.project.slug]))
    session = WorkSession.objects.get()
    for action, minutes in (("pause", 10), ("resume", 60), ("stop", 10)):
        clock.shift(timedelta(minutes=minutes))
        url = reverse(f"annotation:{action}_work", args=[session.pk])
        assert client.post(url).headers["Location"] == day
    assert "Today 20 min" in page(team.annotator)
    late = client.post(reverse("annotation:stop_work", args=[session.pk]), follow=True)
    assert "ended already" in late.content.decode()


def test_a_forgotten_session_is_shown_as_such_and_can_be_corrected(
    team: Team, clock: Traveller
) -> None:
    session = work_sessions.start_session(project=team.project, person=team.annotator)
    clock.shift(timedelta(hours=3))
    text = page(team.annotator)
    assert "Today 5 min" in text
    assert "ended by itself: no activity" in text
    client = Client()
    client.force_login(team.annotator)
    url = reverse("annotation:correct_work", args=[session.pk])
    assert "2026-11-30T09:05" in client.get(url).content.decode()
    body = {
        "started_at": "2026-11-30T09:00",
        "ended_at": "2026-11-30T11:30",
        "break_minutes": "30",
        "reason": "The network was down.",
    }
    refused = client.post(url, {**body, "ended_at": "2026-11-30T08:00"})
    assert "before the start" in refused.content.decode()
    assert "The network was down." in refused.content.decode()
    client.post(url, body)
    text = page(team.annotator)
    assert "Today 2 h 0 min" in text
    assert "measured 09:00 to 09:05, 5 min" in text
    assert "“The network was down.”" in text


@pytest.mark.parametrize(
    "query", [{"date": "x"}, {"date": "0001-01-01"}, {"date": "2026-02-30"}]
)
def test_nonsense_days_show_today(team: Team, query: dict[str, str]) -> None:
    assert "Today 0 min" in page(team.annotator, **query)
    assert "2026-W49" in page(team.annotator, "my_week", week=query["date"])


def test_reading_the_guideline_counts(team: Team, clock: Traveller) -> None:
    client = Client()
    client.force_login(team.newcomer)
    url = reverse(
        "annotation:clock_reading", args=[team.project.slug, team.guideline.pk]
    )
    guideline = reverse("annotation:guideline", args=[team.project.slug])
    assert f'data-reading-url="{url}"' in client.get(guideline).content.decode()
    for sent in ({"active_seconds": "20"}, {"active_seconds": "x"}, {}):
        assert client.post(url, sent).status_code == 204
    assert not WorkSession.objects.exists()
    for _ in range(3):
        clock.shift(timedelta(minutes=1))
        assert client.post(url, {"active_seconds": "60"}).status_code == 204
    session = WorkSession.objects.get()
    assert session.opened == "by_reading"
    assert "Today 3 min" in page(team.newcomer)
    assert TaskTime.objects.filter(stage="guideline").count() == 3
    assert "data-reading-url" not in visit(team.read_only, guideline).content.decode()


@pytest.mark.parametrize("name", ["my_day", "my_week"])
def test_the_queries_of_a_day_do_not_grow(
    team: Team, name: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = Client()
    client.force_login(team.annotator)
    url, hour = reverse(f"annotation:{name}"), timedelta(hours=1)
    enter(team, MONDAY - 2 * hour, MONDAY - hour)
    with CaptureQueriesContext(connection) as before:
        client.get(url)
    for number in range(2, 5):
        enter(team, MONDAY - 2 * number * hour, MONDAY - (2 * number - 1) * hour)
    with django_assert_num_queries(len(before)):
        client.get(url)
