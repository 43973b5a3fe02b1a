"""What the queue carries: jobs by number, and the watchdog's rounds."""

from __future__ import annotations

import logging

from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from corpus import live
from corpus.job_runner import execute_job, release_stalled_jobs
from corpus.models import Job

logger = logging.getLogger(__name__)

# How many waiting jobs one round of the watchdog looks at.
ROUND = 200


@shared_task
def run_job(job_id: int) -> None:
    """Run a job; harmless when it is already taken or done."""
    execute_job(job_id)


@shared_task
def requeue_stalled_jobs() -> None:
    """Queue again what a killed worker or a lost message left behind."""
    for job in release_stalled_jobs():
        send_job(job)
    waiting = Job.objects.filter(state=Job.State.QUEUED).order_by("id")
    for job in waiting[:ROUND]:
        if not live.was_sent_lately(job.pk) and _is_served(job):
            send_job(job)


def _is_served(job: Job) -> bool:
    """Whether another message has a reader: without one, the first still waits."""
    queue = queue_of(job.kind)
    return queue == live.DEFAULT_QUEUE or live.workers_alive(queue)


def queue_of(kind: str) -> str:
    """Return the queue that jobs of a kind wait in."""
    return settings.JOB_QUEUES.get(kind, live.DEFAULT_QUEUE)


def send_job(job: Job) -> None:
    """Put a job into its queue; without a broker the watchdog does it later."""
    job_id = job.pk
    live.note_sent(job_id)
    queue = queue_of(job.kind)
    try:
        run_job.apply_async((job_id,), queue=queue, retry_policy={"max_retries": 1})
    except OperationalError as error:
        logger.warning("job %s waits for the broker: %s", job_id, error)
