"""The page of a job: how far it is, what came of it, and who may see it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from corpus import live
from corpus.job_runner import JobRun, claim_job
from corpus.models import Job, User
from tests.corpus.conftest import StartJob
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def visitor(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def url(job: Job) -> str:
    return reverse("corpus:job", args=[job.token])


def ended(job: Job, **values: Any) -> Job:
    Job.objects.filter(pk=job.pk).update(**values)
    job.refresh_from_db()
    return job


def test_a_waiting_job_says_within_seconds_that_no_worker_is_running(
    visitor: Client, start: StartJob
) -> None:
    job = start("count")
    html = visitor.get(url(job)).content.decode()
    assert "No worker is running" in html
    assert "make run" in html
    assert "waiting to start" in html
    live.pulse()
    assert "No worker is running" not in visitor.get(url(job)).content.decode()


def test_the_notice_comes_and_goes_while_the_page_is_open(
    visitor: Client, start: StartJob
) -> None:
    job = start("count")
    part = visitor.get(url(job), headers=HTMX).content.decode()
    assert "No worker is running" in part
    assert 'hx-swap-oob="true"' in part
    assert "<html" not in part
    live.pulse()
    part = visitor.get(url(job), headers=HTMX).content.decode()
    assert "No worker is running" not in part
    assert 'id="worker-notice" hx-swap-oob="true"' in part


def test_a_running_job_shows_its_progress_and_asks_again_each_second(
    visitor: Client, start: StartJob
) -> None:
    job = claim_job(start("count").pk)
    assert job is not None
    JobRun(job).report(30, 120, "reading")
    html = visitor.get(url(job)).content.decode()
    assert 'value="30" max="120"' in html
    assert f'hx-get="{url(job)}"' in html
    assert 'hx-trigger="every 1s"' in html
    assert reverse("corpus:cancel_job", args=[job.token]) in html


@pytest.mark.parametrize(
    ("kind", "shown"),
    [("export_claims", "2048 of 4096"), ("import_documents", "2.0 KB of 4.0 KB")],
)
def test_the_part_of_a_file_that_was_read_is_told_in_its_size(
    visitor: Client, start: StartJob, kind: str, shown: str
) -> None:
    job = claim_job(start("count").pk)
    assert job is not None
    JobRun(job).report(2048, 4096, "reading")
    Job.objects.filter(pk=job.pk).update(kind=kind)
    html = visitor.get(url(job)).content.decode()
    words = " ".join(html.replace("\u202f", "").replace("\xa0", " ").split())
    assert shown in words


def test_a_job_that_stops_offers_no_second_cancel(
    visitor: Client, start: StartJob
) -> None:
    job = claim_job(start("count").pk)
    assert job is not None
    live.request_cancel(job.pk)
    html = visitor.get(url(job)).content.decode()
    assert "stopping" in html
    assert reverse("corpus:cancel_job", args=[job.token]) not in html


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({"state": "failed", "error": "Line 3 has no id."}, "Line 3 has no id."),
        ({"state": "failed", "error": "<script>x</script>"}, "&lt;script&gt;x"),
        ({"state": "cancelled"}, "Cancelled."),
        ({"state": "done"}, "Done."),
        ({"state": "done", "result": {"counts": {"new": 5183}}}, "5\u202f183"),
        ({"state": "done", "result": {"redirect": "/somewhere/"}}, "/somewhere/"),
        ({"state": "done", "result": {"file": "abc"}}, "/files/abc/"),
        (
            {
                "state": "failed",
                "error": "Not imported.",
                "result": {"problems": [{"line": 7, "message": "<b>bad</b> id"}]},
            },
            "&lt;b&gt;bad&lt;/b&gt; id",
        ),
    ],
)
def test_an_ended_job_shows_what_came_of_it(
    visitor: Client, start: StartJob, values: dict[str, Any], shown: str
) -> None:
    job = ended(start("count"), **values)
    html = visitor.get(url(job)).content.decode()
    assert shown in html
    assert "every 1s" not in html
    assert "No worker is running" not in html


@pytest.mark.parametrize(
    ("result", "header", "value"),
    [
        ({"redirect": "/somewhere/"}, "HX-Redirect", "/somewhere/"),
        ({}, "HX-Refresh", "true"),
    ],
)
def test_an_open_page_moves_on_when_the_job_ends(
    visitor: Client, start: StartJob, result: dict[str, Any], header: str, value: str
) -> None:
    job = ended(start("count"), state="done", result=result)
    assert visitor.get(url(job), headers=HTMX)[header] == value


def test_the_problems_of_a_file_are_named_as_such(
    visitor: Client, start: StartJob
) -> None:
    job = ended(start("count"), state="done", result={"problems": [{"line": 7}]})
    assert "Problems in the file" in visitor.get(url(job)).content.decode()


def test_the_page_costs_a_fixed_number_of_queries(
    visitor: Client,
    start: StartJob,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    problems = [{"line": n, "message": "no id"} for n in range(100)]
    job = ended(start("count"), state="failed", result={"problems": problems})
    with django_assert_num_queries(4):  # session, user, job, what is new
        visitor.get(url(job))


def test_nobody_else_knows_of_a_job_but_staff(client: Client, start: StartJob) -> None:
    job = start("count")
    assert client.get(url(job)).status_code == 302
    client.force_login(UserFactory())
    assert client.get(url(job)).status_code == 404
    client.force_login(UserFactory(is_staff=True))
    assert client.get(url(job)).status_code == 200


def test_it_is_only_read(visitor: Client, start: StartJob) -> None:
    assert visitor.post(url(start("count"))).status_code == 405
