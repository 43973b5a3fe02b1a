"""A second step at sign-in: switched on by the person, then asked for every time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client

from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _standing_clock() -> Iterator[None]:
    """Let no code run out between the telephone and the page."""
    with time_machine.travel(time.time(), tick=False):
        yield


def code_for(secret: str) -> str:
    """What the person's telephone shows now."""
    code: str = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    return code


def sign_in(client: Client, email: str) -> str:
    response = client.post("/accounts/login/", {"login": email, "password": PASSWORD})
    assert response.status_code == 302
    return str(response["Location"])


def switch_on(client: Client) -> str:
    """Set the second step up as the pages lead; return what the telephone keeps."""
    page = client.get("/accounts/2fa/totp/activate/", follow=True)
    again = page.redirect_chain[-1][0]
    assert again.startswith("/accounts/reauthenticate/")
    form = client.post(again, {"password": PASSWORD}, follow=True)
    secret: str = form.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    return secret


def test_the_second_step_is_asked_for_and_cannot_be_skipped(client: Client) -> None:
    cache.clear()
    user = UserFactory()
    assert sign_in(client, user.email) == "/"

    secret = switch_on(client)
    kinds = Authenticator.objects.filter(user=user).values_list("type", flat=True)
    assert set(kinds) == {"totp", "recovery_codes"}
    client.post("/accounts/logout/")

    # A code works once: by now the telephone shows the next one.
    with time_machine.travel(time.time() + timedelta(seconds=90).seconds, tick=False):
        assert sign_in(client, user.email) == "/accounts/2fa/authenticate/"
        assert client.get("/me/").status_code == 302
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
        assert "_auth_user_id" not in client.session

        client.post("/accounts/2fa/authenticate/", {"code": code_for(secret)})
        assert client.session["_auth_user_id"] == str(user.pk)


def test_a_recovery_code_opens_the_account_once(client: Client) -> None:
    cache.clear()
    user = UserFactory()
    sign_in(client, user.email)
    switch_on(client)
    page = client.get("/accounts/2fa/recovery-codes/")
    recovery = page.context["unused_codes"][0]
    client.post("/accounts/logout/")

    for is_let_in in (True, False):
        client.logout()
        sign_in(client, user.email)
        client.post("/accounts/2fa/authenticate/", {"code": recovery})
        assert ("_auth_user_id" in client.session) is is_let_in
