"""An open page of a job follows it, by itself, from waiting to its result."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from corpus import live
from corpus.job_runner import JobRun, claim_job
from corpus.models import Job, User
from tests.accessibility import DESK, PHONE, assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def job(owner: User) -> Job:
    """A job that waits: no worker takes it in these tests."""
    cache.clear()
    return Job.objects.create(kind="import_claims", owner=owner)


def open_page(page: Page, site: str, job: Job) -> None:
    """Open the job's page as its owner."""
    client = Client()
    client.force_login(job.owner)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
    page.goto(site + reverse("corpus:job", args=[job.token]))


def take(job: Job) -> JobRun:
    claimed = claim_job(job.pk)
    assert claimed is not None
    return JobRun(claimed)


def test_an_open_page_follows_its_job(
    live_server: LiveServer, page: Page, job: Job
) -> None:
    open_page(page, live_server.url, job)
    notice = page.get_by_text("No worker is running.")
    expect(notice).to_be_visible()
    live.pulse()
    expect(notice).to_be_hidden()
    run = take(job)
    run.report(30, 120, "reading")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "30")
    run.report(60, 120, "reading")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "60")
    with run.commit():
        run.finish({"counts": {"new claims": 120}})
    expect(page.get_by_text("Done.")).to_be_visible()
    expect(page.get_by_text("new claims")).to_be_visible()


def test_cancel_stays_under_the_fingers_while_the_page_renews_itself(
    live_server: LiveServer, page: Page, job: Job
) -> None:
    open_page(page, live_server.url, job)
    run = take(job)
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    for done in (30, 60):
        run.report(done, 120, f"part {done}")
        expect(page.get_by_role("progressbar")).to_have_attribute("value", str(done))
    expect(cancel).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("stopping")).to_be_visible()
    assert live.is_cancel_requested(job.pk)


def test_a_job_that_leads_somewhere_takes_the_person_there(
    live_server: LiveServer, page: Page, job: Job
) -> None:
    open_page(page, live_server.url, job)
    run = take(job)
    with run.commit():
        run.finish({"redirect": "/accounts/email/"})
    page.wait_for_url("**/accounts/email/", timeout=30_000)


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible_in_every_state(
    live_server: LiveServer,
    page: Page,
    job: Job,
    screen: tuple[int, int],
    theme: str,
) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    problems = [{"line": 7, "column": 3, "message": "no id", "value": "x" * 80}]
    states: list[dict[str, Any]] = [
        {"state": Job.State.QUEUED},
        {"state": Job.State.CANCELLED},
        {"state": Job.State.FAILED, "error": "Line 7 has no id."},
        {"state": Job.State.DONE, "result": {"counts": {"new": 7}, "file": "abc"}},
        {"state": Job.State.FAILED, "result": {"problems": problems}},
    ]
    for values in states:
        Job.objects.filter(pk=job.pk).update(**values)
        open_page(page, live_server.url, job)
        assert_accessible_and_fitting(page)
