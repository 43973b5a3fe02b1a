"""How a worker runs a job: claim, work, and a result that only the claimant can write.

The claim gives the job a fresh ``lease_owner``. Whatever the handler writes inside
``run.commit()`` is committed only if that owner still stands, so a worker that was
taken for dead and comes back can change nothing.
"""

from __future__ import annotations

import logging
import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError, connection, connections, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from corpus import live
from corpus.exceptions import DomainError
from corpus.models import Job
from corpus.models.jobs import new_token

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
# A lease ends this long after the last renewal. Together with the ten seconds
# between two looks of the watchdog it bounds how long a killed worker's job waits.
LEASE = timedelta(seconds=20)
RENEW_SECONDS = 5
REPORT_SECONDS = 0.5

INTERRUPTED = (
    f"The work was interrupted {MAX_ATTEMPTS} times (the worker was stopped or had no "
    "memory left), so it is not tried again. Nothing that is unfinished was kept."
)
OUR_FAULT = (
    "This is our fault, not yours: something went wrong that we did not foresee. "
    "Whoever runs this site finds the details in the log under"
)
TOO_LONG = "This took longer than a job may take, and was stopped."

Handler = Callable[["JobRun"], dict[str, Any]]


class JobCancelled(Exception):
    """Somebody asked the job to stop."""


class LeaseLostError(Exception):
    """Another worker has taken the job over."""


class JobRun:
    """A job in the hands of the worker that claimed it; what a handler gets."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.payload: dict[str, Any] = job.payload
        self.is_finished = False
        self._result: dict[str, Any] | None = None
        self._reported_at = 0.0
        self._started_at = self._renewed_at = time.monotonic()

    def report(self, done: int, total: int = 0, phase: str = "") -> None:
        """Say how far the work is; cheap enough to call for each item.

        Raises ``JobCancelled`` if somebody wants the job to stop.
        """
        phase = phase[:60]
        now = time.monotonic()
        is_news = phase != self.job.phase or done == total
        self.job.progress_done, self.job.progress_total = done, total
        self.job.phase = phase
        if now - self._reported_at < REPORT_SECONDS and not is_news:
            return
        self._reported_at = now
        live.put_progress(self.job.pk, live.LiveProgress(done, total, phase))
        if live.is_cancel_requested(self.job.pk):
            raise JobCancelled
        if now - self._started_at > settings.TASK_SECONDS:
            # A pool without child processes (solo) keeps no time limit by itself.
            raise SoftTimeLimitExceeded
        self._renew_between_transactions(now)

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Run the block in a transaction that commits only while the lease stands."""
        with transaction.atomic():
            yield
            self._fence()
        self.is_finished = self._result is not None

    def finish(self, result: dict[str, Any]) -> None:
        """Let the running ``commit()`` end the job, with this result.

        For effects that must happen exactly once: they and the job's end are then
        one transaction. A handler that does not call it ends with what it returns.
        """
        self._result = storable(result)

    def _fence(self) -> None:
        values = _lease_values()
        if self._result is not None:
            values = _end_values(Job.State.DONE) | {"result": self._result}
        self._update(**values)

    def _renew_between_transactions(self, now: float) -> None:
        if connection.in_atomic_block or now - self._renewed_at < RENEW_SECONDS:
            return
        self._update(**_lease_values())
        self._renewed_at = now

    def _update(self, **values: Any) -> None:
        """Write to the job's row, if it is still ours."""
        values |= {
            "progress_done": self.job.progress_done,
            "progress_total": self.job.progress_total,
            "phase": self.job.phase,
        }
        if held_by(self.job).update(**values) != 1:
            raise LeaseLostError(f"job {self.job.token} belongs to another worker now")


def held_by(job: Job) -> QuerySet[Job]:
    """Return the job's row as long as the claim that ``job`` was loaded with stands."""
    return Job.objects.filter(
        pk=job.pk, state=Job.State.RUNNING, lease_owner=job.lease_owner
    )


def _lease_values() -> dict[str, Any]:
    return {"lease_expires_at": timezone.now() + LEASE}


def _end_values(state: Job.State) -> dict[str, Any]:
    return {"state": state, "finished_at": timezone.now(), "lease_expires_at": None}


def handler_for(kind: str) -> Handler:
    """Return the function that ``settings.JOB_HANDLERS`` names for a kind of job."""
    handler: Handler = pkgutil.resolve_name(settings.JOB_HANDLERS[kind])
    return handler


