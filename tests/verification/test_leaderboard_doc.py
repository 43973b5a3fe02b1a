"""docs/leaderboard.md, followed to the letter by a real shell and a real Python.

The benchmark's gold is a case of the metric oracle, so that the score that a
researcher reads at the end is compared with what the official evaluator printed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from corpus.files import store_path
from corpus.models import User
from corpus.tokens import create_token
from scripts.build_scorer import build
from tests.conftest import skip_or_fail
from tests.factories import UserFactory
from tests.paths import REPO, shared_file
from tests.verification.board import SCORING, make_benchmark, make_phase
from verification.models import QuotaSlot, Submission
from verification.services.gold import GoldFiles, create_gold_set

pytestmark = pytest.mark.django_db(transaction=True)

GUIDE = (REPO / "docs" / "leaderboard.md").read_text(encoding="utf-8")
CASE = "metrics/scifact_pipeline/large_random_with_bootstrap"
SHELL = re.compile(r"(?:### ([^\n]+)\n(?:(?!\n##).)*?)?```sh\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def case() -> Path:
    """A case with gold, corpus and predictions."""
    if not shutil.which("curl"):
        skip_or_fail("the examples need curl")
    return shared_file(CASE)


@pytest.fixture
def person(transactional_db: None, case: Path) -> User:
    """Somebody with an account; the benchmark has the address of the examples."""
    benchmark = make_benchmark()
    organiser = benchmark.organisers.get()
    gold, corpus = (
        store_path(path=case / name, name=name, owner=organiser)
        for name in ("gold.jsonl", "corpus.jsonl")
    )
    gold_set = create_gold_set(
        files=GoldFiles(gold=gold, corpus=corpus),
        scoring=SCORING,
        owner=organiser,
        name="Gold of the case",
        is_hidden=False,
    )
    make_phase(benchmark, gold_set=gold_set)
    person: User = UserFactory()
    return person


def run(
    command: list[str], person: User, site: str, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run an example as somebody whose token has the scopes that the text names."""
    _, key = create_token(user=person, name="Example", scopes=["read", "submit"])
    result = subprocess.run(
        command,
        env={
            "API": f"{site}/api/v1",
            "TOKEN": key,
            "BENCHMARK": "moss-and-rain",
            # The interpreter of the tests has numpy, which the scorer needs.
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/local/bin",
        },
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def evaluated(case: Path) -> Mapping[str, Any]:
    """Return what the leaderboard's evaluator printed for the case."""
    entries = json.loads((case / "expected.json").read_text())["evaluators"]
    metrics: Mapping[str, Any] = next(
        entry["metrics"]
        for name, entry in entries.items()
        if name.startswith("leaderboard")
    )
    return metrics


def test_the_shell_example_ends_in_the_evaluator_s_score(
    person: User, case: Path, live_server: LiveServer, tmp_path: Path
) -> None:
    shutil.copy(case / "predictions.jsonl", tmp_path)
    build(tmp_path / "claimdesk-scorer.pyz")
    blocks = SHELL.findall(GUIDE.split("## From a shell")[1].split("## From Python")[0])
    assert [heading for heading, _ in blocks] == [
        "",
        "Download the claims and the corpus",
        "Check the predictions here",
        "Check them on the site",
        "Submit, wait, read the score",
        "Publish it",
    ]
    script = "\n".join(script for _, script in blocks)
    shell = ["bash", "-euo", "pipefail", "-c", script]
    printed = run(shell, person, live_server.url, tmp_path).stdout.splitlines()
    assert printed[0] == "scifact_pipeline"
    assert "no error" in printed[1].lower()
    assert printed[-5:-3] == ["0", "[]"]
    assert printed[-3] == "scored"
    assert json.loads(printed[-2]) == evaluated(case), "to the last digit"
    assert printed[-1] == "published"
    assert Submission.objects.count() == 2
    assert QuotaSlot.objects.count() == 1
    claims = (tmp_path / "claims.jsonl").read_text()
    assert claims.count("\n") == (case / "gold.jsonl").read_text().count("\n")
    assert "SUPPORT" not in claims
    corpus = (tmp_path / "corpus.jsonl").read_bytes()
    assert corpus == (case / "corpus.jsonl").read_bytes()


def test_the_python_example_ends_in_the_evaluator_s_score(
    person: User, case: Path, live_server: LiveServer, tmp_path: Path
) -> None:
    shutil.copy(case / "predictions.jsonl", tmp_path)
    (program,) = PYTHON.findall(GUIDE)
    lines = [line for line in program.splitlines() if line]
    assert len(lines) <= 20
    command = [sys.executable, "-c", program]
    state, metrics = run(command, person, live_server.url, tmp_path).stdout.split(
        " ", 1
    )
    assert state == "scored"
    assert json.loads(metrics) == evaluated(case), "to the last digit"
    assert Submission.objects.get().system == "Moss 2"
