"""Real processes beside the tests: workers that can be killed, commands with a code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from tests.paths import REPO

START_SECONDS = 30.0


def child_environment() -> dict[str, str]:
    """Return the environment in which a process sees this test's data and database."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CLAIMDESK_DATA": str(settings.DATA_DIR),
        "DATABASE_URL": test_database_url(),
        "PYTHONUNBUFFERED": "1",
    }


def test_database_url() -> str:
    """Return the address of the database that the running test writes to."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    password = f":{values['PASSWORD']}" if values["PASSWORD"] else ""
    host, port = values["HOST"] or "localhost", values["PORT"] or 5432
    return f"postgres://{values['USER']}{password}@{host}:{port}/{values['NAME']}"


def manage(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` in a process of its own, without a worker or web server."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=REPO,
        env=child_environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def wait_until(
    condition: Callable[[], object], what: str, timeout: float = START_SECONDS
) -> None:
    """Return once the condition holds; fail with the words otherwise."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout:.0f} s in vain for {what}")
        time.sleep(0.05)


@dataclass
class Worker:
    """A running Celery worker."""

    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        """End it and its children as a power cut would: SIGKILL, no last words."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Let it finish its task and end."""
        self.process.terminate()
        self.process.wait(timeout=START_SECONDS)

    @property
    def is_running(self) -> bool:
        """Whether the worker's main process is there."""
        return self.process.poll() is None


def start_worker(
    log: Path,
    *,
    queues: str = "default,ml",
    settings_module: str = "config.settings",
    pool: str = "prefork",
) -> Worker:
    """Start a worker with one child and wait until it takes tasks."""
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "worker"]
    command += ["-Q", queues, "--concurrency", "1", "--loglevel", "INFO"]
    command += ["--pool", pool]
    command += ["--without-mingle", "--without-gossip"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=REPO,
            env={**child_environment(), "DJANGO_SETTINGS_MODULE": settings_module},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    worker = Worker(process, log)
    try:
        wait_until(lambda: _is_ready(worker), "the worker to be ready")
    except AssertionError:
        worker.kill()
        raise AssertionError(f"the worker did not start:\n{log.read_text()}") from None
    return worker


@contextmanager
def running_worker(log: Path, *, queues: str = "default,ml") -> Iterator[Worker]:
    """Run a worker for the length of the block; what is left of it is killed."""
    worker = start_worker(log, queues=queues)
    try:
        yield worker
    finally:
        if worker.is_running:
            worker.kill()


def _is_ready(worker: Worker) -> bool:
    """Return True once the log says so; fail when the process has ended."""
    if not worker.is_running:
        raise AssertionError
    return b" ready." in worker.log.read_bytes()
