"""A worker's sign of life, so that pages can say when no worker is running."""

from __future__ import annotations

import threading
from typing import Any

from celery import bootsteps
from celery.concurrency.solo import TaskPool as SoloPool
from django.db import connections

from corpus import live


class WorkerPulse(bootsteps.StartStopStep):
    """Beats for each queue as long as the worker takes tasks from it.

    The beat comes from the worker's own event loop: a worker that hangs falls
    silent. A pool that blocks the loop while it works (solo) beats from a thread.
    """

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self.queues: list[str] = []
        self.entry: Any = None
        self.stopped = threading.Event()

    def start(self, parent: Any) -> None:
        """Begin to beat."""
        consumed = parent.app.amqp.queues.consume_from
        self.queues = [queue for queue in live.QUEUES if queue in consumed]
        if not self.queues:
            return
        self.beat()
        if isinstance(parent.pool, SoloPool):
            threading.Thread(target=self.beat_until_stopped, daemon=True).start()
        else:
            self.entry = parent.timer.call_repeatedly(live.PULSE_SECONDS, self.beat)

    def stop(self, parent: Any) -> None:
        """Fall silent: the worker takes no more tasks."""
        self.stopped.set()
        if self.entry:
            self.entry.cancel()

    def beat(self) -> None:
        """Say that the worker is there."""
        for queue in self.queues:
            live.pulse(queue)

    def beat_until_stopped(self) -> None:
        """Beat from a thread of its own, and close what it opened."""
        try:
            while not self.stopped.wait(live.PULSE_SECONDS):
                self.beat()
        finally:
            connections.close_all()
