"""The daily mail: once, only what is new, only to those who want it."""

from __future__ import annotations

from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from annotation.models import Notice
from annotation.services.digests import send_digests
from annotation.services.notices import notify, read_all_notices
from annotation.tasks import mail_digests
from corpus.models import User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import Team

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.PUBLIC_URL = "https://desk.example"


def _tell(team: Team, *users: User, text: str = "Your claim came back.") -> None:
    notify(
        users=users,
        project=team.project,
        kind="returned",
        text=text,
        url="/projects/x/",
    )


def test_the_task_run_twice_sends_one_mail_to_each(team: Team) -> None:
    _tell(team, team.annotator, team.reviewer)
    _tell(team, team.annotator, text="Your judgement came back.")
    mail_digests()
    mail_digests()
    assert sorted(message.to[0] for message in mail.outbox) == sorted(
        [team.annotator.email, team.reviewer.email]
    )
    (message,) = [m for m in mail.outbox if m.to == [team.annotator.email]]
    assert message.subject == "[Claimdesk] 2 new notices"
    assert "- Your claim came back.\n  https://desk.example/projects/x/" in message.body
    assert "https://desk.example/me/preferences/" in message.body
    assert_events_rebuild_the_tables()


def test_what_was_read_is_not_mailed(team: Team) -> None:
    _tell(team, team.annotator)
    read_all_notices(user=team.annotator)
    assert send_digests() == 0
    assert mail.outbox == []


def test_who_does_not_want_it_gets_none(team: Team) -> None:
    User.objects.filter(pk=team.annotator.pk).update(wants_mail_digest=False)
    _tell(team, team.annotator)
    assert send_digests() == 0


def test_who_cannot_sign_in_gets_none(team: Team) -> None:
    _tell(team, team.annotator)
    User.objects.filter(pk=team.annotator.pk).update(is_active=False)
    assert send_digests() == 0


def test_nothing_is_sent_without_a_mail_server(team: Team, settings: Any) -> None:
    settings.HAS_MAIL_SERVER = False
    _tell(team, team.annotator)
    assert send_digests() == 0
    assert Notice.objects.get().mailed_at is None


def test_a_mail_that_fails_is_tried_again(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any) -> int:
        raise SMTPException("no")

    _tell(team, team.annotator)
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", refuse)
        assert send_digests() == 0
    assert send_digests() == 1
    assert_events_rebuild_the_tables()


def test_a_long_list_is_cut(team: Team) -> None:
    for number in range(32):
        _tell(team, team.annotator, text=f"Item {number}.")
    send_digests()
    (message,) = mail.outbox
    assert "Item 29." in message.body
    assert "Item 30." not in message.body
    assert "and 2 more" in message.body
