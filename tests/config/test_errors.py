"""Error pages: the right status, what to do, and the id of the request."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries, Settings

from config.errors import server_error

PAGES = [
    ("400", 400, "Go back, reload the page"),
    ("403", 403, "Only reviewers decide."),
    ("500", 500, "The fault was recorded"),
]


@pytest.fixture(autouse=True)
def _gallery_urls(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.gallery_urls"


@pytest.mark.parametrize(("kind", "status", "words"), PAGES)
def test_an_error_page_says_what_to_do_and_names_the_logged_request(
    kind: str, status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = Client(raise_request_exception=False).get(f"/gallery/error/{kind}/")
    assert response.status_code == status
    assert words in response.text
    found = re.search(r"request id <code>([0-9a-f-]{36})</code>", response.text)
    assert found
    assert found[1] in caplog.text


def test_an_unknown_address_is_not_found() -> None:
    response = Client().get("/nothing-here/")
    assert response.status_code == 404
    assert "sign in with the account" in response.text


def test_a_form_without_a_token_tells_the_admin_about_public_url() -> None:
    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {})
    assert response.status_code == 403
    assert "PUBLIC_URL" in response.text
    assert "CSRF cookie not set" in response.text


@pytest.mark.django_db
def test_a_fault_page_needs_no_database(
    rf: RequestFactory, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    request = rf.get("/")
    request.session = SessionStore("a session that would have to be loaded")
    AuthenticationMiddleware(HttpResponse).process_request(request)
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
    with django_assert_num_queries(0):
        assert server_error(request).status_code == 500
