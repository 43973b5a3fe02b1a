"""``make run`` serves, says where, and stops without leaving anything behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from threading import Thread
from urllib.request import urlopen

import pytest

from config.broker import socket_path
from tests.paths import REPO
from tests.processes import wait_until

pytestmark = [pytest.mark.processes, pytest.mark.slow]

READY = "Claimdesk is ready: "


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """A started ``config.run`` on a data folder of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.log = folder.parent / f"{folder.name}-{port}-{time.monotonic_ns()}.log"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder.parent),
            "CLAIMDESK_DATA": str(folder),
            "CLAIMDESK_ENV_FILE": os.devnull,
            "PORT": str(port),
            "LOAD_DEMO": "false",
            "WEB_CONCURRENCY": "1",
        }
        self.reading, writing = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.run"],
            cwd=REPO,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.close(writing)
        self.window_is_open = True
        self.window = Thread(target=self._copy_to_log, daemon=True)
        self.window.start()

    def _copy_to_log(self) -> None:
        """Keep what the site prints, until it ends or the window is closed."""
        with self.log.open("wb") as log:
            while self.window_is_open:
                if not select([self.reading], [], [], 0.05)[0]:
                    continue
                if not (text := os.read(self.reading, 65536)):
                    break
                log.write(text)
                log.flush()
        os.close(self.reading)

    def close_window(self) -> int:
        """Take the terminal away, as closing its window does."""
        self.window_is_open = False
        self.window.join()
        return self.stop(signal.SIGHUP)

    @property
    def output(self) -> str:
        if self.process.poll() is not None:
            self.window.join()
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def wait_until_ready(self) -> None:
        wait_until(
            lambda: READY in self.output or self.process.poll() is not None,
            "the site to be ready",
            timeout=90,
        )
        assert READY in self.output, (self.process.poll(), self.output)

    def stop(self, how: signal.Signals) -> int:
        """Send what a terminal sends to its whole group; return the exit status."""
        os.killpg(self.process.pid, how)
        return self.process.wait(timeout=30)

    def processes(self) -> list[str]:
        """Return the commands of all processes that serve our data folder."""
        mark = f"CLAIMDESK_DATA={self.folder}\0"
        # Valkey writes its socket's path over its command line and environment.
        socket_name = str(socket_path(self.folder))
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (process / "cmdline").read_text(errors="replace")
                environment = (process / "environ").read_text(errors="replace")
                if mark in environment or socket_name in command:
                    found.append(command.replace("\0", " "))
        return found


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Site]]:
    """Collect started sites; whatever a failed test leaves is stopped."""
    sites: list[Site] = []
    yield sites
    for site in sites:
        if site.process.poll() is None:
            site.process.terminate()
            site.process.wait(timeout=30)


def test_it_serves_stops_without_orphans_and_starts_again_at_once(
    tmp_path: Path, started: list[Site]
) -> None:
    folder, port = tmp_path / "data", free_port()
    site = Site(folder, port)
    started.append(site)
    site.wait_until_ready()
    assert f"{READY}http://localhost:{port}" in site.output
    with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=30) as answer:
        assert answer.status == 200
    commands = " ".join(site.processes())
    for part in ("gunicorn", "--queues default", "--queues ml", "beat", "valkey"):
        assert part in commands
    assert_a_second_one_is_refused(folder, started)

    # Ctrl+C
    assert site.stop(signal.SIGINT) == 0
    assert site.processes() == []
    assert not socket_path(folder).exists()

    again = Site(folder, port)
    started.append(again)
    again.wait_until_ready()
    assert "Applying" not in again.output
    assert "Static files collected" in site.output
    assert "Static files collected" not in again.output
    again.close_window()
    assert again.processes() == []


def assert_a_second_one_is_refused(folder: Path, started: list[Site]) -> None:
    """Two on one data folder would run every scheduled task twice."""
    second = Site(folder, free_port())
    started.append(second)
    assert second.process.wait(timeout=30) == 1
    assert "already runs" in second.output


def test_a_taken_port_is_named_before_anything_starts(
    tmp_path: Path, started: list[Site]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        site = Site(tmp_path / "data", port)
        started.append(site)
        assert site.process.wait(timeout=30) == 1
    assert f"Cannot serve on 127.0.0.1:{port}" in site.output
    assert f"PORT={port % 65535 + 1} make run" in site.output
    assert "Traceback" not in site.output
    assert not socket_path(tmp_path / "data").exists()


def test_a_missing_database_is_said_in_words(
    tmp_path: Path, started: list[Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "claimdesk.sqlite3").mkdir()
    site = Site(folder, free_port())
    started.append(site)
    assert site.process.wait(timeout=60) == 1
    assert "The database cannot be reached" in site.output
    assert "Traceback" not in site.output
    assert site.processes() == []
