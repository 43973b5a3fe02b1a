"""``manage.py make_reset_link``: a new password without a mail server."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
NEW = "a new long phrase"


def test_the_printed_link_sets_a_password_once(
    capsys: pytest.CaptureFixture[str], client: Client
) -> None:
    user = UserFactory(email="Ada@example.org")
    call_command("make_reset_link", "ada@example.org")
    link = capsys.readouterr().out.strip()
    path = link.removeprefix("http://localhost:8000")

    form = client.get(path, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": NEW, "password2": NEW})

    user.refresh_from_db()
    assert user.check_password(NEW)
    assert "token" in Client().get(path).content.decode().lower()


@pytest.mark.parametrize("email", ["nobody@example.org", ""])
def test_an_unknown_address_is_refused(email: str) -> None:
    # Erased identities have no address.
    UserFactory(email="", verified=False)

    with pytest.raises(CommandError, match="Nobody"):
        call_command("make_reset_link", email)


def test_a_deactivated_account_gets_no_link() -> None:
    user = UserFactory(is_active=False)

    with pytest.raises(CommandError, match="not active"):
        call_command("make_reset_link", user.email)
