"""Gold sets: what can be scored, and what researchers get of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.exceptions import DomainError
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    start_from,
    stored,
)
from verification.models import Benchmark, GoldSet
from verification.services import gold as services
from verification.services.gold import (
    GoldFiles,
    GoldRefusedError,
    Scoring,
    create_gold_set,
)

pytestmark = pytest.mark.django_db


def test_all_that_is_wrong_with_gold_is_told_with_its_line() -> None:
    lines = gold_lines()
    lines[0]["evidence"] = {"1": [{"sentences": ["0"], "label": "SUPPORT"}]}
    lines[3]["evidence"] = {"1": [{"sentences": [0], "label": "MAYBE"}]}
    lines[5]["id"] = 4
    with pytest.raises(GoldRefusedError) as refused:
        start_from({"gold": lines})
    assert {error.line for error in refused.value.errors} == {1, 4, 6}
    assert {error.file for error in refused.value.errors} == {"gold.jsonl"}
    assert not Benchmark.objects.exists()
    assert not GoldSet.objects.exists()


def test_errors_of_the_corpus_are_told_as_well() -> None:
    with pytest.raises(GoldRefusedError) as refused:
        start_from(
            {"gold": gold_lines(), "corpus": [{"doc_id": 1, "title": "No text"}]}
        )
    assert [error.file for error in refused.value.errors] == ["corpus.jsonl"]


def test_gold_that_fills_the_memory_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr(services, "GOLD_LIMIT", 100)
    with pytest.raises(DomainError, match="too large to be gold"):
        start_from({"gold": gold_lines()})


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        (gold_lines()[1:], "only in one of them"),
        ([*gold_lines(), {"id": 77, "claim": "One more."}], "only in one of them"),
        (gold_lines(), "A label or a set of evidence is given"),
        (
            [line | {"evidence": {"1": [{"sentences": [0]}]}} for line in gold_lines()],
            "The evidence is given",
        ),
    ],
)
def test_own_claims_fit_the_gold_and_give_no_answer(
    claims: list[dict[str, Any]], words: str
) -> None:
    with pytest.raises(GoldRefusedError) as refused:
        start_from({"gold": gold_lines(), "claims": claims})
    assert any(words in error.message for error in refused.value.errors)


def test_own_claims_are_what_researchers_get() -> None:
    claims = [{"id": n, "claim": f"Claim {n}.", "topic": "moss"} for n in range(12)]
    benchmark = start_from({"gold": gold_lines(), "claims": claims})
    with benchmark.gold_sets.get().claims.file.open() as file:
        assert json.loads(file.readline())["topic"] == "moss"


def test_a_measure_that_the_task_does_not_have_is_refused() -> None:
    scoring = Scoring("scifact_pipeline", "leaderboard", "open", "bleu")
    owner = UserFactory()
    files = GoldFiles(stored(owner, gold_lines(), "gold.jsonl"))
    with pytest.raises(DomainError, match="no measure “bleu”"):
        create_gold_set(files=files, scoring=scoring, owner=owner, name="Gold")
