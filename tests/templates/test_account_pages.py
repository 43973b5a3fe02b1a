"""allauth's pages in our look: they are its own templates in our elements."""

from __future__ import annotations

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from corpus.models import User
from tests.accessibility import assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIGNED_OUT = ["login/", "signup/", "password/reset/"]
SIGNED_IN = [
    "email/",
    "password/change/",
    "2fa/",
    "reauthenticate/",
    "logout/",
]


def sign_in(page: Page, site: str) -> None:
    """Make an account and sign in as a person would."""
    mira = User.objects.create_user("mira", "mira@example.org", "a long password")
    EmailAddress.objects.create(
        user=mira, email=mira.email, verified=True, primary=True
    )
    page.goto(f"{site}/accounts/login/?next=/accounts/email/")
    page.locator("[name=login]").fill("mira@example.org")
    page.locator("[name=password]").fill("a long password")
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("Your account: mira").wait_for(timeout=30_000)


def test_pages_before_signing_in_are_accessible(
    live_server: LiveServer, themed_page: Page
) -> None:
    for path in SIGNED_OUT:
        themed_page.goto(f"{live_server.url}/accounts/{path}")
        assert_accessible_and_fitting(themed_page)


def test_pages_of_an_account_are_accessible(
    live_server: LiveServer, themed_page: Page
) -> None:
    sign_in(themed_page, live_server.url)
    for path in SIGNED_IN:
        themed_page.goto(f"{live_server.url}/accounts/{path}")
        themed_page.locator("summary[aria-label^='Your account']").click()
        assert_accessible_and_fitting(themed_page)


def test_setting_up_a_second_factor_is_accessible(
    live_server: LiveServer, themed_page: Page
) -> None:
    sign_in(themed_page, live_server.url)
    themed_page.goto(f"{live_server.url}/accounts/2fa/totp/activate/")
    assert_accessible_and_fitting(themed_page)  # asks for the password again
    themed_page.locator("[name=password]").fill("a long password")
    themed_page.get_by_role("button", name="Confirm").click()
    secret = themed_page.get_by_label("Authenticator secret").input_value()
    assert_accessible_and_fitting(themed_page)
    code = hotp_value(secret, int(time.time()) // 30)
    themed_page.locator("[name=code]").fill(format_hotp_value(code))
    themed_page.get_by_role("button", name="Activate").click()
    codes = themed_page.get_by_role("heading", name="Recovery codes", exact=True)
    codes.wait_for(timeout=30_000)
    assert_accessible_and_fitting(themed_page)


def test_signing_out_is_one_button_in_the_menu(
    live_server: LiveServer, page: Page
) -> None:
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/accounts/email/")
    page.get_by_label("Your account: mira").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{live_server.url}/")
    page.goto(f"{live_server.url}/accounts/email/")
    assert "/accounts/login/" in page.url
