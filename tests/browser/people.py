"""People at their own browsers, signed in as anybody signs in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from corpus.models import User
from tests.factories import PASSWORD


@contextmanager
def at_work(browser: Browser, address: str, user: User) -> Iterator[Page]:
    """A page of a browser of its own, in which ``user`` has signed in by the form."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(user.display_name).first).to_be_attached()
    yield page
    context.close()
