"""Measure "submit and next" of a verifier: short and long queue, one person and thirty.

Run from the repository root: ``python -m benchmarks.web``. It starts the site as
``make run`` does (web, workers, broker) on a data folder of its own that it deletes at
the end, and sends the load from a second process (``benchmarks.web_load``) that parses
forms and follows redirects like a browser, with 3 seconds to think before each submit.

* ``submit and next`` is everything from sending the form to the whole next page, with
  the redirects between them; p50 and p95 over all submits of a run.
* The aim: with as many people, p95 grows by at most 1.5 from the short to the long
  queue.
* Each pair needs as many judgements as there are people, so that the short queue stays
  as long as it is; the long one does the same.
* PostgreSQL: ``--postgres postgres://…`` names a server; a database is made there, and
  dropped at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.paths import REPO

DATABASE = "claimdesk_web_benchmark"
START_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the load gave."""

    database: str
    items: int
    people: int
    submits: int
    p50: float
    p95: float
    per_second: float
    errors: int
    generator_cpu: float
    load: float


@dataclass(frozen=True, slots=True)
class Site:
    """A running site: where, the sessions of its people, and its environment."""

    port: int
    sessions: Path
    environment: dict[str, str]

    def judgements(self) -> int:
        """How many judgements are in its database."""
        code = "from annotation.models import Judgement as J; print(J.objects.count())"
        printed = _call(self.environment, "manage.py", "shell", "-v0", "-c", code)
        return int(printed.split()[-1])


def main() -> None:
    """Measure every combination and print the table."""
    options = _options()
    runs = []
    for name, url in _databases(options.postgres):
        for items in options.items:
            with _site(url, items, max(options.people)) as site:
                for people in options.people:
                    runs.append(_measure(name, items, people, site, options))
                    _say(_row(runs[-1]))
    _say("\n" + table(runs))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[100, 100_000])
    parser.add_argument("--people", type=int, nargs="+", default=[1, 30])
    parser.add_argument("--seconds", type=int, default=60, help="for each run")
    parser.add_argument("--think", type=float, default=3.0)
    parser.add_argument("--postgres", default="", help="address of a server")
    return parser.parse_args()


def _databases(postgres: str) -> list[tuple[str, str]]:
    found = [("SQLite", "")]
    if postgres:
        found.append(("PostgreSQL", f"{postgres.rstrip('/')}/{DATABASE}"))
    return found


@contextmanager
def _site(url: str, items: int, people: int) -> Iterator[Site]:
    """Fill a database, serve it, and take everything away at the end."""
    folder = Path(tempfile.mkdtemp(prefix="claimdesk-web-"))
    port = _free_port()
    environment = {
        **os.environ,
        "CLAIMDESK_DATA": str(folder),
        "CLAIMDESK_ENV_FILE": os.devnull,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOAD_DEMO": "false",
        "LOG_LEVEL": "ERROR",
        "PORT": str(port),
    }
    if url:
        environment["DATABASE_URL"] = url
        _postgres(url, "DROP DATABASE IF EXISTS", "CREATE DATABASE")
    else:
        environment.pop("DATABASE_URL", None)
    sessions = folder / "sessions.json"
    try:
        _call(environment, "manage.py", "prepare")
        _call(
            environment,
            *("-m", "benchmarks.web_fill", str(items), str(people), str(sessions)),
        )
        with (folder / "site.log").open("wb") as log, _running(environment, log):
            _wait(port, folder / "site.log")
            yield Site(port, sessions, environment)
    finally:
        if url:
            _postgres(url, "DROP DATABASE IF EXISTS")
        shutil.rmtree(folder, ignore_errors=True)


def _call(environment: dict[str, str], *arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=REPO,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return result.stdout


@contextmanager
def _running(environment: dict[str, str], log: object) -> Iterator[None]:
    """Run what ``make run`` runs; stop it in order."""
    process = subprocess.Popen(
        [sys.executable, "-m", "config.run"],
        cwd=REPO,
        env=environment,
        stdout=log,  # type: ignore[call-overload]
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"the site did not start:\n{log.read_text()}")


def _measure(
    database: str, items: int, people: int, site: Site, options: argparse.Namespace
) -> Run:
    """Let people work from a process of its own; return what it measured.

    A submit that left no judgement is an error, too.
    """
    load, before = os.getloadavg()[0], site.judgements()
    command = [sys.executable, "-m", "benchmarks.web_load"]
    command += [str(site.port), str(site.sessions)]
    command += [str(people), str(options.seconds), str(options.think)]
    result = subprocess.run(
        command, cwd=REPO, check=True, stdout=subprocess.PIPE, text=True
    )
    values = json.loads(result.stdout)
    values["errors"] += values["submits"] - (site.judgements() - before)
    return Run(database, items, people, load=load, **values)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _postgres(url: str, *commands: str) -> None:
    import psycopg

    server = url.rsplit("/", 1)[0] + "/postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        for command in commands:
            connection.execute(f"{command} {DATABASE}")


HEAD = (
    "| database | items | people | submits | p50 ms | p95 ms | p95, longer : shorter | "
    "submits per s | errors | CPU of the load | load before |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def table(runs: list[Run]) -> str:
    """Return all runs as a table, with the ratio to the shortest queue."""
    rows = [HEAD]
    for run in runs:
        same = [
            other
            for other in runs
            if (other.database, other.people) == (run.database, run.people)
        ]
        shortest = min(same, key=lambda other: other.items)
        ratio = f"{run.p95 / shortest.p95:.2f}" if run is not shortest else ""
        rows.append(_row(run, ratio))
    return "\n".join(rows)


def _row(run: Run, ratio: str = "") -> str:
    return (
        f"| {run.database} | {run.items:,} | {run.people} | {run.submits} "
        f"| {run.p50 * 1000:.0f} | {run.p95 * 1000:.0f} | {ratio} "
        f"| {run.per_second:.2f} | {run.errors} | {run.generator_cpu:.0%} "
        f"| {run.load:.1f} |"
    )


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
