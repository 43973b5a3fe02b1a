"""The job that checks the claims of a batch."""

from __future__ import annotations

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from corpus.job_runner import execute_job
from corpus.jobs import cancel_job, job_progress, start_job
from corpus.models import Corpus, Job
from tests.factories import UserFactory
from verification.models import ClaimBatch, FactCheck
from verification.services.check_leases import (
    BATCH_JOB,
    TOGETHER,
    release_stalled_checks,
)
from verification.services.evidence import ask_for_evidence
from verification.worker import batches
from verification.worker.answering import answer_checks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("system")]

COUNT = TOGETHER + 4


@pytest.fixture
def batch(corpus: Corpus) -> ClaimBatch:
    """Claims that fill more than one chunk."""
    made = ClaimBatch.objects.create(
        name="Notes", owner=UserFactory(), corpus=corpus, system="plain"
    )
    for position in range(COUNT):
        FactCheck.objects.create(
            batch=made,
            position=position,
            corpus=corpus,
            system="plain",
            claim=f"Tea makes sleep {position} hours shorter.",
        )
    return made


@pytest.fixture
def job(batch: ClaimBatch) -> Job:
    return start_job(kind=BATCH_JOB, owner=batch.owner, payload={"batch": batch.pk})


def test_every_claim_of_a_batch_is_answered(batch: ClaimBatch, job: Job) -> None:
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["counts"]) == (
        "done",
        {"claims checked": COUNT, "claims that failed": 0},
    )
    assert (job_progress(job).done, job_progress(job).total) == (COUNT, COUNT)
    assert set(batch.checks.values_list("state", flat=True)) == {"done"}


def test_somebody_who_asks_meanwhile_is_answered_before_the_next_chunk(
    batch: ClaimBatch, job: Job, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def answer_and_ask(checks: list[FactCheck]) -> None:
        single = FactCheck.objects.filter(batch=None)
        seen.append([check.state for check in single])
        answer_checks(checks)
        ask_for_evidence(claim="Bees like iron.", corpus=corpus, system="plain")

    monkeypatch.setattr(batches, "answer_checks", answer_and_ask)
    execute_job(job.pk)
    assert seen == [[], ["done"]]


def test_what_an_hour_is_too_short_for_is_done_by_the_next_job(
    batch: ClaimBatch, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer_and_run_out(checks: list[FactCheck]) -> None:
        answer_checks(checks)
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as patch:
        patch.setattr(batches, "answer_checks", answer_and_run_out)
        execute_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["counts"]["claims checked"]) == ("done", TOGETHER)
    release_stalled_checks()
    successor = Job.objects.get(kind=BATCH_JOB, state="queued")
    execute_job(successor.pk)
    assert batch.checks.filter(state="done").count() == COUNT


def test_a_batch_goes_on_where_it_was_stopped(
    batch: ClaimBatch, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def answer_and_stop(checks: list[FactCheck]) -> None:
        sizes.append(len(checks))
        answer_checks(checks)
        cancel_job(job=Job.objects.get(pk=job.pk))

    with monkeypatch.context() as patch:
        patch.setattr(batches, "answer_checks", answer_and_stop)
        # The wish is looked for twice a second at most, and this batch is quick.
        patch.setattr("corpus.job_runner.REPORT_SECONDS", 0)
        execute_job(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert batch.checks.filter(state="done").count() == TOGETHER
    again = start_job(kind=BATCH_JOB, owner=batch.owner, payload={"batch": batch.pk})
    execute_job(again.pk)
    assert batch.checks.filter(state="done", attempts=0).count() == COUNT
    assert sizes == [TOGETHER]
