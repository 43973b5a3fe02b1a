"""What workers say while they work, in the cache that all processes share.

On SQLite a job that holds a long transaction keeps every other writer waiting, and
its own rows are unseen until it commits. So signs of life, progress and the wish to
cancel go through the cache; the job's row gets them between transactions.

Where the database is the cache (brokers other than Redis and Valkey), that detour is
none: on SQLite a long transaction then hides progress and delays a cancel until it
ends. Nothing goes wrong, since every result is fenced by the job's row.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from corpus import caching

BEAT_SECONDS = 2
# After this long without a sign of life, a job's worker counts as gone.
BEAT_TIMEOUT = 15
PULSE_SECONDS = 2
PULSE_TIMEOUT = 6
# How long a message in the queue is trusted to be there.
SENT_TIMEOUT = 30
DAY = 24 * 3600
# The worker that holds the models takes jobs from a queue of its own.
DEFAULT_QUEUE = "default"
ML_QUEUE = "ml"
QUEUES = (DEFAULT_QUEUE, ML_QUEUE)


@dataclass(frozen=True, slots=True)
class LiveProgress:
    """How far a running job is."""

    done: int
    total: int
    phase: str


def beat(work: int | str) -> None:
    """Say that the worker is alive that holds a job, or other work by its lease."""
    caching.put(f"job-beat-{work}", 1, BEAT_TIMEOUT)


def is_beating(work: int | str) -> bool:
    """Whether the worker that holds it was alive some seconds ago."""
    return caching.get(f"job-beat-{work}") is not None


def put_progress(job_id: int, progress: LiveProgress) -> None:
    """Say how far the job is."""
    caching.put(f"job-progress-{job_id}", asdict(progress), DAY)


def get_progress(job_id: int) -> LiveProgress | None:
    """Return what the job's worker said last."""
    values = caching.get(f"job-progress-{job_id}")
    return LiveProgress(**values) if values else None


def request_cancel(job_id: int) -> bool:
    """Ask the job's worker to stop; False if the cache cannot be reached."""
    return caching.put(f"job-cancel-{job_id}", 1, DAY)


def is_cancel_requested(job_id: int) -> bool:
    """Whether somebody wants the job to stop."""
    return caching.get(f"job-cancel-{job_id}") is not None


def forget_job(job_id: int) -> None:
    """Drop what was said about a job that has ended."""
    caching.drop(
        [f"job-{name}-{job_id}" for name in ("beat", "progress", "cancel", "sent")]
    )


def note_sent(job_id: int) -> None:
    """Note that the job's message is in the queue."""
    caching.put(f"job-sent-{job_id}", 1, SENT_TIMEOUT)


def was_sent_lately(job_id: int) -> bool:
    """Whether the job's message can be trusted to be in the queue."""
    return caching.get(f"job-sent-{job_id}") is not None


def pulse(queue: str = DEFAULT_QUEUE) -> None:
    """Say that a worker takes jobs from a queue."""
    caching.put(f"worker-pulse-{queue}", 1, PULSE_TIMEOUT)


def workers_alive(queue: str = DEFAULT_QUEUE) -> bool:
    """Whether a worker took jobs from a queue some seconds ago."""
    return caching.get(f"worker-pulse-{queue}") is not None
