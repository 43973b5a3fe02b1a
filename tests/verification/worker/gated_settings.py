"""A worker's settings in tests: the real ones; each stage waits until it may go on."""

from config.settings import *  # noqa: F403

CELERY_IMPORTS = ("tests.verification.worker.gate",)
