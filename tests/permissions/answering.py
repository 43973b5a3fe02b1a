"""Everything that a person gets in a world, so that two worlds can be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache

from tests.permissions.bodies import BODIES
from tests.permissions.walker import Line, ask, lines
from tests.permissions.world import World

# Words that only a changed world has, half of the canary among them.
SEARCHES = ("zanthoxylum", "gardeners", "nettle", "knees", "")
SEARCHED = {"annotation:corpus", "api:documents", "annotation:new_citances"}
# Counters of requests, and answers with a new random token each time.
DIFFERENT_EACH_TIME = {
    "metrics",
    "annotation:api_tokens",
    "annotation:make_reset_link",
    "api:files",
}
# What is made by the request has its number in the address that the answer leads to,
# and PostgreSQL never gives a number twice, also not after a rollback.
NEW_NUMBERS = re.compile(r"(?<=^/teams/)\d+|(?<=[?&]done=)\d+")
MASKS = (
    r'name="csrfmiddlewaretoken" value="[^"]+"',
    r'"X-CSRFToken": ?"[^"]+"|&quot;X-CSRFToken&quot;: ?&quot;\w+&quot;',
    # Keys of forms that were just opened, and ids of requests on error pages.
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?",
    # Working time goes on while the walk goes on.
    r"\b\d\d:\d\d\b|\d+\u202fmin|,\d+\.\d+(?=,)",
)
# What was made by the request itself has a random address.
TOKENS = (r'"token": ?"[\w-]{22}"', r"(?<=/)[\w-]{22}(?=/|$)")
LINES = tuple(lines())


def answers(world: World, role: str, among: Sequence[Line] = LINES) -> dict[str, str]:
    """Everything that a person gets: pages, downloads, answers to what they send."""
    found = {}
    for number, (key, (line, path)) in enumerate(_paths(world, among).items()):
        if number % 50 == 0:
            cache.clear()  # the walk is quicker than any visitor
        body = BODIES[line.name](world) if line.method != "GET" else None
        response: Any = ask(world, role, line.method, path, body).response
        text = response.collected if response.streaming else response.content.decode()
        where = response.headers.get("Location", "")
        if line.method == "POST":
            where = NEW_NUMBERS.sub("…", where)
        if response.status_code == 201:
            text = re.sub(r'"id": ?\d+', '"id": …', text)
        masks = MASKS if line.method == "GET" else (*MASKS, *TOKENS)
        found[key] = masked(f"{response.status_code} {where} {text}", masks)
    return found


def _paths(world: World, among: Sequence[Line]) -> dict[str, tuple[Line, str]]:
    found = {}
    for line in among:
        path = line.path(world)
        if line.name in DIFFERENT_EACH_TIME:
            continue
        found[f"{line.method} {path}"] = (line, path)
        if line.name in SEARCHED:
            for query in SEARCHES:
                found[f"{line.method} {path}?q={query}"] = (line, f"{path}?q={query}")
    return found


def masked(text: str, masks: tuple[str, ...] = MASKS) -> str:
    """Return a text without what differs between any two requests."""
    for mask in masks:
        text = re.sub(mask, "…", text)
    return text
