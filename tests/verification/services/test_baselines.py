"""Baselines: what each scores by hand, once each, and outside of any quota."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from corpus.exceptions import DomainError
from corpus.job_runner import execute_job
from corpus.models import Event, User
from tests.factories import UserFactory
from tests.verification.board import (
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    stored,
)
from tests.verification.task_phases import task_phase
from verification.models import Phase, QuotaSlot, Submission
from verification.services.baselines import offers, start_baselines
from verification.services.gold import (
    GoldFiles,
    create_gold_set,
    scoring_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_indexes(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def _made(phase: Phase) -> dict[str, Submission]:
    job = start_baselines(phase=phase, organiser=phase.benchmark.organisers.get())
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return {entry.system: entry for entry in phase.submissions.all()}


def _f1(entry: Submission) -> float:
    return float(entry.scores.get().metrics["abstract_label_only_f1"])


def test_each_baseline_is_scored_and_published_outside_of_quotas() -> None:
    """Four claims support, four contradict, four have no evidence: all cite both.

    SUPPORT is as frequent as CONTRADICT, so the first by name, CONTRADICT, is given
    always. Whoever is told the cited abstracts predicts 24, of which the 4 that
    contradict are right, of 8: precision 1/6, recall 1/2, F1 1/4. The oracle's are
    also rationalized; the corpus has two abstracts, so TF-IDF finds the same.
    """
    phase = make_phase()
    made = _made(phase)
    assert set(made) == {
        "Majority label on cited abstracts",
        "Oracle rationale and majority label",
        "First sentence",
        "VeriSci-style TF-IDF and majority label",
    }
    assert {round(_f1(entry), 12) for entry in made.values()} == {0.25}
    oracle = made["Oracle rationale and majority label"].scores.get()
    assert oracle.metrics["abstract_rationalized_f1"] == pytest.approx(0.25)
    first = made["First sentence"].scores.get()
    assert first.metrics["abstract_rationalized_f1"] == 0
    for entry in made.values():
        assert (entry.is_baseline, entry.standing) == (True, "published")
        assert "this phase's gold" in entry.description
    assert QuotaSlot.objects.count() == 0
    assert Event.objects.filter(verb="add_baseline").count() == 4


def test_nothing_is_made_twice() -> None:
    phase = make_phase()
    organiser = phase.benchmark.organisers.get()
    jobs = [start_baselines(phase=phase, organiser=organiser) for _ in range(2)]
    for job in jobs:
        execute_job(job.pk)
    assert phase.submissions.count() == 4
    with pytest.raises(DomainError, match="there already"):
        start_baselines(phase=phase, organiser=organiser)


def test_claim_only_needs_public_claims_of_another_split() -> None:
    """Its claims say their label in their words, so that the label can be learnt."""
    benchmark = make_benchmark()
    organiser = benchmark.organisers.get()
    words = {0: "rises", 1: "falls", 2: "rests"}
    lines = [
        {
            "id": n,
            "claim": f"Moss {words[n % 3]} in year {n}.",
            "evidence": _evidence(n % 3),
            "cited_doc_ids": [1, 2],
        }
        for n in range(30)
    ]
    dev = make_gold_set(organiser, is_hidden=False, lines=lines)
    test = make_gold_set(organiser, lines=lines[:15])
    make_phase(benchmark, gold_set=dev)
    blind = make_phase(benchmark, shows="nothing", gold_set=test)
    made = _made(blind)
    claim_only = made["Claim only"]
    # Five right of ten predicted that support, five of ten that contradict.
    assert _f1(claim_only) == pytest.approx(2 * 0.5 * 1 / 1.5)
    assert "this phase's gold" not in claim_only.description
    assert "public gold of another" in made["First sentence"].description


def _evidence(kind: int) -> dict[str, Any]:
    if kind == 2:
        return {}
    label = ("SUPPORT", "CONTRADICT")[kind]
    return {str(kind + 1): [{"sentences": [0], "label": label}]}


# Other tasks ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "metric", "expected"),
    [
        # 24 cited abstracts: 4 support, 4 contradict, 16 say nothing.
        ("scifact_label_prediction", "accuracy", {"Majority label": 16 / 24}),
        # Of the given ones 4 support, 4 contradict, and 8 are of claims without.
        ("scifact_label_accuracy_gold_inputs", "accuracy", {"Majority label": 8 / 16}),
        # The only rationale needs a second sentence.
        (
            "scifact_rationale_selection",
            "f1",
            {
                "First sentence of cited abstracts": 0,
                "Most similar sentence of cited abstracts": 0,
            },
        ),
        # The corpus has two abstracts, so that both are among three.
        (
            "scifact_abstract_retrieval",
            "hit_all",
            {"VeriSci-style TF-IDF": 1, "BM25": 1},
        ),
        # 24 pairs contradict, of which 4 do so, of 8 with evidence.
        ("scifact_open", "F1", {"TF-IDF and majority label": 0.25}),
        # Two of three support.
        ("checkcovid_label_prediction", "accuracy", {"Majority label": 2 / 3}),
        # Three sentences are right; the first is, and the one with "moss" is the first.
        (
            "checkcovid_rationale_selection",
            "sentence_standard.f1",
            {
                "First sentence of cited abstracts": 1 / 3,
                "Most similar sentence of cited abstracts": 1 / 3,
            },
        ),
    ],
)
def test_what_the_baselines_of_other_tasks_score(
    task: str, metric: str, expected: dict[str, float]
) -> None:
    made = _made(task_phase(task, metric))
    found = {name: entry.scores.get().primary for name, entry in made.items()}
    assert found == pytest.approx(expected)


def test_a_label_task_has_a_claim_only_baseline_with_public_gold() -> None:
    phase = task_phase("scifact_label_prediction", "accuracy")
    benchmark, words = phase.benchmark, ("rises", "falls", "rests")
    organiser = benchmark.organisers.get()
    dev = [
        line | {"claim": f"Moss {words[n % 3]}."} for n, line in enumerate(gold_lines())
    ]
    public = create_gold_set(
        files=GoldFiles(stored(organiser, dev, "dev.jsonl")),
        scoring=scoring_of(benchmark),
        owner=organiser,
        name="Dev",
        is_hidden=False,
        benchmark=benchmark,
    )
    make_phase(benchmark, gold_set=public)
    assert set(_made(phase)) == {"Majority label", "Claim only"}


def test_public_claims_that_teach_nothing_are_told_in_words() -> None:
    gold = [line | {"claim": "?"} for line in gold_lines()]
    phase = task_phase("scifact_label_prediction", "accuracy", gold)
    benchmark = phase.benchmark
    organiser = benchmark.organisers.get()
    public = create_gold_set(
        files=GoldFiles(stored(organiser, gold[:6], "dev.jsonl")),
        scoring=scoring_of(benchmark),
        owner=organiser,
        name="Dev",
        is_hidden=False,
        benchmark=benchmark,
    )
    make_phase(benchmark, gold_set=public)
    job = start_baselines(phase=phase, organiser=organiser)
    execute_job(job.pk)
    job.refresh_from_db()
    assert "cannot be trained" in job.error
    assert [entry.system for entry in phase.submissions.all()] == ["Majority label"]


def test_a_phase_without_a_corpus_offers_no_pipeline() -> None:
    phase = make_phase()
    phase.gold_set.corpus = None
    assert offers(phase) == []


def test_only_organisers_see_the_button_and_it_leads_to_the_board(
    client: Client,
) -> None:
    phase = make_phase()
    address = f"/benchmarks/{phase.benchmark.slug}/phases/1"
    person: User = UserFactory()
    client.force_login(person)
    assert "Make those" not in client.get(f"{address}/board/").content.decode()
    assert client.post(f"{address}/baselines/").status_code == 403
    client.force_login(phase.benchmark.organisers.get())
    assert "Make those" in client.get(f"{address}/board/").content.decode()
    assert client.get(f"{address}/baselines/").status_code == 405
    assert client.post(f"{address}/baselines/").status_code == 302
    _made(phase)
    text = client.get(f"{address}/board/").content.decode()
    assert "It reads the gold: no system can do so." in text
    assert "the organisers" in text
    assert phase.benchmark.organisers.get().display_name not in (
        client.get(f"{address}/board.csv").content.decode()
    )
