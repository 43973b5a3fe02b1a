"""A worker with models loads them before it takes its first task."""

from __future__ import annotations

from typing import Any

from celery import bootsteps
from celery.concurrency.solo import TaskPool as SoloPool

from corpus.live import ML_QUEUE


class WarmUp(bootsteps.StartStopStep):
    """Loads the starter's models in a worker that holds models in its own process.

    Only there: a pool of child processes would have to initialise a GPU before it
    forks, which CUDA does not allow.
    """

    requires = ("celery.worker.components:Pool",)

    def start(self, parent: Any) -> None:
        """Load the models, then let the public corpora be prepared."""
        consumed = parent.app.amqp.queues.consume_from
        if ML_QUEUE not in consumed or not isinstance(parent.pool, SoloPool):
            return
        # Other workers load this module too, and must not load the models' code.
        from verification.tasks import send_prepare_corpora
        from verification.worker.serving import load_starter

        load_starter()
        send_prepare_corpora()
