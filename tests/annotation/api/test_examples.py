"""The examples of docs/api.md, run by a real shell against a real server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from corpus.tokens import create_token
from tests.annotation.api.client import ALL_SCOPES, ROOT
from tests.annotation.transfers import document
from tests.conftest import skip_or_fail
from tests.factories import Team, make_team
from tests.paths import REPO

pytestmark = pytest.mark.django_db(transaction=True)

BLOCK = re.compile(r"### ([^\n]+)\n(?:(?!\n###).)*?```sh\n(.*?)```", re.DOTALL)


@pytest.fixture
def team(transactional_db: None) -> Team:
    """A project and a corpus at the addresses that the examples name."""
    if not shutil.which("curl"):
        skip_or_fail("the examples need curl")
    return make_team(name="Herbs", citances=2)


def run(script: str, team: Team, role: str, site: str, folder: Path) -> str:
    """Run an example as somebody and return what it printed last."""
    user = team.admin if role == "admin" else getattr(team, role)
    _, key = create_token(user=user, name="Example", scopes=ALL_SCOPES)
    text = (REPO / "docs" / "api.md").read_text(encoding="utf-8")
    helpers = text.split("```sh\n")[1].split("```")[0]
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", helpers + script],
        env={"API": site + ROOT, "TOKEN": key, "PATH": "/usr/bin:/bin:/usr/local/bin"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_examples_do_what_they_say(
    team: Team, live_server: LiveServer, tmp_path: Path
) -> None:
    text = (REPO / "docs" / "api.md").read_text(encoding="utf-8")
    examples = dict(BLOCK.findall(text))
    lines = [document(9001, "Cats slept."), document(9002, "Dogs ran.")]
    corpus = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "corpus.jsonl").write_text(corpus)
    steps = [
        ("Import a corpus", "admin", "2\n4\n"),
        ("Write a claim", "annotator", "submitted\n"),
        ("Approve a claim", "reviewer", "approved\n"),
        ("Judge a pair", "other_annotator", "submitted\n"),
        ("Review a judgement", "reviewer", "approved\n"),
        ("Read the agreement", "admin", "0\n"),
        ("Export", "admin", ""),
    ]
    assert [name for name, _, _ in steps] == list(examples), "each example is run"
    team.corpus.slug = "herbs"
    team.corpus.save(update_fields=["slug"])
    for name, role, printed in steps:
        assert run(examples[name], team, role, live_server.url, tmp_path) == printed
    exported = json.loads((tmp_path / "claims.jsonl").read_text())
    assert exported["claim"] == "Nettle tea does not ease knee pain."
    assert json.loads((tmp_path / "manifest.json").read_text())["counts"]["included"]
