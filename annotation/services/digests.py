"""The daily mail with what is new, for those who want it."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from urllib.parse import urljoin

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotation.models import Notice
from corpus.events import new_event
from corpus.models import Event, User

logger = logging.getLogger(__name__)

MOST_LINES = 30


def send_digests() -> int:
    """Mail everybody what they have not read and were not mailed yet.

    Returns how many mails went out. Run twice, it sends one: what is mailed is marked
    before it is handed over. Nothing happens without a mail server.
    """
    if not settings.HAS_MAIL_SERVER:
        return 0
    waiting = Notice.objects.filter(
        read_at=None,
        mailed_at=None,
        user__is_active=True,
        user__wants_mail_digest=True,
    ).exclude(user__email="")
    people = User.objects.filter(pk__in=waiting.values("user"))
    return sum(_send_to(user) for user in people.order_by("pk").iterator())


def _send_to(user: User) -> bool:
    notices = _claim_notices(user)
    if not notices:
        return False
    try:
        send_mail(
            subject=f"[Claimdesk] {_how_many(len(notices))}",
            message=_text(notices),
            from_email=None,
            recipient_list=[user.email],
        )
    except (SMTPException, OSError) as error:
        logger.warning("no digest for user %s: %s", user.pk, error)
        _mark(notices, None)
        return False
    return True


@transaction.atomic
def _claim_notices(user: User) -> list[Notice]:
    """Mark what is about to be mailed; a run at the same time finds nothing."""
    rows = Notice.objects.select_for_update(of=("self",)).filter(
        user=user, read_at=None, mailed_at=None
    )
    notices = list(rows.order_by("pk"))
    for notice in notices:
        notice.mailed_at = timezone.now()
    _write(notices)
    return notices


@transaction.atomic
def _mark(notices: list[Notice], mailed_at: None) -> None:
    """Let the next run try again."""
    for notice in notices:
        notice.mailed_at = mailed_at
    _write(notices)


def _write(notices: list[Notice]) -> None:
    Notice.objects.bulk_update(notices, ["mailed_at"])
    Event.objects.bulk_create(
        new_event(
            noun="notice",
            obj=notice,
            verb="mail",
            actor=None,
            project_id=notice.project_id,
            fields={
                "mailed_at": notice.mailed_at.isoformat() if notice.mailed_at else None
            },
        )
        for notice in notices
    )


def _how_many(count: int) -> str:
    return "1 new notice" if count == 1 else f"{count} new notices"


def _text(notices: list[Notice]) -> str:
    lines = [
        f"- {notice.text}\n  {urljoin(settings.PUBLIC_URL, notice.url)}"
        for notice in notices[:MOST_LINES]
    ]
    if len(notices) > MOST_LINES:
        lines.append(f"- and {len(notices) - MOST_LINES} more")
    pages = {
        name: urljoin(settings.PUBLIC_URL, reverse(f"annotation:{name}"))
        for name in ("notices", "preferences")
    }
    return "\n".join(
        [
            "What is new for you:",
            "",
            *lines,
            "",
            f"All notices: {pages['notices']}",
            f"No more of these mails: {pages['preferences']}",
        ]
    )
