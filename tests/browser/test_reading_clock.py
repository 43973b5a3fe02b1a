"""Reading the guideline counts as work; an idle page does not."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Request
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, WorkSession

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_minute_of_reading_is_told_and_an_idle_page_is_silent(
    live_server: LiveServer, admin_client: Client, admin_page: Page
) -> None:
    project = Project.objects.get(protocol="scifact")
    told: list[Request] = []
    admin_page.on(
        "request", lambda r: told.append(r) if r.url.endswith("/reading/") else None
    )
    admin_page.clock.install()
    address = reverse("annotation:guideline", args=[project.slug])
    admin_page.goto(live_server.url + address)
    admin_page.mouse.move(200, 200)
    admin_page.mouse.move(220, 260)
    with admin_page.expect_response(lambda r: r.url.endswith("/reading/")) as answer:
        admin_page.clock.run_for(61_000)
    assert answer.value.status == 204
    assert answer.value.request.post_data == "active_seconds=60&elapsed_seconds=60"
    session = WorkSession.objects.get(opened=WorkSession.Opened.BY_READING)
    assert session.project == project
    # After three minutes without a sign of the reader nothing is counted any more.
    admin_page.clock.run_for(200_000)
    count = len(told)
    admin_page.clock.run_for(600_000)
    assert len(told) == count
    assert count <= 3
