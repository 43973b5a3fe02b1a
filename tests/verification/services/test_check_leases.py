"""Checks that workers take, lose and give back, and those that nobody keeps."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from corpus import caching, live
from corpus.job_runner import claim_job
from corpus.jobs import start_job
from corpus.models import Corpus, Job
from tests.factories import CorpusFactory, UserFactory
from verification import tasks
from verification.models import ClaimBatch, FactCheck, Plausibility
from verification.services.check_leases import (
    BATCH_JOB,
    TOGETHER,
    claim_batch_checks,
    claim_checks,
    fail_checks,
    release_stalled_checks,
    remove_old_checks,
    save_stage,
)

pytestmark = pytest.mark.django_db

State = FactCheck.State


@pytest.fixture
def corpus() -> Corpus:
    made: Corpus = CorpusFactory()
    return made


def waiting(corpus: Corpus, count: int = 1, **values: Any) -> list[FactCheck]:
    """Store checks as asking does."""
    values = {"system": "plain", "claim": "Tea.", **values}
    return [FactCheck.objects.create(corpus=corpus, **values) for _ in range(count)]


def vanish() -> None:
    """Let the workers that hold checks be gone for long."""
    past = timezone.now() - timedelta(seconds=1)
    FactCheck.objects.exclude(lease_owner="").update(lease_expires_at=past)


def keys(checks: list[FactCheck]) -> list[int]:
    return [check.pk for check in checks]


def test_those_that_wait_longest_are_taken_with_others_of_their_kind(
    corpus: Corpus,
) -> None:
    first = waiting(corpus, TOGETHER)
    other = waiting(CorpusFactory())
    another = waiting(corpus, system="other")
    late = waiting(corpus, 2)
    taken = [claim_checks() for _ in range(5)]
    assert [keys(some) for some in taken] == [
        keys(first),
        keys(other),
        keys(another),
        keys(late),
        [],
    ]
    assert len({check.lease_owner for check in taken[0]}) == 1


def test_a_worker_that_was_taken_for_dead_writes_nothing(corpus: Corpus) -> None:
    waiting(corpus)
    (frozen,) = claim_checks()
    vanish()
    assert release_stalled_checks()
    (current,) = claim_checks()
    frozen.result = {"abstracts": []}
    save_stage(checks=[frozen], state=State.DONE)
    fail_checks(checks=[frozen], error="too late")
    row = FactCheck.objects.get()
    assert (row.state, row.result, row.lease_owner) == (
        State.WAITING,
        {},
        current.lease_owner,
    )


def test_what_is_answered_is_not_answered_again(corpus: Corpus) -> None:
    waiting(corpus)
    (check,) = claim_checks()
    save_stage(checks=[check], state=State.DONE)
    vanish()
    assert not release_stalled_checks()
    assert claim_checks() == []


def test_a_check_is_left_to_a_worker_that_gives_signs_of_life(corpus: Corpus) -> None:
    waiting(corpus)
    (check,) = claim_checks()
    vanish()
    live.beat(check.lease_owner)
    assert not release_stalled_checks()


def test_what_brought_a_worker_down_is_tried_alone_and_thrice(corpus: Corpus) -> None:
    waiting(corpus, 2)
    sizes: list[int] = []
    for _ in range(5):
        sizes.append(len(claim_checks()))
        vanish()
        release_stalled_checks()
    # Both once; then one at a time, the other first where it was tried less often.
    assert sizes == [2, 1, 1, 1, 1]
    assert claim_checks() == []
    assert set(FactCheck.objects.values_list("state", "attempts")) == {("failed", 3)}
    assert "interrupted 3 times" in FactCheck.objects.all()[0].error


def test_without_a_broker_the_watchdog_sends_the_message(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []

    def unreachable(**options: Any) -> None:
        raise BrokerError("connection refused")

    waiting(corpus)
    with monkeypatch.context() as patch:
        patch.setattr(tasks.find_evidence, "apply_async", unreachable)
        tasks.send_find_evidence()
    monkeypatch.setattr(
        tasks.find_evidence, "apply_async", lambda **options: sent.append("ml")
    )
    # Without a worker nobody would take it, and messages would pile up.
    caching.drop([f"worker-pulse-{live.ML_QUEUE}"])
    tasks.requeue_stalled_checks()
    assert sent == []
    live.pulse(live.ML_QUEUE)
    tasks.requeue_stalled_checks()
    claim_checks()
    tasks.requeue_stalled_checks()
    assert sent == ["ml"]


def asked_at(check: FactCheck, at: datetime) -> None:
    FactCheck.objects.filter(pk=check.pk).update(asked_at=at)


def test_a_claim_that_nobody_keeps_goes_after_an_hour_and_who_asked_after_a_day(
    corpus: Corpus,
) -> None:
    now = timezone.now()
    young, old, failed, kept, marked, in_batch = waiting(corpus, 6, client="hash")
    for check in (old, failed, kept, marked, in_batch):
        asked_at(check, now - timedelta(minutes=61))
    asked_at(young, now - timedelta(minutes=59))
    FactCheck.objects.filter(pk=failed.pk).update(state=State.FAILED)
    FactCheck.objects.filter(pk=kept.pk).update(kept_at=now)
    batch = batch_of(corpus)
    FactCheck.objects.filter(pk=in_batch.pk).update(batch=batch, position=1)
    Plausibility.objects.create(
        check_of=marked, document="1", rater=UserFactory(), is_plausible=True
    )
    remove_old_checks()
    left = FactCheck.objects.order_by("pk")
    assert keys(list(left)) == keys([young, kept, marked, in_batch])
    assert set(left.values_list("client", flat=True)) == {"hash"}
    asked_at(kept, now - timedelta(hours=25))
    remove_old_checks()
    kept.refresh_from_db()
    assert kept.client == ""
    assert left.filter(client="hash").count() == 3


def batch_of(corpus: Corpus, count: int = 0) -> ClaimBatch:
    batch = ClaimBatch.objects.create(
        name="Notes", owner=UserFactory(), corpus=corpus, system="plain"
    )
    for position in range(count):
        waiting(corpus, batch=batch, position=position)
    return batch


def test_the_claims_of_a_batch_are_held_by_its_job_alone(corpus: Corpus) -> None:
    batch = batch_of(corpus, 3)
    assert claim_checks() == []
    first = claim_batch_checks(batch=batch, owner="first")
    assert [check.position for check in first] == [0, 1, 2]
    save_stage(checks=first[:1], state=State.DONE)
    second = claim_batch_checks(batch=batch, owner="second")
    assert [check.position for check in second] == [1, 2]
    save_stage(checks=first, state=State.DONE)
    assert batch.checks.filter(state=State.DONE).count() == 1


def test_what_a_batch_leaves_behind_ends_with_its_job(corpus: Corpus) -> None:
    batch = batch_of(corpus, 2)
    done = claim_batch_checks(batch=batch, owner="first")[:1]
    save_stage(checks=done, state=State.DONE)
    job = start_job(kind=BATCH_JOB, owner=batch.owner, payload={"batch": batch.pk})
    assert claim_job(job.pk)
    release_stalled_checks()
    states = batch.checks.order_by("position").values_list("state", flat=True)
    assert list(states) == ["done", "waiting"]
    Job.objects.filter(pk=job.pk).update(state=Job.State.CANCELLED)
    release_stalled_checks()
    assert list(states.all()) == ["done", "failed"]
    assert "batch was stopped" in batch.checks.get(position=1).error
