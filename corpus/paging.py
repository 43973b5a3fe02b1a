"""Keyset paging: pages that stay correct and fast however long the list is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from corpus.text import row_key

Row = TypeVar("Row", bound=Model)
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page; ``next_after`` is the ``after`` of the next, or empty at the end."""

    items: list[Row]
    next_after: str


def keyset_page(
    rows: QuerySet[Row],
    after: str | None,
    *,
    key: str,
    size: int = PAGE_SIZE,
    newest_first: bool = False,
) -> Page[Row]:
    """Return the rows after a key.

    ``key`` is a whole-number column, unique within ``rows``, by which the page is
    ordered. An ``after`` that is no number is taken as the beginning.
    """
    ordered = rows.order_by(f"-{key}" if newest_first else key)
    if (last := row_key(after)) is not None:
        beyond = f"{key}__lt" if newest_first else f"{key}__gt"
        ordered = ordered.filter(**{beyond: last})
    items = list(ordered[: size + 1])
    if len(items) <= size:
        return Page(items, "")
    items = items[:size]
    return Page(items, str(getattr(items[-1], key)))


def sorted_page(
    rows: QuerySet[Row],
    after: str | None,
    *,
    column: str,
    parse: Callable[[str], Any] = str,
    backwards: bool = False,
    size: int = PAGE_SIZE,
) -> Page[Row]:
    """Return the rows after a row, ordered by any column, and by key within it.

    ``after`` is what ``next_after`` of the page before said; anything else is taken
    as the beginning. ``parse`` reads a value of the column back.
    """
    sign, beyond = ("-", "lt") if backwards else ("", "gt")
    ordered = rows.order_by(f"{sign}{column}", f"{sign}pk")
    if place := _read_place(after, parse):
        value, key = place
        later = Q(**{f"{column}__{beyond}": value})
        ordered = ordered.filter(later | Q(**{column: value, f"pk__{beyond}": key}))
    items = list(ordered[: size + 1])
    if len(items) <= size:
        return Page(items, "")
    last = items[size - 1]
    value = getattr(last, column)
    words = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return Page(items[:size], f"{last.pk}~{words}")


def _read_place(
    after: str | None, parse: Callable[[str], Any]
) -> tuple[Any, int] | None:
    said, separator, words = (after or "").partition("~")
    key = row_key(said)
    if not separator or key is None or "\x00" in words:
        return None
    try:
        value = parse(words)
    except ValueError:
        return None
    if isinstance(value, datetime) and value.tzinfo is None:
        return None
    return value, key
