"""Checks in the hands of workers: taken, written stage by stage, given back.

A worker takes a check with a fresh ``lease_owner`` and writes only what it still
holds, so one that was taken for dead and comes back changes nothing. Checks of a
batch are held by the batch's job instead: its own lease stands for theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from corpus import live
from corpus.job_runner import LEASE, storable
from corpus.models import Job
from corpus.models.jobs import new_token
from verification.models import UNKEPT_FOR, ClaimBatch, FactCheck, Plausibility

State = FactCheck.State
FINISHED = (State.DONE, State.FAILED)
BATCH_JOB = "check_batch"
# How many claims go through the models together.
TOGETHER = 16
MAX_ATTEMPTS = 3
CLIENT_FOR = timedelta(days=1)

INTERRUPTED = (
    f"The search was interrupted {MAX_ATTEMPTS} times (the worker was stopped or had "
    "no memory left), so it is not tried again. Ask once more later."
)
BATCH_ENDED = "The batch was stopped before this claim was checked."


def claim_checks() -> list[FactCheck]:
    """Take the checks that wait longest and can be answered together, if any wait.

    They share corpus and system. A check that brought a worker down before is taken
    alone, so that it cannot take others with it.
    """
    # Looking takes no lock: most often nothing waits.
    while (first := _waiting().order_by("attempts", "pk").first()) is not None:
        if checks := _take_with(first):
            return checks
    return []


def _take_with(first: FactCheck) -> list[FactCheck]:
    """Take a check and its like, unless another worker was faster."""
    owner = new_token()
    alike = _waiting().filter(
        corpus=first.corpus_id, system=first.system, attempts=first.attempts
    )
    limit = 1 if first.attempts else TOGETHER
    with transaction.atomic():
        rows = alike.order_by("pk").select_for_update()[:limit]
        keys = [check.pk for check in rows]
        alike.filter(pk__in=keys).update(
            lease_owner=owner,
            lease_expires_at=timezone.now() + LEASE,
            attempts=F("attempts") + 1,
        )
    return list(_held_by(owner))


def claim_batch_checks(*, batch: ClaimBatch, owner: str) -> list[FactCheck]:
    """Take what is left of a batch for the job that holds ``owner``."""
    batch.checks.exclude(state__in=FINISHED).update(lease_owner=owner)
    return list(_held_by(owner).filter(batch=batch).order_by("position"))


def _waiting() -> QuerySet[FactCheck]:
    return FactCheck.objects.filter(
        batch=None, lease_owner="", attempts__lt=MAX_ATTEMPTS
    ).exclude(state__in=FINISHED)


def _held_by(owner: str) -> QuerySet[FactCheck]:
    held = FactCheck.objects.filter(lease_owner=owner).exclude(state__in=FINISHED)
    return held.select_related("corpus").order_by("pk")


@transaction.atomic
def save_stage(*, checks: Sequence[FactCheck], state: FactCheck.State) -> None:
    """Write what is known of checks now; one that was taken away stays as it is."""
    now = timezone.now()
    for check in checks:
        check.state = state
        _held(check).update(
            state=state,
            result=storable(check.result),
            corpus_version=check.corpus_version,
            system_digest=check.system_digest,
            lease_expires_at=None if check.is_finished else now + LEASE,
            answered_at=now if check.is_finished else None,
        )


def fail_checks(*, checks: Sequence[FactCheck], error: str) -> None:
    """End checks with a reason, in words."""
    for check in checks:
        _fail(_held(check), error)


def _held(check: FactCheck) -> QuerySet[FactCheck]:
    rows = FactCheck.objects.filter(pk=check.pk, lease_owner=check.lease_owner)
    return rows.exclude(state__in=FINISHED)


def _fail(rows: QuerySet[FactCheck], error: str) -> None:
    rows.update(
        state=State.FAILED,
        error=storable(error),
        answered_at=timezone.now(),
        lease_expires_at=None,
    )


def release_stalled_checks() -> bool:
    """Give back what vanished workers hold; whether any check waits for a worker."""
    held = FactCheck.objects.filter(
        batch=None, lease_expires_at__lt=timezone.now()
    ).exclude(state__in=FINISHED)
    owners = held.order_by().values_list("lease_owner", flat=True).distinct()
    for owner in owners:
        if not live.is_beating(owner):
            _release(held.filter(lease_owner=owner))
    _fail_ended_batches()
    return _waiting().exists()


def _release(rows: QuerySet[FactCheck]) -> None:
    _fail(rows.filter(attempts__gte=MAX_ATTEMPTS), INTERRUPTED)
    rows.update(lease_owner="", lease_expires_at=None)


def _fail_ended_batches() -> None:
    """End what a batch's job leaves behind that failed or was cancelled."""
    for batch in _unfinished_batches():
        job = job_of(batch)
        if job is not None and job.is_finished:
            left = batch.checks.exclude(state__in=FINISHED)
            _fail(left, job.error or BATCH_ENDED)


def job_of(batch: ClaimBatch) -> Job | None:
    """Return the job that checks the batch, the latest one."""
    jobs = Job.objects.filter(kind=BATCH_JOB, owner=batch.owner_id)
    return jobs.filter(payload={"batch": batch.pk}).order_by("-pk").first()


def _unfinished_batches() -> QuerySet[ClaimBatch]:
    unfinished = FactCheck.objects.filter(batch__isnull=False).exclude(
        state__in=FINISHED
    )
    return ClaimBatch.objects.filter(pk__in=unfinished.values("batch")).order_by("pk")


def remove_old_checks() -> None:
    """Remove checks that nobody keeps, and what tells who asked for the others."""
    now = timezone.now()
    with transaction.atomic():
        unkept = FactCheck.objects.filter(
            ~Exists(Plausibility.objects.filter(check_of=OuterRef("pk"))),
            kept_at=None,
            batch=None,
            asked_at__lt=now - UNKEPT_FOR,
        ).select_for_update(skip_locked=True)
        keys = [check.pk for check in unkept.only("pk")]
        FactCheck.objects.filter(pk__in=keys).delete()
    old = FactCheck.objects.filter(asked_at__lt=now - CLIENT_FOR)
    old.exclude(client="").update(client="")
