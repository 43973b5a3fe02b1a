"""The demo in a browser, with its admin signed in."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from annotation.services.demo import load_demo
from corpus.models import User
from tests.processes import wait_until


@pytest.fixture(autouse=True)
def _answered(
    transactional_db: None, live_server: LiveServer, browser: Browser
) -> Iterator[None]:
    """Let the server answer what pages ask for at their end, before tables are emptied.

    A page saves its draft and loads the next item by itself; PostgreSQL would find
    such a request and the emptying waiting for each other.
    """
    yield
    for context in browser.contexts:
        context.close()
    wait_until(lambda: not _answering(), "the last requests to be answered")


def _answering() -> list[threading.Thread]:
    threads = threading.enumerate()
    return [t for t in threads if "process_request_thread" in t.name]


@pytest.fixture
def admin_client(transactional_db: None) -> Client:
    """The demo's admin, who sees every page."""
    load_demo()
    client = Client()
    admin = User.objects.get(email="admin@claimdesk.test")
    admin.is_superuser = True
    admin.save()
    client.force_login(admin)
    return client


@pytest.fixture
def admin_page(
    live_server: LiveServer, context: BrowserContext, admin_client: Client
) -> Page:
    """A browser that carries the admin's session."""
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies(
        [
            {
                "name": name,
                "value": admin_client.cookies[name].value,
                "url": live_server.url,
            }
        ]
    )
    return context.new_page()
