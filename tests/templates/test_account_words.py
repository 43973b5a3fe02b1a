"""The pages about accounts say things in the words and capitals of the site."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from corpus.account_words import in_our_words
from corpus.models import User

SIGNED_OUT = {
    "login/": "Sign in",
    "signup/": "Create an account",
    "password/reset/": "Reset your password",
    "password/reset/done/": "Reset your password",
    "password/reset/key/1-x/": "This link no longer works",
    "confirm-email/": "Verify your email address",
    "confirm-email/none/": "Confirm the email address",
    "3rdparty/login/cancelled/": "Signing in was cancelled",
}
SIGNED_IN = {
    "logout/": "Sign out",
    "email/": "Email addresses",
    "password/change/": "Change the password",
    "2fa/": "Two-factor authentication",
    "2fa/totp/activate/": "Activate the authenticator app",
    "3rdparty/": "Connected accounts",
}
# Two words in a row with a capital each, of which none is a name.
TITLE_CASE = re.compile(r"\b[A-Z][a-z]+[ -][A-Z][a-z]+")


class Spoken(HTMLParser):
    """Collects what titles, headings, buttons, links and labels of a page say."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.heading = ""
        self._in: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in {"title", "h1", "h2", "h3", "button", "a", "label", "p", "summary"}:
            self._in.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._in and self._in[-1] == tag:
            self._in.pop()

    def handle_data(self, data: str) -> None:
        if not self._in or not data.strip():
            return
        self.words.append(" ".join(data.split()))
        if self._in[-1] == "h1" and not self.heading:
            self.heading = self.words[-1]


def _look(client: Client, path: str) -> Spoken:
    page = client.get(f"/accounts/{path}", follow=True).content.decode()
    return Spoken(page)


def _signed_in() -> Client:
    mira = User.objects.create_user("mira", "mira@example.org", "a long password")
    EmailAddress.objects.create(
        user=mira, email=mira.email, verified=True, primary=True
    )
    client = Client()
    sent = {"login": mira.email, "password": "a long password"}
    assert client.post("/accounts/login/", sent).status_code == 302
    assert "Confirm that it is you" in _look(client, "2fa/totp/activate/").words
    client.post("/accounts/reauthenticate/", {"password": "a long password"})
    return client


@pytest.mark.django_db
def test_every_page_of_an_account_speaks_as_the_site_does(client: Client) -> None:
    member = _signed_in()
    pages = [(client, SIGNED_OUT), (member, SIGNED_IN)]
    for browser, paths in pages:
        for path, heading in paths.items():
            seen = _look(browser, path)
            assert seen.heading == heading, path
            for words in seen.words:
                assert not TITLE_CASE.search(words), (path, words)
                assert not re.search("sign ?up|log ?in", words, re.IGNORECASE), path


@pytest.mark.django_db
def test_the_links_between_signing_in_and_creating_an_account(client: Client) -> None:
    assert "create an account" in _look(client, "login/").words
    assert "sign in" in _look(client, "signup/").words


@pytest.mark.django_db
def test_the_mail_that_confirms_an_address(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    words = "a long enough password"
    sent = {"email": "ida@example.org", "password1": words, "password2": words}
    client.post("/accounts/signup/", sent)
    assert [mail.subject for mail in mailoutbox] == [
        "[Claimdesk] Confirm your email address"
    ]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Sign In Via ORCID", "Sign in via ORCID"),
        # Only whole words that are listed: names and codes stay as they are.
        ("University Login", "University Login"),
        ("dSign InX", "dSign InX"),
    ],
)
def test_only_what_is_listed_is_changed(theirs: str, ours: str) -> None:
    assert in_our_words(theirs) == ours
