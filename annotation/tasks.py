"""What the queue carries for this app."""

from __future__ import annotations

from celery import shared_task

from annotation.services.digests import send_digests


@shared_task
def mail_digests() -> None:
    """Mail everybody what is new; harmless when it runs twice."""
    send_digests()
