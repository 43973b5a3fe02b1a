"""Keeping what a person has typed until it is submitted."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Draft, Project
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.text import bad_character

MAX_FIELDS = 500
MAX_CHARACTERS = 100_000

Content = dict[str, str | list[str]]


class DraftConflictError(StaleStateError):
    """Another tab or device has saved in the meantime; ``current`` is what it kept.

    ``current`` is ``None`` if the draft is gone: the form was submitted there.
    """

    def __init__(self, current: Draft | None) -> None:
        super().__init__(
            "This was also changed in another tab or on another device."
            if current
            else "This was already submitted in another tab or on another device."
        )
        self.current = current


def clean_content(content: Any) -> Content:
    """Return what a form holds, or refuse what cannot be kept."""
    if not isinstance(content, dict) or len(content) > MAX_FIELDS:
        raise DomainError(f"A draft is an object of at most {MAX_FIELDS} fields.")
    size = 0
    for name, value in content.items():
        texts = value if isinstance(value, list) else [value]
        for text in (name, *texts):
            if not isinstance(text, str):
                raise DomainError("A draft holds texts and lists of texts.")
            if problem := bad_character(text):
                raise DomainError(f"A draft cannot hold {problem[1]}.")
            size += len(text)
    if size > MAX_CHARACTERS:
        raise DomainError(f"A draft has at most {MAX_CHARACTERS} characters.")
    return content


def own_draft(user: User, kind: str, item_id: int) -> Draft | None:
    """Return what a person has kept for one item."""
    return Draft.objects.filter(user=user, kind=kind, item_id=item_id).first()


@transaction.atomic
def save_draft(
    *,
    user: User,
    project: Project,
    kind: str,
    item_id: int,
    content: Any,
    expected_version: int,
) -> Draft:
    """Keep what a form holds now.

    ``expected_version`` is the version that the form was filled from, 0 for none.
    ``DraftConflictError`` if another one is there: nothing is overwritten, and the
    person chooses. The same content again is no conflict.
    """
    content = clean_content(content)
    if expected_version == 0:
        try:
            with transaction.atomic():
                return Draft.objects.create(
                    user=user,
                    project=project,
                    kind=kind,
                    item_id=item_id,
                    content=content,
                )
        except IntegrityError:
            return _same_or_conflict(user, kind, item_id, content)
    changed = Draft.objects.filter(
        user=user, kind=kind, item_id=item_id, version=expected_version
    ).update(content=content, version=expected_version + 1, updated_at=timezone.now())
    if changed != 1:
        return _same_or_conflict(user, kind, item_id, content)
    return Draft.objects.get(user=user, kind=kind, item_id=item_id)


def _same_or_conflict(user: User, kind: str, item_id: int, content: Content) -> Draft:
    current = own_draft(user, kind, item_id)
    if current is None or current.content != content:
        raise DraftConflictError(current)
    return current


def drop_draft(*, user: User, kind: str, item_id: int) -> None:
    """Forget a draft; called in the transaction that submits its form."""
    Draft.objects.filter(user=user, kind=kind, item_id=item_id).delete()
