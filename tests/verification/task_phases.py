"""Phases of every task whose claims come with abstracts."""

from __future__ import annotations

from typing import Any

from tests.factories import UserFactory
from tests.verification.board import corpus_lines, gold_lines, make_phase, stored
from verification.benchmark_tasks import TASKS
from verification.models import Phase
from verification.scoring.registry import get_task
from verification.services.benchmarks import create_benchmark
from verification.services.gold import GoldFiles, Scoring, create_gold_set

OPEN_GOLD = [
    line
    | {
        "evidence": {
            document: {
                "provenance": "citation",
                "label": rationales[0]["label"],
                "sentences": [0],
                "model_ranks": None,
            }
            for document, rationales in line["evidence"].items()
        }
    }
    for line in gold_lines()
]
COVID = [
    {
        "id": n,
        "claim": f"Masks and moss {n}.",
        "cord_id": "a",
        "label": ("SUPPORT", "REFUTE", "SUPPORT")[n],
        "is_auth": False,
        "evidence_set": [{"sent_index": n, "type": "PRIMARY"}],
    }
    for n in range(3)
]
COVID_CORPUS = [{"cord_id": "a", "title": "Moss", "abstract": ["Moss 1.", "Mud.", "."]}]


def task_phase(task: str, metric: str, gold: Any = None) -> Phase:
    """Make a phase of a task, with gold of its format and a corpus."""
    usual, corpus = _files(task)
    gold = gold or usual
    profile, organiser = get_task(task).profiles[0], UserFactory()
    scoring = Scoring(task, profile, TASKS[task].settings[0], metric)
    benchmark = create_benchmark(
        name="Moss",
        description="",
        scoring=scoring,
        visibility="public",
        organiser=organiser,
    )
    gold_set = create_gold_set(
        files=GoldFiles(
            gold=stored(organiser, gold, "gold.jsonl"),
            corpus=stored(organiser, corpus, "corpus.jsonl"),
        ),
        scoring=scoring,
        owner=organiser,
        name="Gold",
        benchmark=benchmark,
    )
    return make_phase(benchmark, shows="overall", gold_set=gold_set)


def _files(task: str) -> tuple[Any, Any]:
    if task.startswith("checkcovid"):
        return COVID, COVID_CORPUS
    return OPEN_GOLD if task == "scifact_open" else gold_lines(), corpus_lines()
