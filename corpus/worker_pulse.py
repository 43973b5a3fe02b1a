"""A worker's sign of life, so that pages can say when no worker is running."""

from __future__ import annotations

from typing import Any

from celery import bootsteps

from corpus import live


class WorkerPulse(bootsteps.StartStopStep):
    """Beats as long as the worker takes tasks from the default queue.

    The beat comes from the worker's own event loop: a worker that hangs falls
    silent. A pool that blocks the loop (solo) beats through its jobs instead.
    """

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self.entry: Any = None

    def start(self, parent: Any) -> None:
        """Begin to beat."""
        app = parent.app
        if app.conf.task_default_queue not in app.amqp.queues.consume_from:
            return
        live.pulse()
        self.entry = parent.timer.call_repeatedly(live.PULSE_SECONDS, live.pulse)

    def stop(self, parent: Any) -> None:
        """Fall silent: the worker takes no more tasks."""
        if self.entry:
            self.entry.cancel()
