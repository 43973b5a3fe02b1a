"""People get their accounts and links, with or without a mail server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from corpus.models import User

PASSWORD = "correct horse battery"


@pytest.fixture
def _mail_to_files(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "config.mail.ConsoleAndFileBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"


@pytest.mark.usefixtures("_mail_to_files")
def test_without_a_mail_server_mail_is_shown_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mail.send_mail("Invitation", "Come to /join/x", None, ["a@b.org"]) == 1
    files = list((tmp_path / "mail").iterdir())
    assert len(files) == 1
    assert "Come to /join/x" in files[0].read_text(encoding="utf-8")
    assert "Come to /join/x" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_new_person_signs_up_and_is_let_in_without_a_mail_server(
    client: Client,
) -> None:
    response = client.post(
        "/accounts/signup/",
        {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD},
    )
    assert response.status_code == 302, response.context["form"].errors
    assert User.objects.get().check_password(PASSWORD)
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)


@pytest.mark.django_db
def test_signing_in_starts_in_the_first_field(client: Client) -> None:
    page = client.get("/accounts/login/").content.decode()
    focused = re.findall(r"<input[^>]*autofocus[^>]*>", page)
    assert len(focused) == 1
    assert 'name="login"' in focused[0]


@pytest.mark.django_db
def test_people_are_greeted_by_the_name_that_others_see(client: Client) -> None:
    user = User.objects.create_user("kim7", email="kim@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True)
    User.objects.update(first_name="Kim", last_name="Moravec")
    data = {"login": "kim@example.org", "password": PASSWORD}
    page = client.post("/accounts/login/", data, follow=True).content.decode()
    assert "Successfully signed in as Kim Moravec." in page


@pytest.mark.django_db
def test_a_forgotten_password_is_reset_by_the_link_in_the_mail(client: Client) -> None:
    User.objects.create_user("kim", email="kim@example.org", password="forgotten pw 1")
    client.post("/accounts/password/reset/", {"email": "kim@example.org"})
    link = re.search(r"http://\S+(/accounts/\S+)", str(mail.outbox[0].body))
    assert link
    form = client.get(link[1], follow=True)
    client.post(
        form.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD}
    )
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["localhost", "claims.example.org:8443"])
def test_a_link_leads_to_the_public_address_whatever_host_was_asked(
    client: Client, settings: Any, host: str
) -> None:
    settings.PUBLIC_URL = "https://claims.example.org"
    settings.ALLOWED_HOSTS = ["claims.example.org", "localhost"]
    User.objects.create_user("kim", email="kim@example.org", password="forgotten pw 1")
    form = {"email": "kim@example.org"}
    client.post("/accounts/password/reset/", form, headers={"host": host})
    text = str(mail.outbox[0].body)
    assert "https://claims.example.org/accounts/password/reset/key/" in text
    assert host not in text.replace("claims.example.org/", "")


@pytest.mark.django_db
def test_guessing_a_password_is_slowed_down(client: Client) -> None:
    User.objects.create_user("kim", email="kim@example.org", password=PASSWORD)
    for number in range(6):
        client.post(
            "/accounts/login/", {"login": "kim@example.org", "password": f"no {number}"}
        )
    client.post("/accounts/login/", {"login": "kim@example.org", "password": PASSWORD})
    assert "_auth_user_id" not in client.session
