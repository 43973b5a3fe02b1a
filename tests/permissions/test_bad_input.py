"""No input makes the site fail: every address with bad keys, queries and bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from tests.permissions.bodies import BODIES
from tests.permissions.walker import (
    API,
    DONE,
    Answer,
    Line,
    ask,
    endpoints,
    lines,
)
from tests.permissions.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NUMBERS = [0, 2**31, 2**63 - 1, 2**63, 2**64, 10**40]
WORDS = ["x", "\u00e9", "a b", "x" * 300, "%00", "..", "\U0001f9ea"]
PARAMETERS = ["after", "q", "state", "version", "sheet", "next", "changed", "size"]
PARAMETERS += ["format", "states", "split", "claim", "pair", "preview", "map_SUPPORT"]
QUERIES = ["abc", "-1", "9" * 30, "9" * 5000, "\0", "\u0661", "\ud800", "1e9", "'\"--"]
# A lone surrogate as a browser would never send it; a number beyond any column.
VALUES: list[Any] = ["", "\0", b"\xed\xa0\x80", "9" * 30, "9" * 5000, "-1", "NaN"]
VALUES += ["\u0661", "<>'\"", "merge:" + "9" * 5000, "split:1:-1"]
JSON_VALUES: list[Any] = [None, [], {}, True, 0, -1, 1e30, 10**40, "", "\0", [None]]
JSON_VALUES += ["9" * 5000, [[["x"]]], {"x": "\0"}, [{}], "NaN"]
RAW = [b"", b"{", b"[]", b"null", b'"\\ud83d"', b'{"text": "\\ud83d"}', b"\xff\xfe"]
RAW += [b"[" * 100_000, b'{"version": NaN}', b'{"version": 1e999}']


def _encoded(value: str) -> str:
    return urlencode({"": value}, errors="surrogatepass")[1:]


def _fault(answer: Answer, what: Any) -> str:
    """Say what failed, with the exception behind it."""
    status = answer.response.status_code
    if status < 500:
        return ""
    error = getattr(answer.response, "exc_info", None)
    return f"{status} for {str(what)[:120]}: {error[1]!r}" if error else f"{status}"


def _able(line: Line) -> str:
    """A role for which the address really works."""
    for role in ("admn", "anno", "othr", "newc", "supr", "xadm", "outs"):
        if line.cells[role] in DONE:
            return role
    return "admn"


LINES = lines()
BY_METHOD = {(line.name, line.method): line for line in reversed(LINES)}
WITH_OBJECTS = sorted(
    name
    for name, endpoint in endpoints().items()
    if endpoint.parameters - {"protocol", "rest"}
)


@pytest.mark.parametrize("name", WITH_OBJECTS)
def test_bad_keys_in_an_address(world: World, name: str) -> None:
    endpoint, faults = endpoints()[name], []
    for method in {line.method for line in LINES if line.name == name}:
        line = BY_METHOD[name, method]
        body = BODIES[name](world) if method != "GET" else None
        good = {key: world.find(value) for key, value in line.objects.items()}
        for parameter in good:
            is_number = f"<int:{parameter}>" in endpoint.route
            for bad in NUMBERS if is_number else WORDS:
                if parameter == "slug":
                    bad = "no-such-" + "x" * 200
                path = reverse(name, kwargs={**good, parameter: bad})
                faults.append(_fault(ask(world, _able(line), method, path, body), path))
    assert not list(filter(None, faults))


READ = [line for (_, method), line in BY_METHOD.items() if method == "GET"]


@pytest.mark.parametrize("line", READ, ids=str)
def test_bad_queries(world: World, line: Line) -> None:
    path, faults = line.path(world), []
    queries = ["&".join(f"{p}={_encoded(q)}" for p in PARAMETERS) for q in QUERIES]
    queries += ["after=1&after=x", "%00=%00", "=", "&&", "%ff=%ff", "a" * 5000]
    for index, query in enumerate(queries):
        extra: dict[str, Any] = {"HTTP_HX_REQUEST": "true"} if index % 2 else {}
        answer = ask(world, _able(line), "GET", f"{path}?{query}", **extra)
        faults.append(_fault(answer, query))
    assert not list(filter(None, faults))


WRITE = [line for (_, method), line in BY_METHOD.items() if method != "GET"]


def _bad_bodies(good: dict[str, Any], values: list[Any]) -> Iterator[dict[str, Any]]:
    yield {}
    for field in good:
        yield {key: value for key, value in good.items() if key != field}
        for value in values:
            yield {**good, field: value}


@pytest.mark.parametrize("line", WRITE, ids=str)
def test_bad_bodies(world: World, line: Line) -> None:
    path, role = line.path(world), _able(line)
    is_json = path.startswith(API)
    good = BODIES[line.name](world)
    if len(good) > 12:  # the settings: a few fields of each kind stand for all
        kept = ("seen", "name", "max_rationales", "train_share", "word_SUPPORT")
        tried = {name: good[name] for name in (*kept, "verifier", "visibility")}
    else:
        tried = good
    bodies = _bad_bodies(tried, JSON_VALUES if is_json else VALUES)
    faults = [
        _fault(
            ask(
                world,
                role,
                line.method,
                path,
                {**good, **body} if tried is not good else body,
            ),
            body,
        )
        for body in bodies
    ]
    assert not list(filter(None, faults))


@pytest.mark.parametrize("line", WRITE, ids=str)
def test_unreadable_and_huge_bodies(world: World, line: Line) -> None:
    path, role, faults = line.path(world), _able(line), []
    good = BODIES[line.name](world)
    for field in list(good)[:1]:
        answer = ask(world, role, line.method, path, {**good, field: "x" * 5_300_000})
        faults.append(_fault(answer, f"5 MB of {field}"))
    types = ["multipart/form-data; boundary=x"]
    types += [
        "application/json"
        if path.startswith(API)
        else "application/x-www-form-urlencoded"
    ]
    for content in ((raw, content_type) for raw in RAW for content_type in types):
        answer = ask(world, role, line.method, path, content=content)
        faults.append(_fault(answer, content))
    assert not list(filter(None, faults))
