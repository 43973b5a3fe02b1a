"""Starting processes that all act at one moment: see ``racing``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus.models import User
from tests.paths import REPO
from tests.processes import child_environment, wait_until

RUNNER = (sys.executable, "-m", "tests.annotation.racing")
# Many processes that all load Django take their time on a small machine.
LIMIT_SECONDS = 240.0


def crowd(folder: Path, action: str, pk: int, people: Sequence[User]) -> list[str]:
    """Let many people do the same at one moment; what they printed, in any order."""
    keys = ",".join(str(person.pk) for person in people)
    (printed,) = _run(folder, [(action, str(pk), keys)], ready=len(people))
    return printed.splitlines()


def race(folder: Path, actors: Sequence[tuple[str, int, User]]) -> list[str]:
    """Let every actor do its action on its row; return what each process printed."""
    arguments = [(action, str(pk), str(person.pk)) for action, pk, person in actors]
    return _run(folder, arguments, ready=len(actors))


def _run(
    folder: Path, arguments: Sequence[tuple[str, str, str]], *, ready: int
) -> list[str]:
    line = folder / "go"
    runners = [
        subprocess.Popen(
            [*RUNNER, line, *words],
            cwd=REPO,
            env=child_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for words in arguments
    ]
    wait_until(
        lambda: len(list(folder.glob("ready-*"))) == ready,
        "all to be ready",
        LIMIT_SECONDS,
    )
    line.touch()
    results = [runner.communicate(timeout=LIMIT_SECONDS) for runner in runners]
    faults = [
        err
        for runner, (_, err) in zip(runners, results, strict=True)
        if runner.returncode
    ]
    assert faults == [], "\n".join(faults)
    return [out.strip() for out, _ in results]
