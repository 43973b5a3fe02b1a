"""Handlers of jobs for tests. Their one effect, a counter, shows every repetition."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.db.models import F

from corpus.exceptions import DomainError
from corpus.jobs import JobRun
from corpus.models import Corpus


def count(run: JobRun) -> dict[str, Any]:
    """Count once, with the end of the job in the same transaction."""
    run.report(1, 2, "counting")
    with run.commit():
        _add_one(run)
        run.finish({"counts": {"counted": 1}})
    return {}


def refuse(run: JobRun) -> dict[str, Any]:
    """Find something wrong with what the person sent."""
    raise DomainError("Line 3 has no id.")


def fail(run: JobRun) -> dict[str, Any]:
    """Have a bug."""
    raise RuntimeError("a bug")


def count_then_fail(run: JobRun) -> dict[str, Any]:
    """Have a bug in the middle of a transaction."""
    with run.commit():
        _add_one(run)
        raise RuntimeError("a bug")


def count_then_wait(run: JobRun) -> dict[str, Any]:
    """Hold a long transaction with an effect until the gate opens."""
    with run.commit():
        _add_one(run)
        _wait_at_gate(run)
        run.finish({})
    return {}


def wait_then_count(run: JobRun) -> dict[str, Any]:
    """Wait between transactions, then have the effect."""
    _wait_at_gate(run)
    with run.commit():
        _add_one(run)
        run.finish({})
    return {}


def quote(run: JobRun) -> dict[str, Any]:
    """Return what no database stores: NUL and half a surrogate pair."""
    return {"problems": [{"value": "a\0b\ud800c\U0001f692"}]}


def _add_one(run: JobRun) -> None:
    Corpus.objects.filter(pk=run.payload["corpus"]).update(version=F("version") + 1)


def _wait_at_gate(run: JobRun) -> None:
    """Tell by a file that the gate is reached; go on once the gate's file exists."""
    gate = Path(run.payload["gate"])
    gate.with_suffix(f".reached-{run.job.attempts}").touch()
    done = 0
    while not gate.exists():
        run.report(done, 10_000, "waiting")
        done += 1
        time.sleep(0.02)
