"""Emptying the tables after a test whose work was committed.

Django's own way truncates every table and makes its content types and permissions
again, which takes longer than most tests. Here only tables with rows are emptied,
and what the migrations made of content types and permissions stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

# Made by the migrations, and changed by nobody.
KEPT = {"auth_permission", "django_content_type"}


def tables_to_empty() -> list[str]:
    """The tables that Django would truncate, but for those that are kept."""
    tables = connection.introspection.django_table_names(
        only_existing=True, include_views=False
    )
    return sorted(set(tables) - KEPT)


def tables_with_rows(tables: list[str]) -> list[str]:
    """Those of the tables in which there is anything."""
    quote = connection.ops.quote_name
    asked = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})"  # noqa: S608
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [name for (name,) in cursor.fetchall()]


def empty_tables() -> None:
    """Delete every row; foreign keys are checked at the end of the transaction."""
    tables, quote = tables_to_empty(), connection.ops.quote_name
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # As TRUNCATE does: whoever still writes is waited for.
            names = ", ".join(map(quote, tables))
            cursor.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
        for table in tables_with_rows(tables):
            cursor.execute(f"DELETE FROM {quote(table)}")  # noqa: S608


def _fixture_teardown(case: Any) -> None:
    empty_tables()


@contextmanager
def quick_emptying() -> Iterator[None]:
    """Let tests that commit end with ``empty_tables``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", _fixture_teardown)
        yield
