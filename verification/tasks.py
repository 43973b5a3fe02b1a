"""What the queue carries for this app."""

from __future__ import annotations

from celery import shared_task

from verification.services.scoring import fail_abandoned_submissions as fail_abandoned


@shared_task
def fail_abandoned_submissions() -> None:
    """Fail what nobody works on any more; harmless when it runs twice."""
    fail_abandoned()
