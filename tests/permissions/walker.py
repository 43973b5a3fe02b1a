"""Walks every address of the site with every kind of person."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.permissions.api_table import API_PERMISSIONS
from tests.permissions.bodies import BODIES
from tests.permissions.table import NOT_OURS, PERMISSIONS
from tests.permissions.world import ROLES, World, rolled_back

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
DONE = {"200", "201", "202", "204", "302"}
MUST_WRITE = {"201", "204", "302"}
# A visit renews the session, notes when a token was used, or puts an item into the
# visitor's hands; that is no change of anybody's work.
BOOKKEEPING = re.compile(
    r'UPDATE "corpus_apitoken" SET "last_used_at"|\w+ (?:\w+ )?"django_session"'
    r'|\w+ (?:\w+ )?"annotation_lease"'
)
WRITE = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM) "(\w+)')
API = "/api/v1/"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One pattern of the URL configuration."""

    name: str
    route: str
    parameters: frozenset[str]
    pattern: URLPattern


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table."""

    name: str
    method: str
    objects: dict[str, str]
    cells: dict[str, str]

    def __str__(self) -> str:
        what = " ".join(f"{k}={v}" for k, v in self.objects.items())
        return f"{self.method} {self.name} {what}".strip()

    def path(self, world: World) -> str:
        """The address, with the keys of the world's objects."""
        values = {k: world.find(v) for k, v in self.objects.items()}
        return reverse(self.name, kwargs=values)


def endpoints() -> dict[str, Endpoint]:
    """Every named pattern of the site, except those that are not ours."""
    found: dict[str, Endpoint] = {}
    for endpoint in _patterns(get_resolver(), "", ""):
        if not any(endpoint.route.startswith(prefix) for prefix in NOT_OURS):
            assert endpoint.name not in found, f"two addresses named {endpoint.name}"
            found[endpoint.name] = endpoint
    return found


def _patterns(resolver: URLResolver, route: str, namespace: str) -> Iterator[Endpoint]:
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _patterns(entry, here, inner)
            continue
        parameters = frozenset(re.findall(r"<(?:\w+:)?(\w+)>", here))
        yield Endpoint(f"{namespace}{entry.name}", here, parameters, entry)


def lines() -> list[Line]:
    """Both tables, read."""
    rows = [row.split() for row in (PERMISSIONS + API_PERMISSIONS).splitlines()]
    return [_line(row) for row in rows if row and not row[0].startswith("#")]


def _line(words: list[str]) -> Line:
    name, method, *rest = words
    given, cells = rest[: -len(ROLES)], rest[-len(ROLES) :]
    objects = dict(item.split("=", 1) for item in given if item != "-")
    assert len(rest) > len(ROLES), f"too few cells: {' '.join(words)}"
    return Line(name, method, objects, dict(zip(ROLES, cells, strict=True)))


@dataclass(slots=True)
class Answer:
    """What came back, and which tables were written."""

    response: Any
    written: set[str]

    @property
    def word(self) -> str:
        """The answer as the table spells it, but for ``away``."""
        status = str(self.response.status_code)
        if status != "302":
            return status
        target = self.response["Location"].split("?")[0]
        if target == reverse("account_login"):
            return "login"
        return "texts" if target.endswith("/accept/") else "302"


@contextmanager
def written_tables() -> Iterator[set[str]]:
    """Collect the tables in which statements change rows.

    Statements tell more than counts of rows before and after: an update is seen, and
    so is what a transaction took back.
    """
    tables: set[str] = set()

    def watch(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        result = execute(sql, params, many, context)
        match = WRITE.match(sql)
        # An UPDATE whose condition nothing meets changes nothing.
        if (
            match
            and not BOOKKEEPING.match(sql)
            and (match[1] == "INSERT INTO" or context["cursor"].rowcount)
        ):
            tables.add(match[2])
        return result

    with connection.execute_wrapper(watch):
        yield tables


def encoded(path: str, body: dict[str, Any]) -> tuple[bytes, str]:
    """Return a body as the pages or the API want it, with its type."""
    has_file = any(hasattr(value, "read") for value in body.values())
    if path.startswith(API) and not has_file:
        return json.dumps(body).encode(), "application/json"
    return encode_multipart(BOUNDARY, body), MULTIPART_CONTENT


def ask(
    world: World,
    role: str,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    content: tuple[bytes, str] | None = None,
    **extra: Any,
) -> Answer:
    """Send one request as one person; whatever it writes is taken back.

    ``content`` is a body as it stands, with its type.
    """
    client = world.client(role)
    data, content_type = content or encoded(path, body or {})
    if path.startswith(API):
        client = Client(raise_request_exception=False)
        if role in world.keys:
            extra["HTTP_AUTHORIZATION"] = f"Bearer {world.keys[role]}"
    with rolled_back(), written_tables() as tables:
        response: Any = client.generic(method, path, data, content_type, **extra)
        if response.streaming:
            response.collected = b"".join(response).decode(errors="replace")
    return Answer(response, tables)


def check(world: World, line: Line, role: str) -> str:
    """Return what is wrong with one cell of the table, or nothing."""
    body = BODIES[line.name](world) if line.method != "GET" else None
    answer = ask(world, role, line.method, line.path(world), body)
    expected, got = line.cells[role], answer.word
    if got != ("302" if expected == "away" else expected):
        return f"{line} as {role}: {got}, expected {expected}"
    may_write = line.method != "GET" and expected in DONE
    if answer.written and not may_write:
        return f"{line} as {role}: {got}, but wrote to {sorted(answer.written)}"
    if may_write and expected in MUST_WRITE and not answer.written:
        return f"{line} as {role}: nothing was written, so the line says nothing"
    return ""
