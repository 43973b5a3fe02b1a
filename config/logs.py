"""Structured logs: one line of JSON per event, or readable lines on a console."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import structlog

PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


class WithoutRounds(logging.Filter):
    """Leaves out that a task of the clock came and went, at the level INFO.

    Every few seconds the same eight lines would push everything else out of sight.
    What fails, and what a round finds, is of another level or names no task.
    """

    def __init__(self, tasks: Iterable[str]) -> None:
        super().__init__()
        self.tasks = tuple(tasks)

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record is printed."""
        if record.levelno != logging.INFO:
            return True
        message = record.getMessage()
        return not any(task in message for task in self.tasks)


def configure_structlog() -> None:
    """Send structlog's events through the standard library's handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *PROCESSORS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def logging_config(
    *, as_json: bool, level: str, rounds: Iterable[str] = ()
) -> dict[str, Any]:
    """Return Django's LOGGING for one handler on standard error.

    ``rounds`` are the tasks that come again and again and are not worth a line.
    """
    renderer: list[Any] = (
        [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ]
        if as_json
        else [
            # The plain traceback: others print local variables, and so secrets.
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": PROCESSORS,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *renderer,
                ],
            }
        },
        "filters": {"rounds": {"()": WithoutRounds, "tasks": list(rounds)}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "structured",
                "filters": ["rounds"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        # Django's own handlers would print everything twice.
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
        },
    }
