"""Writing many new rows at once, in the fastest way that the database offers.

PostgreSQL takes them by COPY, SQLite by one prepared statement: neither builds a
statement with a place for every value, on which ``bulk_create`` spends most of its
time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any

from django.db import connection, models, transaction

BATCH = 500

Way = Callable[[models.Model, Any], Any]

_encode = json.JSONEncoder().encode

# Only these very classes: a field made from one may turn its values into others.
_PLAIN = {
    models.BigAutoField,
    models.BigIntegerField,
    models.BooleanField,
    models.CharField,
    models.PositiveBigIntegerField,
    models.PositiveIntegerField,
    models.PositiveSmallIntegerField,
    models.TextField,
}


def insert_rows(rows: Iterable[models.Model]) -> None:
    """Write new rows of one table and give them their primary keys, in order.

    What the rows point to must be saved before the rows are made. Streams.
    """
    rest = iter(rows)
    with transaction.atomic(savepoint=False):
        while batch := list(islice(rest, BATCH)):
            _insert(batch)


def insert_values(
    table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows of values that are ready for the database.

    Belongs in a transaction. ``rows`` must not read the database: COPY keeps the
    connection to itself.
    """
    quote = connection.ops.quote_name
    target = f"{quote(table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {target} VALUES ({places})", list(rows))  # noqa: S608
            return
        with (
            connection.wrap_database_errors,
            cursor.copy(f"COPY {target} FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)


def _insert(rows: list[models.Model]) -> None:
    model = type(rows[0])
    for row, key in zip(rows, _reserve_keys(model, len(rows)), strict=True):
        row.pk = key
    # Encoded while the database already takes the first rows.
    insert_values(model._meta.db_table, _columns(model), _values(rows))
    for row in rows:
        row._state.adding = False
        row._state.db = connection.alias


def _values(rows: list[models.Model]) -> Iterator[list[Any]]:
    """Yield what each column of each row is to hold."""
    fields = _fields(type(rows[0]))
    read = attrgetter(*(field.attname for field in fields))
    encoded = [(at, way) for at, field in enumerate(fields) if (way := _way(field))]
    for row in rows:
        values = list(read(row))
        for at, way in encoded:
            values[at] = way(row, values[at])
        yield values


def _reserve_keys(model: type[models.Model], count: int) -> Iterable[int]:
    """Return primary keys that nobody else gets, ascending."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # Safe: the transaction holds SQLite's only lock for writing.
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            last = (cursor.fetchone() or (0,))[0]
            return range(last + 1, last + 1 + count)
        cursor.execute(
            "SELECT nextval(name) FROM generate_series(1, %s), "
            "(SELECT pg_get_serial_sequence(%s, %s)::regclass AS name OFFSET 0) AS its",
            [count, connection.ops.quote_name(table), column],
        )
        return [key for (key,) in cursor.fetchall()]


@cache
def _fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _columns(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in _fields(model)]


def _way(field: models.Field[Any, Any]) -> Way | None:
    """Return how a value becomes what the database takes; None if it is so already."""
    if isinstance(field, models.ForeignKey):
        return _way(field.target_field)
    if type(field) in _PLAIN:
        return None
    if type(field) is models.JSONField and field.encoder is None:
        return _json_text

    def prepared(row: models.Model, value: Any) -> Any:
        return field.get_db_prep_save(field.pre_save(row, add=True), connection)

    return prepared


def _json_text(row: models.Model, value: Any) -> str | None:
    return None if value is None else _encode(value)
