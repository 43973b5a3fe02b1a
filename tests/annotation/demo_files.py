"""Reads the demo's data files for the tests of their content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from tests.paths import REPO

DEMO = REPO / "annotation" / "demo"
CORPORA = ("biomedicine", "covid", "social_science")
BOUNDARY = re.compile(r"(?<=[.?!])\s+(?=[A-Z0-9\"])")

Row = dict[str, Any]
Id = int | str


class Sentence(NamedTuple):
    """A sentence of the demo and where it stands."""

    where: str
    text: str


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the objects of a JSON Lines file."""
    text = (DEMO / name).read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.split("\n") if line)


@cache
def documents(corpus: str) -> dict[Id, Row]:
    """Return the abstracts of one corpus by id."""
    return {row["doc_id"]: row for row in rows(f"documents_{corpus}.jsonl")}


def articles(corpus: str) -> tuple[Row, ...]:
    """Return the citing articles of one corpus."""
    return rows(f"articles_{corpus}.jsonl")


@cache
def citances(corpus: str) -> dict[str, Row]:
    """Return the citances of one corpus by id, each with its sentence as ``text``."""
    return {
        citance["citance_id"]: citance
        | {"text": passage["text"][citance["start"] : citance["end"]]}
        for article in articles(corpus)
        for passage in article["passages"]
        for citance in passage["citances"]
    }


def questions() -> tuple[Row, ...]:
    """Return the research questions."""
    return rows("questions_social_science.jsonl")


def hand_made(file: str) -> list[Row]:
    """Return the claims of a file that a person wrote."""
    return [row for row in rows(file) if not row.get("generated_from")]


def projects() -> list[Row]:
    """Return the projects."""
    found: list[Row] = json.loads((DEMO / "projects.json").read_text(encoding="utf-8"))
    return found


def accounts() -> dict[str, Row]:
    """Return the people by key."""
    people = json.loads((DEMO / "people.json").read_text(encoding="utf-8"))
    return {person["key"]: person for person in people}


def stages(person: str, project: str) -> set[str]:
    """Return what a person may do in a project."""
    memberships = accounts()[person]["memberships"]
    return {s for m in memberships if m["project"] == project for s in m["stages"]}


def sentences() -> Iterator[Sentence]:
    """Yield every sentence of every abstract, article abstract and paragraph."""
    for corpus in CORPORA:
        for doc_id, row in documents(corpus).items():
            for i, text in enumerate(row["abstract"]):
                yield Sentence(f"{doc_id} sentence {i}", text)
    for article in chain(articles("biomedicine"), articles("covid")):
        passages = [article["abstract"], *(p["text"] for p in article["passages"])]
        for text in chain.from_iterable(map(BOUNDARY.split, passages)):
            yield Sentence(article["article_id"], text)


def strings(value: Any) -> Iterator[str]:
    """Yield every string inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from chain.from_iterable(map(strings, value.values()))
    elif isinstance(value, list):
        yield from chain.from_iterable(map(strings, value))


def demo_texts() -> Iterator[str]:
    """Yield every text of the demo, each line of the guidelines included."""
    for path in sorted(DEMO.glob("*.jsonl")):
        yield from chain.from_iterable(map(strings, rows(path.name)))
    for path in sorted(DEMO.glob("*.json")):
        yield from strings(json.loads(path.read_text(encoding="utf-8")))
    for path in sorted(DEMO.rglob("*.md")):
        yield from path.read_text(encoding="utf-8").split("\n")
