"""A real worker on a real broker takes our tasks."""

from __future__ import annotations

import pytest
from celery import Celery, current_app

from config.celery import app
from tests.processes import Worker, wait_until

pytestmark = pytest.mark.processes


def test_our_application_is_the_one_that_shared_tasks_use() -> None:
    assert isinstance(app, Celery)
    assert current_app.main == app.main == "claimdesk"


def test_a_worker_answers_and_is_gone_after_a_kill(worker: Worker) -> None:
    wait_until(lambda: app.control.ping(timeout=1), "an answer from the worker")
    worker.kill()
    assert app.control.ping(timeout=0.5) == []
