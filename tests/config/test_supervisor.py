"""The supervisor's own parts: output that is interrupted, and a stop that ends."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator

import pytest

from tests.paths import REPO
from tests.processes import wait_until

pytestmark = [pytest.mark.processes]

# What a pipe of Linux takes before a writer has to wait.
PIPE_BYTES = 65_536

# Fills its own output until a write blocks; the signal then comes inside a write,
# and its handler writes too, as honcho's does.
INTERRUPTED = """
import signal
from config.run import Terminal
terminal = Terminal()
def answer(number, frame):
    terminal.write("signal received\\n")
    terminal.flush()
    raise SystemExit
signal.signal(signal.SIGTERM, answer)
while True:
    terminal.write("x" * 4095 + "\\n")
    terminal.flush()
"""

# Two processes, one of which never listens to SIGTERM. The second argument says
# whether the signal comes before any of them is known to have started.
STUBBORN = """
import os, signal, sys
from honcho.printer import Printer
from config import run
run.STOP_SECONDS = 1
manager = run.Supervisor(Printer(output=run.Terminal()))
manager.add_process("deaf", "trap '' TERM; while :; do sleep 0.1; done")
manager.add_process("deaf-too", "trap '' TERM; echo here; while :; do sleep 0.1; done")
if sys.argv[1] == "early":
    start = manager._start
    def start_and_stop():
        start()
        os.kill(os.getpid(), signal.SIGTERM)
    manager._start = start_and_stop
manager.loop()
sys.exit(manager.returncode)
"""


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Collect started processes; whatever a failed test leaves is killed."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=REPO,
        # A buffered output, as people have it, is what a signal can interrupt.
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def waiting_bytes(process: subprocess.Popen[str]) -> int:
    """Return how much was written to the pipe that nobody has read yet."""
    assert process.stdout
    answer = fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(answer, sys.byteorder)


def test_a_signal_inside_a_write_may_write_too(
    processes: list[subprocess.Popen[str]],
) -> None:
    process = start(INTERRUPTED)
    processes.append(process)
    wait_until(lambda: waiting_bytes(process) == PIPE_BYTES, "a full pipe")
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0, output[-2000:]
    assert output.rstrip().endswith("signal received")


@pytest.mark.parametrize("when", ["early", "late"])
def test_a_stop_ends_although_nobody_listens(
    processes: list[subprocess.Popen[str]], when: str
) -> None:
    process = start(STUBBORN, when)
    processes.append(process)
    assert process.stdout
    if when == "late":
        while "here" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 143, output
    assert "sending SIGKILL to deaf" in output
    assert "Traceback" not in output
