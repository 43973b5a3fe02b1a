"""What those who run the instance can do for an account."""

from __future__ import annotations

from urllib.parse import urljoin

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.models import User


def make_reset_link(user: User) -> str:
    """Return a link with which a person can choose a new password, once.

    For instances without a mail server. The link works as long as one by mail.
    """
    if not user.is_active:
        raise DomainError("This account is not active.")
    path = reverse(
        "account_reset_password_from_key",
        kwargs={
            "uidb36": user_pk_to_url_str(user),
            "key": default_token_generator.make_token(user),
        },
    )
    return urljoin(settings.PUBLIC_URL, path)


@transaction.atomic
def set_active(*, user: User, is_active: bool, actor: User) -> bool:
    """Let a person sign in, or no longer; their work stays.

    False if nothing changed.
    """
    if user == actor:
        raise DomainError("You cannot deactivate your own account.")
    if user.erased_at:
        raise DomainError("The identity behind this account has been erased.")
    changed = User.objects.filter(pk=user.pk, is_active=not is_active).update(
        is_active=is_active
    )
    if not changed:
        return False
    user.is_active = is_active
    record_event(
        noun="user",
        obj=user,
        verb="activate" if is_active else "deactivate",
        actor=actor,
        fields={"is_active": is_active},
    )
    return True


def change_preferences(
    *,
    user: User,
    first_name: str,
    last_name: str,
    time_zone: str,
    wants_mail_digest: bool,
) -> User:
    """Keep what a person wants to be called, their time zone, and what is mailed.

    No event: events never hold names.
    """
    user.first_name, user.last_name, user.time_zone = first_name, last_name, time_zone
    user.wants_mail_digest = wants_mail_digest
    user.save(
        update_fields=["first_name", "last_name", "time_zone", "wants_mail_digest"]
    )
    return user
