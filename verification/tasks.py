"""What the queue carries for this app."""

from __future__ import annotations

import logging

from celery import Task, shared_task
from kombu.exceptions import OperationalError

from corpus import live
from verification.services.check_leases import (
    release_stalled_checks,
    remove_old_checks,
)
from verification.services.scoring import fail_abandoned_submissions as fail_abandoned
from verification.services.suggesting import start_missing_suggestions

logger = logging.getLogger(__name__)

# A message that no worker takes goes after this long; the watchdog sends others.
MESSAGE_SECONDS = 60


@shared_task
def fail_abandoned_submissions() -> None:
    """Fail what nobody works on any more; harmless when it runs twice."""
    fail_abandoned()


@shared_task
def find_evidence() -> None:
    """Answer all claims that wait; harmless when none does."""
    # Models are for the worker that holds them, not for those who send this.
    from verification.worker.serving import serve_waiting_checks

    serve_waiting_checks()


@shared_task
def prepare_corpora() -> None:
    """Load public corpora and build what is missing of their indexes."""
    from verification.worker.serving import prepare_public_corpora

    prepare_public_corpora()


@shared_task
def keep_corpora_prepared() -> None:
    """Have changed corpora prepared while a worker with models is there."""
    if live.workers_alive(live.ML_QUEUE):
        send_prepare_corpora()


@shared_task
def requeue_stalled_checks() -> None:
    """Queue again what a killed worker or a lost message left behind."""
    if release_stalled_checks() and live.workers_alive(live.ML_QUEUE):
        send_find_evidence()


@shared_task
def forget_old_checks() -> None:
    """Remove what was asked and is not kept; harmless when it runs twice."""
    remove_old_checks()


@shared_task
def suggest_for_open_pairs() -> None:
    """Have missing suggestions computed; harmless when it runs twice."""
    start_missing_suggestions()


def send_find_evidence() -> None:
    """Tell the workers with models that claims wait; the watchdog repeats it."""
    _send(find_evidence)


def send_prepare_corpora() -> None:
    """Let a worker with models prepare the corpora; beat repeats it."""
    _send(prepare_corpora)


def _send(task: Task[[], None]) -> None:
    try:
        task.apply_async(
            queue=live.ML_QUEUE,
            expires=MESSAGE_SECONDS,
            retry_policy={"max_retries": 1},
        )
    except OperationalError as error:
        logger.warning("%s waits for the broker: %s", task.name, error)
