"""Writing the record of every change."""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Model

from corpus.models import Event, User


def new_event(
    *,
    noun: str,
    obj: Model,
    verb: str,
    actor: User | None,
    project_id: int | None = None,
    from_state: str = "",
    to_state: str = "",
    why: str = "",
    fields: dict[str, Any] | None = None,
    was: dict[str, Any] | None = None,
) -> Event:
    """Return an unsaved event; ``fields`` are the values that the change wrote.

    ``was`` holds what stood there before, where people will ask for it.

    For many rows: collect events and hand them to ``Event.objects.bulk_create``
    in the transaction of the change. Never put a name or an address in
    ``fields``: people are named by primary key.
    """
    payload: dict[str, Any] = {"set": fields or {}}
    if was is not None:
        payload["was"] = was
    return Event(
        noun=noun,
        object_id=obj.pk,
        verb=verb,
        actor=actor,
        project_id=project_id,
        from_state=from_state,
        to_state=to_state,
        why=why,
        payload=payload,
    )


def record_event(**values: Any) -> Event:
    """Save one event; the arguments are those of ``new_event``."""
    event = new_event(**values)
    event.save(force_insert=True)
    return event


def column_values(obj: Model) -> dict[str, Any]:
    """Return every column of a new row for its creation event, as JSON values.

    Left out are the primary key, which the event names, and timestamps that the
    database row gets by itself (``auto_now_add``): the event has its own time.
    """
    return {name: _plain(getattr(obj, name)) for name in _columns(type(obj))}


@cache
def _columns(model: type[Model]) -> tuple[str, ...]:
    return tuple(
        field.attname
        for field in model._meta.concrete_fields
        if not field.primary_key and not getattr(field, "auto_now_add", False)
    )


def _plain(value: Any) -> Any:
    if isinstance(value, (str, UUID)):
        return str(value)
    return value.isoformat() if isinstance(value, (datetime, date)) else value
