"""The job that checks the claims of a batch, chunk by chunk."""

from __future__ import annotations

from typing import Any

from celery.exceptions import SoftTimeLimitExceeded

from corpus.job_runner import JobRun
from corpus.jobs import start_job
from verification.models import ClaimBatch, FactCheck
from verification.services.check_leases import (
    FINISHED,
    TOGETHER,
    claim_batch_checks,
)
from verification.worker.answering import answer_checks
from verification.worker.serving import with_checks_between

PHASE = "checking claims"


def check_batch_job(run: JobRun) -> dict[str, Any]:
    """Answer what is left of a batch; a claim that fails keeps its reason.

    The payload is ``{"batch": primary key}``.
    """
    batch = ClaimBatch.objects.get(pk=run.payload["batch"])
    total = batch.checks.count()
    with run.commit():
        left = claim_batch_checks(batch=batch, owner=run.job.lease_owner)
    try:
        _check(run, left, total)
    except SoftTimeLimitExceeded:
        # The rest is for another job: nothing of a batch is given up for its length.
        start_job(kind=run.job.kind, owner=run.job.owner, payload=run.payload)
    return {"counts": _counts(batch)}


def _check(run: JobRun, left: list[FactCheck], total: int) -> None:
    chunks = [left[n : n + TOGETHER] for n in range(0, len(left), TOGETHER)]
    for number, chunk in enumerate(with_checks_between(chunks)):
        run.report(total - len(left) + number * TOGETHER, total, PHASE)
        answer_checks(chunk)
    run.report(total, total, PHASE)


def _counts(batch: ClaimBatch) -> dict[str, int]:
    failed = batch.checks.filter(state=FactCheck.State.FAILED).count()
    finished = batch.checks.filter(state__in=FINISHED).count()
    return {"claims checked": finished - failed, "claims that failed": failed}
