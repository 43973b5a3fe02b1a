"""The Celery application; its settings are the CELERY_ ones of settings.py."""

from __future__ import annotations

import os

from celery import Celery

from corpus.worker_pulse import WorkerPulse
from verification.warm_up import WarmUp

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("claimdesk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].update((WorkerPulse, WarmUp))
