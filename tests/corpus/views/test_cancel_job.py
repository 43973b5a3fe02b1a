"""Cancelling a job from its page."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from corpus import live
from corpus.job_runner import claim_job
from corpus.models import Job, User
from tests.corpus.conftest import StartJob
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def url(job: Job) -> str:
    return reverse("corpus:cancel_job", args=[job.token])


def test_a_waiting_job_is_cancelled_and_its_page_says_so(
    client: Client, owner: User, start: StartJob
) -> None:
    job = start("count")
    client.force_login(owner)
    response = client.post(url(job), follow=True)
    assert response.redirect_chain == [(reverse("corpus:job", args=[job.token]), 302)]
    assert "Cancelled." in response.content.decode()


def test_the_worker_of_a_running_job_is_asked_to_stop(
    client: Client, owner: User, start: StartJob
) -> None:
    job = claim_job(start("count").pk)
    assert job is not None
    client.force_login(owner)
    assert "stopping" in client.post(url(job), follow=True).content.decode()
    assert live.is_cancel_requested(job.pk)


def test_without_the_queue_the_page_says_that_nothing_was_cancelled(
    client: Client,
    owner: User,
    start: StartJob,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = start("count")
    client.force_login(owner)
    monkeypatch.setattr(live, "request_cancel", lambda _: False)
    response = client.post(url(job), follow=True)
    assert "cannot be reached" in response.content.decode()
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED


def test_nobody_else_cancels_it(client: Client, start: StartJob) -> None:
    job = start("count")
    assert client.post(url(job)).status_code == 302
    client.force_login(UserFactory())
    assert client.post(url(job)).status_code == 404
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED
    assert not live.is_cancel_requested(job.pk)


def test_a_link_does_not_cancel(client: Client, owner: User, start: StartJob) -> None:
    client.force_login(owner)
    assert client.get(url(start("count"))).status_code == 405
