"""The words of tasks keep to what the scorer does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verification.benchmark_tasks import PROFILE_WORDS, TASKS
from verification.models import Benchmark
from verification.public_claims import answers_in, public_claims
from verification.scoring.reading import Source
from verification.scoring.registry import get_task
from verification.scoring.service import score, validate
from verification.scoring.tasks import Request
from verification.services.gold import measures_of
from verification.trivial import BENCHMARK_TASKS, empty_predictions

SCIFACT = {
    "id": 1,
    "claim": "Moss grows in rain.",
    "evidence": {"7": [{"sentences": [0], "label": "SUPPORT"}]},
    "cited_doc_ids": [7],
}
CHECK_COVID = {
    "id": 1,
    "claim": "Moss grows in rain.",
    "label": "SUPPORT",
    "cord_id": "a7",
    "evidence_set": [{"sent_index": 0, "text": "It grows."}],
}
GOLD: dict[str, Any] = {
    "fever": {
        "id": 1,
        "claim": "Moss grows in rain.",
        "label": "SUPPORTS",
        "verifiable": "VERIFIABLE",
        "evidence": [[[1, 1, "Moss", 0]]],
    },
    "scifact_open": {
        "id": 1,
        "claim": "Moss grows in rain.",
        "evidence": {"7": {"label": "SUPPORT", "sentences": [0]}},
    },
}


def _gold(task: str, folder: Path) -> Source:
    path = folder / "gold"
    if task == "core":
        path.write_text("idx,abstract,label\n1,It grows.,ENTAIL\n", encoding="utf-8")
        return Source.of_path(path)
    line = CHECK_COVID if task.startswith("checkcovid") else GOLD.get(task, SCIFACT)
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return Source.of_path(path)


def _nothing(task: str, gold: Source, folder: Path) -> Source:
    path = folder / "predictions"
    path.write_bytes(b"".join(empty_predictions(task, gold)))
    return Source.of_path(path)


def test_every_task_has_words() -> None:
    assert set(TASKS) == set(BENCHMARK_TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_the_measures_that_are_offered_are_those_of_the_scorer(
    task: str, tmp_path: Path
) -> None:
    gold = _gold(task, tmp_path)
    predictions = _nothing(task, gold, tmp_path)
    outcome = score(task, Request(predictions=predictions, gold=gold))
    assert outcome.errors == []
    assert set(TASKS[task].measures) == set(measures_of(outcome))


@pytest.mark.parametrize("task", TASKS)
def test_profiles_and_settings_have_words(task: str) -> None:
    assert set(get_task(task).profiles) <= PROFILE_WORDS.keys()
    assert set(TASKS[task].settings) <= set(Benchmark.Setting.values)


@pytest.mark.parametrize(
    ("task", "setting"),
    [(task, setting) for task, words in TASKS.items() for setting in words.settings],
)
def test_public_claims_can_be_answered_and_give_no_answer(
    task: str, setting: str, tmp_path: Path
) -> None:
    gold = _gold(task, tmp_path)
    path = tmp_path / "claims"
    path.write_bytes(b"".join(public_claims(task, gold, setting)))
    claims = Source.of_path(path)
    predictions = _nothing(task, gold, tmp_path)
    outcome = validate(task, Request(predictions=predictions, gold=claims))
    assert outcome.errors == []
    assert answers_in(task, claims, setting) == []


@pytest.mark.parametrize("task", TASKS)
def test_gold_itself_gives_answers(task: str, tmp_path: Path) -> None:
    (found,) = answers_in(task, _gold(task, tmp_path), "oracle-rationale")
    assert found.line in {1, 2}


def test_the_given_abstract_of_check_covid_is_public(tmp_path: Path) -> None:
    gold = _gold("checkcovid_label_prediction", tmp_path)
    (line,) = public_claims("checkcovid_label_prediction", gold, "oracle-abstract")
    assert json.loads(line) == {
        "id": 1,
        "claim": "Moss grows in rain.",
        "cord_id": "a7",
    }
