"""The page about the API in Chromium: both themes, desk and phone, and the policy."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessibility import DESK, PHONE, assert_accessible, assert_fits

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_keeps_the_policy_and_is_accessible(
    live_server: LiveServer, page: Page
) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.goto(live_server.url + reverse("api_docs"))
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    assert_accessible(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)
    assert problems == []


def test_a_link_to_a_shape_opens_it(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url + reverse("api_docs"))
    fields = page.locator("#shape-ClaimDetail")
    expect(fields).not_to_be_visible()
    page.click("a[href='#shape-ClaimDetail'] >> nth=0")
    expect(fields).to_be_visible()
    expect(fields).to_contain_text("versions")
