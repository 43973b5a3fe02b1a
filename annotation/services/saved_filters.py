"""Filters that admins keep under a name."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.models import Project, SavedFilter
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.text import normalise_newlines

LONGEST_NAME = 80


@transaction.atomic
def save_filter(
    *, project: Project, owner: User, name: str, query: dict[str, Any], is_shared: bool
) -> SavedFilter:
    """Keep a filter; one of the same name and owner is replaced."""
    cleaned = normalise_newlines(name).strip()
    if not cleaned:
        raise DomainError("Give the filter a name.")
    values = {"query": query, "is_shared": is_shared}
    mine = SavedFilter.objects.filter(project=project, owner=owner)
    saved = mine.filter(name=cleaned[:LONGEST_NAME]).first()
    is_new = saved is None
    if saved is None:
        saved = SavedFilter(project=project, owner=owner, name=cleaned[:LONGEST_NAME])
    for field, value in values.items():
        setattr(saved, field, value)
    saved.save()
    _record(saved, owner, "create" if is_new else "change", column_values(saved))
    return saved


@transaction.atomic
def delete_filter(*, saved: SavedFilter, owner: User) -> None:
    """Forget a filter; only its owner does."""
    if saved.owner_id != owner.pk:
        raise DomainError("Only whoever saved a filter can remove it.")
    _record(saved, owner, "delete", {})
    saved.delete()


def _record(saved: SavedFilter, owner: User, verb: str, fields: dict[str, Any]) -> None:
    record_event(
        noun="savedfilter",
        obj=saved,
        verb=verb,
        actor=owner,
        project_id=saved.project_id,
        fields=fields,
    )
