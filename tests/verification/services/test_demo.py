"""The demo benchmark: scored without a worker, three systems, one blind phase."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.jobs import start_job
from corpus.models import Job, StoredFile
from tests.factories import CorpusFactory, UserFactory
from verification.disclosure import Detail, detail_of
from verification.models import (
    Benchmark,
    ClaimBatch,
    FactCheck,
    Phase,
    Plausibility,
    Submission,
)
from verification.services import demo
from verification.services.demo import (
    load_demo_benchmark,
    remove_demo_benchmark,
    remove_demo_checks,
)

pytestmark = pytest.mark.django_db


def test_the_demo_benchmark_shows_a_board_and_a_blind_phase() -> None:
    load_demo_benchmark()
    benchmark = Benchmark.objects.get(is_demo=True)
    assert benchmark.visibility == "public"
    dev, blind = benchmark.phases.order_by("number")
    assert (dev.shows, dev.gold_set.is_hidden) == ("everything", False)
    assert (blind.shows, blind.gold_set.is_hidden) == ("nothing", True)
    assert dev.gold_set.n_claims >= 20  # slices have at least twenty claims
    scores = [
        entry.scores.get().primary
        for entry in Submission.objects.filter(phase=dev).order_by("pk")
    ]
    # From the best to the worst, and clearly apart.
    assert len(scores) == 3
    best, middle, worst = (score or 0 for score in scores)
    assert 1 > best > middle + 0.1
    assert middle > worst + 0.1 > 0.1
    standings = Submission.objects.values_list("state", "standing").distinct()
    assert list(standings) == [("scored", "published")]


def test_nothing_is_left_for_a_worker() -> None:
    load_demo_benchmark()
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_the_blind_phase_shows_nothing_for_long() -> None:
    load_demo_benchmark()
    blind = Phase.objects.get(kind="blind")
    assert blind.closes_at is not None
    detail = detail_of(blind, now=blind.opens_at, is_organiser=False)
    assert detail == Detail.NOTHING


def test_the_claims_of_both_phases_are_different() -> None:
    load_demo_benchmark()
    dev, blind = (_claim_ids(phase) for phase in Phase.objects.order_by("pk"))
    assert dev
    assert blind
    assert not dev & blind


def _claim_ids(phase: Phase) -> set[int]:
    with phase.gold_set.gold.file.open() as file:
        return {json.loads(line)["id"] for line in file}


def test_removing_leaves_nothing_behind() -> None:
    load_demo_benchmark()
    remove_demo_benchmark()
    for model in (Benchmark, Submission, Job, StoredFile):
        assert not model._default_manager.exists()


def test_what_was_checked_against_the_demo_goes_and_no_more() -> None:
    demo_corpus, other = CorpusFactory(is_demo=True), CorpusFactory()
    person = UserFactory()
    for corpus in (demo_corpus, other):
        batch = ClaimBatch.objects.create(
            name="Notes", owner=person, corpus=corpus, system="plain"
        )
        start_job(kind="check_batch", owner=person, payload={"batch": batch.pk})
        check = FactCheck.objects.create(
            corpus=corpus, system="plain", claim="Tea.", batch=batch, position=1
        )
        Plausibility.objects.create(
            check_of=check, document="1", rater=person, is_plausible=True
        )
    remove_demo_checks()
    for rows in (ClaimBatch.objects, FactCheck.objects, Plausibility.objects):
        assert rows.count() == 1
    assert FactCheck.objects.get().corpus == other
    assert Job.objects.get().payload == {"batch": batch.pk}
    demo_corpus.delete()


def test_what_fails_half_way_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(demo, "publish", fail)
    with pytest.raises(RuntimeError, match="disk is full"):
        load_demo_benchmark()
    assert not Benchmark.objects.exists()
    assert not StoredFile.objects.exists()
