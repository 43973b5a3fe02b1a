"""Starting, watching and cancelling background work.

A handler is named in ``settings.JOB_HANDLERS`` and gets a ``JobRun``. Its result may
hold ``redirect`` (where the person goes next), ``file`` (the token of a
``StoredFile``), ``counts`` (words and numbers) and ``problems`` (line errors), which
the job's page shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from corpus import live
from corpus.exceptions import DomainError
from corpus.job_runner import JobCancelled, JobRun
from corpus.live import workers_alive
from corpus.models import Job, User
from corpus.tasks import queue_of, send_job

__all__ = [
    "JobCancelled",
    "JobProgress",
    "JobRun",
    "cancel_job",
    "is_worker_missing",
    "job_progress",
    "start_job",
    "start_job_once",
    "visible_jobs",
    "workers_alive",
]


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is, as its page shows it."""

    done: int
    total: int
    phase: str
    is_cancelling: bool
    seconds_left: float | None


def start_job(
    *, kind: str, owner: User, payload: dict[str, Any], project_id: int | None = None
) -> Job:
    """Create a job and queue it once the transaction commits.

    The handler is loaded by the worker only: it may need models.
    """
    if kind not in settings.JOB_HANDLERS:
        raise KeyError(kind)
    job = Job.objects.create(
        kind=kind, owner=owner, payload=payload, project_id=project_id
    )
    transaction.on_commit(partial(send_job, job))
    return job


def start_job_once(
    *, kind: str, owner: User, payload: dict[str, Any], project_id: int | None = None
) -> Job:
    """Start a job, or return the one with this payload that waits, runs or is done.

    For a button that is pressed twice: whoever did it sees what the first press has
    brought about, and not that a second found nothing left to do.
    """
    same = Job.objects.filter(kind=kind, owner=owner, payload=payload)
    given_up = (Job.State.FAILED, Job.State.CANCELLED)
    already = same.exclude(state__in=given_up).order_by("pk").first()
    return already or start_job(
        kind=kind, owner=owner, payload=payload, project_id=project_id
    )


def cancel_job(*, job: Job) -> None:
    """Cancel a waiting job at once; ask the worker of a running one to stop."""
    if not live.request_cancel(job.pk):
        raise DomainError("The queue cannot be reached just now. Please try again.")
    if job.state != Job.State.QUEUED:
        return
    try:
        Job.objects.filter(pk=job.pk, state=Job.State.QUEUED).update(
            state=Job.State.CANCELLED, finished_at=timezone.now()
        )
    except OperationalError:
        # Somebody writes for long. The wish stands: the job ends when it is taken.
        return


def job_progress(job: Job) -> JobProgress:
    """Return how far a job is: from the cache while it runs, else from its row."""
    said = live.get_progress(job.pk) if job.state == Job.State.RUNNING else None
    if said is None:
        said = live.LiveProgress(job.progress_done, job.progress_total, job.phase)
    return JobProgress(
        said.done,
        said.total,
        said.phase,
        is_cancelling=not job.is_finished and live.is_cancel_requested(job.pk),
        seconds_left=_seconds_left(job, said.done, said.total),
    )


def is_worker_missing(job: Job) -> bool:
    """Whether the job waits for a worker that is not running."""
    return not job.is_finished and not workers_alive(queue_of(job.kind))


def _seconds_left(job: Job, done: int, total: int) -> float | None:
    """Return the time left if the rest goes as fast as the work so far."""
    if job.is_finished or job.started_at is None or not 0 < done <= total:
        return None
    elapsed = (timezone.now() - job.started_at).total_seconds()
    return elapsed / done * (total - done)


def visible_jobs(user: User | AnonymousUser) -> QuerySet[Job]:
    """Return the jobs that a user may look at: their own; staff see all."""
    if not isinstance(user, User):
        return Job.objects.none()
    return Job.objects.all() if user.is_staff else Job.objects.filter(owner=user)
