"""Which lines a console gets to see."""

from __future__ import annotations

import logging

import pytest

from config.logs import WithoutRounds

ROUND = "corpus.tasks.requeue_stalled_jobs"


def _record(level: int, message: object, *args: object) -> logging.LogRecord:
    return logging.LogRecord("celery", level, "file.py", 1, message, args, None)


@pytest.mark.parametrize(
    ("record", "is_printed"),
    [
        (_record(logging.INFO, "Task %s succeeded", ROUND), False),
        (_record(logging.INFO, {"event": "task_enqueued", "task": ROUND}), False),
        (_record(logging.ERROR, "Task %s raised", ROUND), True),
        (_record(logging.DEBUG, "Task %s accepted", ROUND), True),
        (_record(logging.INFO, "Task %s succeeded", "corpus.tasks.run_job"), True),
    ],
)
def test_rounds_that_went_well_are_not_printed(
    record: logging.LogRecord, is_printed: bool
) -> None:
    assert WithoutRounds([ROUND]).filter(record) is is_printed
