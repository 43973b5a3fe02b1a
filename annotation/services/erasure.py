"""Erasing an identity: the work stays under an opaque name, the person does not.

Replaced or removed: the account's names, address, password and zone; mail addresses;
sign-in providers; second factors; sessions; tokens; drafts; flags; names of files;
and the person's addresses, full name and account name in notes about people and work.
The layers above add their part by ``settings.ERASURE_MODULES``: ``NOTES``,
``NOTED_IN_EVENTS``, ``require_erasable`` and ``forget_forms``.
Not touched: claims, judgements, abstracts, guidelines and the content of files, which
are the data set itself; mail that was sent; and the server's logs and backups.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from annotation.models import (
    Adjudication,
    Comment,
    Disagreement,
    Draft,
    Flag,
    Guideline,
    Invitation,
    KeySettings,
    Membership,
    Notice,
    ReannotationSample,
    Review,
    SavedFilter,
    Skip,
    Stage,
    WorkSession,
)
from annotation.services.members import WORKING_STATES
from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.models import ApiToken, Event, StoredFile, User
from corpus.models.people import new_pseudonym

# Free text that people write about people and work. Events repeat it under the name
# of the field in their payload.
NOTES: tuple[tuple[type[Model], str], ...] = (
    (Invitation, "note"),
    (Review, "note"),
    (Adjudication, "note"),
    (Skip, "reason"),
    (Comment, "text"),
    (Disagreement, "text"),
    (Notice, "text"),
    (Guideline, "change_note"),
    (WorkSession, "correction_reason"),
    (SavedFilter, "name"),
    (ReannotationSample, "name"),
    (StoredFile, "name"),
    (Flag, "note"),
    (Event, "why"),
)
NOTED_IN_EVENTS: dict[str, tuple[str, ...]] = {
    "adjudication": ("note",),
    "comment": ("text",),
    "disagreement": ("text",),
    "guideline": ("change_note",),
    "invitation": ("note",),
    "notice": ("text",),
    "review": ("note",),
    "worksession": ("correction_reason",),
    "savedfilter": ("name",),
    "reannotationsample": ("name",),
    "skip": ("reason",),
}
# Account names that are everyday words: replacing them would spoil what others wrote.
SHORTEST_USERNAME = 4
EVERYDAY_WORDS = frozenset({"admin", "annotator", "info", "researcher", "reviewer"})


@transaction.atomic
def erase_identity(*, user: User, actor: User) -> User:
    """Replace everything that tells who a person is; it cannot be undone.

    Refused while the person is the only admin of a project with other members.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.erased_at:
        return user
    _keep_admins(user)
    for module in _modules_above():
        module.require_erasable(user)
    pattern = _identity_pattern(user)
    _erase_sign_in(user)
    Draft.objects.filter(user=user).delete()
    Flag.objects.filter(user=user).delete()
    KeySettings.objects.filter(user=user).delete()
    _erase_account(user)
    if pattern is not None:
        _erase_notes(pattern, user.pseudonym)
    for module in _modules_above():
        module.forget_forms(user)
    record_event(
        noun="user",
        obj=user,
        verb="erase",
        actor=actor,
        fields={"is_active": False},
    )
    return user


def _modules_above() -> list[Any]:
    return [pkgutil.resolve_name(name) for name in settings.ERASURE_MODULES]


def _keep_admins(user: User) -> None:
    memberships = Membership.objects.filter(user=user).select_related("project")
    for membership in memberships:
        others = membership.project.memberships.exclude(user=user).filter(
            state__in=WORKING_STATES, user__is_active=True
        )
        has_admin = any(other.allows(Stage.ADMIN) for other in others)
        if membership.allows(Stage.ADMIN) and others and not has_admin:
            raise DomainError(
                f"{user} is the only admin of “{membership.project}”. Make somebody "
                "else an admin of it first."
            )


def _identity_pattern(user: User) -> re.Pattern[str] | None:
    """Return what finds the person's addresses and names as whole words."""
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    words = {user.email, *addresses, user.get_full_name()}
    name = user.username
    if len(name) >= SHORTEST_USERNAME and name.lower() not in EVERYDAY_WORDS:
        words.add(name)
    longest_first = sorted((w for w in words if w), key=len, reverse=True)
    if not longest_first:
        return None
    alternatives = "|".join(re.escape(word) for word in longest_first)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


def _erase_sign_in(user: User) -> None:
    EmailAddress.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    ApiToken.objects.filter(user=user).delete()
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def _erase_account(user: User) -> None:
    """A new pseudonym: the old one may be known to belong to the person."""
    user.pseudonym = user.username = new_pseudonym()
    user.first_name = user.last_name = user.email = ""
    user.time_zone = "UTC"
    user.last_login = None
    user.is_active = user.is_staff = user.is_superuser = False
    user.erased_at = timezone.now()
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()


def _erase_notes(pattern: re.Pattern[str], pseudonym: str) -> None:
    above = [note for module in _modules_above() for note in module.NOTES]
    for model, field in (*NOTES, *above):
        rows = model._default_manager.exclude(**{field: ""})
        limit = getattr(model._meta.get_field(field), "max_length", None)
        for pk, text in rows.values_list("pk", field).iterator():
            # A pseudonym can be longer than the name that it replaces.
            replaced = pattern.sub(pseudonym, text)[:limit]
            if replaced != text:
                model._default_manager.filter(pk=pk).update(**{field: replaced})
    _erase_notes_in_events(pattern, pseudonym)
    _erase_notes_in_drafts(pattern, pseudonym)


def _erase_notes_in_events(pattern: re.Pattern[str], pseudonym: str) -> None:
    noted = dict(NOTED_IN_EVENTS)
    for module in _modules_above():
        noted |= module.NOTED_IN_EVENTS
    for event in Event.objects.filter(noun__in=noted).iterator():
        if _replace_in_payload(event.payload, noted[event.noun], pattern, pseudonym):
            event.save(update_fields=["payload"])


def _replace_in_payload(
    payload: dict[str, Any],
    fields: Iterable[str],
    pattern: re.Pattern[str],
    pseudonym: str,
) -> bool:
    """Replace names in what a change wrote and in what stood there before."""
    changed = False
    for values in (payload["set"], payload.get("was", {})):
        for field in fields:
            text = values.get(field)
            if isinstance(text, str) and pattern.search(text):
                values[field] = pattern.sub(pseudonym, text)
                changed = True
    return changed


def _erase_notes_in_drafts(pattern: re.Pattern[str], pseudonym: str) -> None:
    """Notes of others that are not sent yet."""

    def replaced(value: str | list[str]) -> str | list[str]:
        if isinstance(value, str):
            return pattern.sub(pseudonym, value)
        return [pattern.sub(pseudonym, text) for text in value]

    for draft in Draft.objects.iterator():
        content = {name: replaced(value) for name, value in draft.content.items()}
        if content != draft.content:
            Draft.objects.filter(pk=draft.pk).update(content=content)
