"""The pictures of a day and of the admin's view, taken from the demo."""

from __future__ import annotations

import os
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import JudgementVersion, Project, Skip, Stage, TaskTime
from annotation.seconds import Seconds
from annotation.services.work_sessions import enter_session
from annotation.services.work_time import record_time
from corpus.models import Event, User
from tests.paths import REPO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
YESTERDAY = datetime.combine(datetime.now(UTC).date() - timedelta(days=1), time(), UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures go."""
    if os.environ.get("CLAIMDESK_KEEP_SCREENSHOTS"):
        return REPO / "docs" / "screenshots"
    return tmp_path


def _work(project: Project, person: User) -> None:
    """A day of work, yesterday."""
    for begin, end, pause in ((9, 12.2, 0.25), (13, 15.75, 0)):
        enter_session(
            project=project,
            person=person,
            started_at=YESTERDAY + timedelta(hours=begin),
            ended_at=YESTERDAY + timedelta(hours=end),
            break_length=timedelta(hours=pause),
            reason="On paper, in the library.",
        )
    JudgementVersion.objects.filter(author=person, number=1).update(
        created_at=YESTERDAY + timedelta(hours=11)
    )


def _history(project: Project) -> None:
    """Changes spread over two weeks, seconds, and things that are stuck."""
    events = list(Event.objects.filter(project_id=project.pk).order_by("pk"))
    step = timedelta(days=14) / len(events)
    for number, event in enumerate(reversed(events)):
        event.at = timezone.now() - number * step
    Event.objects.bulk_update(events, ["at"], batch_size=200)
    people = [m.user for m in project.memberships.select_related("user")]
    for person in people:
        for number in range(12):
            record_time(
                project=project,
                person=person,
                stage=Stage.VERIFY,
                item_id=number,
                seconds=Seconds(30 + 7 * number, 60 + 9 * number),
            )
    for pair in project.pairs.filter(state="open")[:2]:
        for person in people[:2]:
            Skip.objects.create(
                project=project,
                stage=Stage.VERIFY,
                item_id=pair.pk,
                person=person,
                reason="Unclear.",
            )


def test_the_pictures_show_a_day_and_the_admins_view(
    live_server: LiveServer, admin_client: Client, admin_page: Page, folder: Path
) -> None:
    project = Project.objects.get(protocol="scifact")
    admin = User.objects.get(email="admin@claimdesk.test")
    _work(project, admin)
    _history(project)
    assert TaskTime.objects.exists()
    home = f"/projects/{project.slug}/progress/"
    admin_page.set_viewport_size({"width": 1280, "height": 800})
    for name, address, words in (
        ("day", f"/me/day/?date={YESTERDAY:%Y-%m-%d}", "5"),
        ("progress", home, "judged or imported"),
        ("stuck", f"{home}stuck/", "Skipped by 2 people or more"),
        ("items", f"{home}items/", "claims"),
    ):
        admin_page.goto(live_server.url + address)
        expect(admin_page.get_by_text(words).first).to_be_visible()
        picture = folder / f"{name}.png"
        admin_page.screenshot(path=picture)
        assert picture.stat().st_size > 10_000
