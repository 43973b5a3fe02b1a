"""``make run``: prepare, then run the Procfile and our broker until Ctrl+C.

Without Django, so that the supervisor starts at once and stays small.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from django.core.exceptions import ImproperlyConfigured
from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.printer import Printer

from config.broker import is_own_broker, own_broker
from config.env import REPO, data_dir, env_int, env_str, read_env_file

READY_SECONDS = 60
STOP_SECONDS = 20
STDOUT = 1


def main() -> int:
    """Run the site; return the exit status."""
    signal.signal(signal.SIGTERM, _exit_on_signal)
    signal.signal(signal.SIGHUP, _hang_up)
    try:
        read_env_file()
        return run(data_dir())
    except (ImproperlyConfigured, RuntimeError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 130


def run(folder: Path) -> int:
    """Start everything that serves this data folder, and stop it all in order."""
    host, port = env_str("HOST", "127.0.0.1"), env_int("PORT", 8000, minimum=1)
    with _only_one(folder), own_broker(folder) if is_own_broker() else nullcontext():
        _check_port(host, port)
        demo = _prepare()
        _announcer(host, port, demo).start()
        manager = _manager()
        manager.loop()
    # Being told to stop is no failure.
    return 0 if manager.returncode in {130, 143} else manager.returncode or 1


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Hold the data folder's lock: two schedulers or brokers would do work twice."""
    with (folder / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RuntimeError(f"Claimdesk already runs on {folder}.") from None
        yield


def _check_port(host: str, port: int) -> None:
    """Say in words that the port is taken; gunicorn would retry and then end."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise RuntimeError(
                f"Cannot serve on {host}:{port}: {error.strerror}. "
                f"Choose another port: PORT={port % 65535 + 1} make run"
            ) from None


def _prepare() -> str:
    """Run the prepare command; return what the demo has to say."""
    result = subprocess.run(  # noqa: S603
        [sys.executable, str(REPO / "manage.py"), "prepare"],
        cwd=REPO,
        env=_environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if result.returncode:
        raise RuntimeError("Claimdesk did not start; the reason stands above.")
    return result.stdout.strip()


class Supervisor(Manager):  # type: ignore[misc]
    """honcho's manager, which always comes to an end when it is told to stop.

    honcho forgets to stop processes whose start it has not heard of yet, and kills
    only after a first one has stopped by itself.
    """

    def __init__(self, printer: Printer) -> None:
        super().__init__(printer)
        self.asked_at: float | None = None

    def terminate(self) -> None:
        """Ask every process to stop, now or as soon as all have started."""
        self.asked_at = self.asked_at or time.monotonic()
        self._all_started()

    def _all_started(self) -> bool:
        """Say whether all have started; the loop asks again and again."""
        has_started: bool = super()._all_started()
        if has_started and self.asked_at:
            super().terminate()
            if time.monotonic() - self.asked_at > STOP_SECONDS:
                self.kill()
        return has_started


def _manager() -> Supervisor:
    """Return the manager with every process of the Procfile."""
    manager = Supervisor(Printer(output=Terminal()))
    procfile = parse_procfile((REPO / "Procfile").read_text(encoding="utf-8"))
    for name, command in procfile.processes.items():
        # Without exec the shell in between would end first, and we would take the
        # process for stopped while it still finishes its work.
        manager.add_process(name, f"exec {command}", env=_environment(), cwd=str(REPO))
    return manager


class Terminal:
    """Standard output that may go away: a closed window, a pipe that nobody reads.

    An error here would leave honcho's loop, and with it all processes, behind;
    instead the rest goes unsaid and everything stops in order. Written without a
    buffer: honcho prints in its signal handlers, and a buffered file refuses to be
    entered a second time ("reentrant call") when the signal comes in a write.
    """

    def __init__(self) -> None:
        self.is_gone = False

    def write(self, text: str) -> None:
        """Print the text if that is still possible."""
        rest = text.encode("utf-8", "replace")
        while rest and not self.is_gone:
            rest = rest[self._write_some(rest) :]

    def flush(self) -> None:
        """Nothing waits here to be shown."""

    def isatty(self) -> bool:
        """Return True when colours can be shown."""
        return os.isatty(STDOUT)

    def _write_some(self, data: bytes) -> int:
        """Write what fits; ask once to be stopped when nobody is there any more."""
        try:
            return os.write(STDOUT, data)
        except OSError:
            self.is_gone = True
            os.kill(os.getpid(), signal.SIGTERM)
            return 0


def _environment() -> dict[str, str]:
    """Return the environment of the children: our virtual environment comes first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"}


def _announcer(host: str, port: int, demo: str) -> multiprocessing.Process:
    """Return the process that waits until the site is ready and prints the address.

    A process, since honcho forks and a thread would not survive that.
    """
    return multiprocessing.Process(
        target=announce, args=(host, port, demo), daemon=True
    )


def announce(host: str, port: int, demo: str) -> None:
    """Wait for ``/readyz``, then print the address and the demo accounts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    started = time.monotonic()
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    while problems := _problems(f"http://{local}:{port}/readyz"):
        if time.monotonic() - started > READY_SECONDS:
            _say([f"Claimdesk is not ready: {json.dumps(problems)}"])
            return
        time.sleep(0.1)
    address = env_str("PUBLIC_URL", f"http://localhost:{port}")
    _say([f"Claimdesk is ready: {address}", *demo.splitlines(), "Ctrl+C stops it."])


def _problems(url: str) -> dict[str, str]:
    """Return what ``/readyz`` complains about; nothing when it is content."""
    # The name is always allowed, whatever address we listen on.
    request = Request(url, headers={"Host": "localhost"})  # noqa: S310
    try:
        with urlopen(request, timeout=5):  # noqa: S310
            return {}
    except HTTPError as error:
        return _json_body(error)
    except (URLError, OSError) as error:
        return {"web": str(error)}


def _json_body(answer: IO[bytes]) -> dict[str, str]:
    """Return the answer's JSON object, or a note that there is none."""
    try:
        body: dict[str, str] = json.load(answer)
    except ValueError:
        return {"web": "answers with an error page"}
    return body


def _say(lines: list[str]) -> None:
    """Print lines that stand out between those of the processes."""
    print("\n" + "\n".join(f"    {line}" for line in lines) + "\n", flush=True)  # noqa: T201


def _exit_on_signal(number: int, frame: object) -> None:
    """Leave through the ``finally`` blocks, which stop the broker."""
    sys.exit(128 + number)


def _hang_up(number: int, frame: object) -> None:
    """Stop as for SIGTERM, which honcho handles while it runs."""
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
