"""Every address does for every kind of person what the table says."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.permissions.bodies import BODIES
from tests.permissions.table import NOT_OURS
from tests.permissions.walker import (
    DONE,
    METHODS,
    Line,
    ask,
    check,
    encoded,
    endpoints,
    lines,
)
from tests.permissions.world import ROLES, World, rolled_back

pytestmark = pytest.mark.django_db
LINES = lines()
# Parameters that are words of ours, no objects.
WORDS = {"slug", "protocol", "kind", "stage", "rest", "task"}
NAMES = sorted({line.name for line in LINES})


def _of(name: str) -> list[Line]:
    return [line for line in LINES if line.name == name]


def test_every_address_has_lines_and_every_line_an_address() -> None:
    assert sorted(endpoints()) == NAMES, "see 'Permissions' in CONTRIBUTING.md"


def test_whatever_is_left_out_exists_and_has_a_reason() -> None:
    routes = {endpoint.route for endpoint in endpoints().values()}
    for prefix, reason in NOT_OURS.items():
        assert len(reason) > 20
        assert not any(route.startswith(prefix) for route in routes)


@pytest.mark.parametrize("name", NAMES)
def test_lines_try_objects_of_another_project_and_the_public_project(name: str) -> None:
    endpoint = endpoints()[name]
    objects = endpoint.parameters - WORDS
    for method in {line.method for line in _of(name)}:
        tried = [line.objects for line in _of(name) if line.method == method]
        assert all(set(row) == endpoint.parameters for row in tried)
        for parameter in objects:
            assert any(row[parameter].startswith("B.") for row in tried), (
                f"{method} {name}: no line with an object of project B"
            )
        route = endpoint.route.removeprefix("api/v1/")
        if re.match("projects/<slug:slug>(/|$)", route):
            assert {"A", "P"} <= {row["slug"] for row in tried}
        if re.match("corpora/<slug:slug>(/|$)", route):
            assert {"corpusA", "corpusP"} <= {row["slug"] for row in tried}


@pytest.mark.parametrize("line", LINES, ids=str)
def test_everybody_gets_what_the_table_says(world: World, line: Line) -> None:
    problems = [check(world, line, role) for role in ROLES]
    assert not list(filter(None, problems))


@pytest.mark.parametrize("name", NAMES)
def test_methods_without_a_line_are_refused(world: World, name: str) -> None:
    line = _of(name)[0]
    path, listed = line.path(world), {line.method for line in _of(name)}
    for method in set(METHODS) - listed:
        answers = [ask(world, role, method, path) for role in ("admn", "anno", "supr")]
        # 404 for those to whom the address does not exist.
        assert "405" in {a.word for a in answers} <= {"404", "405"}, method
        assert not any(answer.written for answer in answers)


# Nobody may do anything there: a 404 for all methods, and tokens that tokens make.
WITHOUT_CSRF = {"api:unknown", "api:tokens"}


@pytest.mark.parametrize("name", sorted(set(BODIES) - WITHOUT_CSRF))
def test_a_form_without_a_token_is_refused(world: World, name: str) -> None:
    """The person is one who may do it: nothing else can be the reason."""
    line, role = next(
        (line, role)
        for line in _of(name)
        for role in ROLES
        if line.method != "GET"
        and role != "anon"
        and line.cells[role] in DONE | {"away"}
    )
    client = Client(enforce_csrf_checks=True)
    client.cookies.load({"sessionid": world.sessions[role]})
    with rolled_back():
        body, content_type = encoded(line.path(world), BODIES[name](world))
        response = client.generic(line.method, line.path(world), body, content_type)
    assert response.status_code == 403
    assert b"csrf" in response.content.lower() or b"form" in response.content.lower()


def test_every_post_has_a_body_and_every_body_a_post() -> None:
    assert {line.name for line in LINES if line.method != "GET"} == set(BODIES)