def execute_job(job_id: int) -> None:
    """Run a job unless somebody else does; whatever happens is written to its row.

    While the database cannot be written to, the job is left to the watchdog.
    """
    try:
        job = claim_job(job_id)
        if job is not None:
            _run(JobRun(job))
    except OperationalError as error:
        logger.warning("job %s is left to the watchdog: %s", job_id, error)


def claim_job(job_id: int) -> Job | None:
    """Take a job that waits, or whose worker is gone; None if it is not to be had."""
    now = timezone.now()
    is_free = Q(state=Job.State.QUEUED)
    if not live.is_beating(job_id):
        is_free |= Q(state=Job.State.RUNNING, lease_expires_at__lt=now)
    owner = new_token()
    claimed = Job.objects.filter(is_free, pk=job_id, attempts__lt=MAX_ATTEMPTS).update(
        state=Job.State.RUNNING,
        lease_owner=owner,
        attempts=F("attempts") + 1,
        started_at=now,
        progress_done=0,
        progress_total=0,
        phase="",
        **_lease_values(),
    )
    if not claimed:
        return None
    return Job.objects.select_related("owner").get(pk=job_id, lease_owner=owner)


def _run(run: JobRun) -> None:
    """Do the work and write how it ended."""
    job = run.job
    try:
        with heartbeat(job.pk):
            _work(run)
    except JobCancelled:
        _end(job, Job.State.CANCELLED)
    except LeaseLostError as error:
        logger.warning("%s", error)
    except DomainError as error:
        _end(job, Job.State.FAILED, str(error))
    except SoftTimeLimitExceeded:
        _end(job, Job.State.FAILED, TOO_LONG)
    except OperationalError:
        raise
    except Exception:
        logger.error("job %s (%s, %s) failed", job.token, job.kind, job.pk)
        _end(job, Job.State.FAILED, f"{OUR_FAULT} {job.token}.")
        raise
    else:
        live.forget_job(job.pk)


def _work(run: JobRun) -> None:
    run.report(0)
    result = handler_for(run.job.kind)(run)
    if not run.is_finished:
        with run.commit():
            run.finish(result)


def _end(job: Job, state: Job.State, error: str = "") -> None:
    """Write the end of a job without a result, if it is still ours."""
    if held_by(job).update(error=storable(error), **_end_values(state)):
        live.forget_job(job.pk)


def end_hanging_job(job: Job, *, started_before: datetime, error: str) -> bool:
    """Fail a job that runs since before a time; its worker can write nothing more.

    Returns False if it began later, has ended, or was claimed anew since it was loaded.
    """
    hanging = held_by(job).filter(started_at__lt=started_before)
    return hanging.update(error=error, **_end_values(Job.State.FAILED)) == 1


@contextmanager
def heartbeat(work: int | str) -> Iterator[None]:
    """Give signs of life from a thread, whatever the block is busy with."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(work, stop), daemon=True)
    live.beat(work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat_until(work: int | str, stop: threading.Event) -> None:
    try:
        while not stop.wait(live.BEAT_SECONDS):
            live.beat(work)
    finally:
        # The thread's own connections, where the database is the cache.
        connections.close_all()


def release_stalled_jobs() -> list[Job]:
    """Put vanished workers' jobs back into the queue; return those to send again.

    A job that has been taken up often enough is given up instead.
    """
    now = timezone.now()
    stalled = Job.objects.filter(state=Job.State.RUNNING, lease_expires_at__lt=now)
    gone = [job for job in stalled if not live.is_beating(job.pk)]
    return [job for job in gone if _release(job, now)]


def _release(job: Job, now: datetime) -> bool:
    """Return True if the job waits again."""
    stalled = held_by(job).filter(lease_expires_at__lt=now)
    if job.attempts >= MAX_ATTEMPTS:
        stalled.update(error=INTERRUPTED, **_end_values(Job.State.FAILED))
        return False
    waits = {"state": Job.State.QUEUED, "lease_owner": "", "lease_expires_at": None}
    return stalled.update(**waits) == 1


def storable(value: Any) -> Any:
    """Return JSON that every database takes: no NUL and no lone surrogate.

    Results quote the faulty values of uploaded files.
    """
    if isinstance(value, str):
        text = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value
