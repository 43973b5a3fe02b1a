"""Two worlds that differ in the hidden gold alone have the same board.

Everything is scored and compared for real. What organisers get does differ, so the
change is one that the board could have told of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from corpus.job_runner import execute_job
from corpus.models import Job, User
from tests.factories import UserFactory
from tests.permissions.world import rolled_back
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    predictions,
    published,
    upload,
)
from verification.models import Comparison, Phase, Submission

pytestmark = pytest.mark.django_db
N = 60
MASKS = (
    r'name="csrfmiddlewaretoken" value="[^"]+"',
    r'"X-CSRFToken": ?"[^"]+"|&quot;X-CSRFToken&quot;: ?&quot;\w+&quot;',
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?",
)
QUERIES = ("", "?sort=unjudged", "?sort=sentence_label_f1&order=asc")
SLICES = ("?slice=label:SUPPORT", "?slice=label:CONTRADICT")
FILES = ("board/", "board.csv", "board.json")


def _changed(first: int) -> list[dict[str, Any]]:
    """Gold whose labels are turned round from a claim on."""
    turned = {"SUPPORT": "CONTRADICT", "CONTRADICT": "SUPPORT"}
    lines = gold_lines(N)
    for line in lines[first:]:
        for rationales in line["evidence"].values():
            for rationale in rationales:
                rationale["label"] = turned[rationale["label"]]
    lines[-1]["cited_doc_ids"] = [1]
    return lines


def _answers(
    gold: Sequence[dict[str, Any]], shows: str, people: Sequence[User | None]
) -> dict[str, str]:
    """What each person gets of a board with three entries, one of them anonymous."""
    organiser, submitter = people[0], people[1]
    assert organiser is not None
    assert submitter is not None
    with rolled_back():
        phase = _phase(gold, shows, organiser)
        for number, right in enumerate((30, 20, 29)):
            made = upload(phase, submitter, predictions(right, N))
            entry = published(made, is_anonymous=number == 0)
            Submission.objects.filter(pk=entry.pk).update(token=f"entry-{number}")
        for job in Job.objects.filter(kind="compare_entries"):
            execute_job(job.pk)
        assert Comparison.objects.count() == 2
        root = f"/benchmarks/{phase.benchmark.slug}"
        addresses = [f"{root}/board/", f"{root}/phases/1/board/entry-0/"]
        for query in (*QUERIES, *SLICES):
            addresses += [f"{root}/phases/1/{file}{query}" for file in FILES]
        return {
            f"{person and person.username} {address}": _get(person, address)
            for person in people
            for address in addresses
        }


def _phase(gold: Sequence[dict[str, Any]], shows: str, organiser: User) -> Phase:
    benchmark = make_benchmark(organiser)
    gold_set = make_gold_set(organiser, lines=gold)
    return make_phase(benchmark, shows=shows, gold_set=gold_set)


def _get(person: User | None, address: str) -> str:
    client = Client()
    if person is not None:
        client.force_login(person)
    response = client.get(address)
    assert response.status_code == 200
    text = response.content.decode()
    for mask in MASKS:
        text = re.sub(mask, "…", text)
    return text


@pytest.mark.parametrize(
    ("shows", "first_changed"),
    [
        # A blind board is the same whatever the gold says.
        ("nothing", 0),
        # The labels of claims that nobody answered change no overall measure.
        ("overall", 30),
    ],
)
def test_the_board_does_not_tell_hidden_gold_apart(
    shows: str, first_changed: int
) -> None:
    people = [UserFactory(), UserFactory(), UserFactory(), None]
    before = _answers(gold_lines(N), shows, people)
    after = _answers(_changed(first_changed), shows, people)
    organiser = f"{people[0]} "
    different = {key for key in before if before[key] != after[key]}
    assert [key for key in different if not key.startswith(organiser)] == []
    assert len(different) >= 10


def test_an_overall_board_does_tell_another_overall_score() -> None:
    """Otherwise the test above would say nothing."""
    people = [UserFactory(), UserFactory(), None]
    before = _answers(gold_lines(N), "overall", people)
    after = _answers(_changed(15), "overall", people)
    key = next(key for key in before if key.startswith("None") and ".json" in key)
    assert before[key] != after[key]
