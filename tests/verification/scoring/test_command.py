"""The command, as a process: what it prints, how it ends, what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts.build_scorer import build
from tests.paths import REPO
from tests.verification.scoring.files import claim, prediction
from verification.scoring.__main__ import main
from verification.scoring.registry import TASK_NAMES

GOLD = [claim(1, d11=[([0, 1], "SUPPORT")]), claim(2)]
PREDICTIONS = [prediction(2), prediction(1, d11=([0, 1, 4], "SUPPORT"))]
MODULE = (sys.executable, "-m", "verification.scoring")


def written(folder: Path, name: str, lines: Sequence[Any]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return {
        "gold": written(tmp_path, "gold.jsonl", GOLD),
        "predictions": written(tmp_path, "predictions.jsonl", PREDICTIONS),
    }


def started(
    command: Sequence[str], *arguments: str, cwd: Path = REPO
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments], cwd=cwd, capture_output=True, text=True, timeout=60
    )


def scoring(files: dict[str, str], *further: str) -> list[str]:
    named = ["--gold", files["gold"], "--predictions", files["predictions"]]
    return ["score", "--task", "scifact_pipeline", *named, *further]


def test_a_score_is_one_object_on_stdout(files: dict[str, str]) -> None:
    result = started(MODULE, *scoring(files, "--json"))
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert set(found) == {"metrics", "counts", "warnings", "signature"}
    assert found["counts"]["sentence_retrieved"] == 3
    assert found["metrics"]["sentence_selection_precision"] == 2 / 3
    signature = dict(part.split(":", 1) for part in found["signature"].split("|"))
    assert signature["task"] == "scifact_pipeline"
    assert signature["profile"] == "leaderboard"
    assert signature["claims"] == "2"
    assert signature["gold"].startswith("sha256-")


def test_errors_are_one_object_on_stdout_with_exit_2(
    files: dict[str, str], tmp_path: Path
) -> None:
    bad = written(tmp_path, "bad.jsonl", [prediction(1, d11=(["0"], "NEI"))])
    result = started(MODULE, *scoring(files | {"predictions": bad}, "--json"))
    assert (result.returncode, result.stderr) == (2, "")
    found = json.loads(result.stdout)
    assert set(found) == {"errors"}
    assert [set(e) for e in found["errors"]] == [
        {"file", "line", "claim_id", "message"}
    ] * 3
    assert [(e["file"], e["line"], e["claim_id"]) for e in found["errors"]] == [
        (bad, 1, 1),
        (bad, 1, 1),
        (bad, None, 2),
    ]


def test_a_bootstrap_is_the_same_in_every_process_and_for_every_order(
    files: dict[str, str], tmp_path: Path
) -> None:
    turned = {
        "gold": written(tmp_path, "turned.jsonl", GOLD[::-1]),
        "predictions": written(tmp_path, "turned_predictions.jsonl", PREDICTIONS[::-1]),
    }
    arguments = ("--bootstrap", "1000", "--seed", "7", "--json")
    first, second = (
        json.loads(started(MODULE, *scoring(f, *arguments)).stdout)
        for f in (files, turned)
    )
    assert first["bootstrap"] == second["bootstrap"]
    interval = first["bootstrap"]["sentence_selection_recall"]
    assert set(interval) == {"mean", "std", "low", "high"}
    assert first["signature"].endswith("|bootstrap:1000|by:claim|seed:7")


def test_the_table_for_people_names_values_warnings_and_signature(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(scoring(files, "--bootstrap", "10")) == 0
    output = capsys.readouterr().out
    assert "sentence_selection_precision     0.6667  (" in output
    assert "1 warning:" in output
    assert "task:scifact_pipeline|" in output


def test_errors_for_people_name_file_line_and_claim(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = written(tmp_path, "bad.jsonl", [prediction(1), prediction(1)])
    assert main(scoring(files | {"predictions": bad})) == 2
    output = capsys.readouterr().out
    assert output.startswith("Not scored: 2 errors.")
    assert f"{bad}:2 (claim 1): The claim 1 is on line 1 already." in output


def test_validation_ends_alike(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = written(tmp_path, "claims.jsonl", [{"id": 1}, {"id": 2}])
    named = ["validate", "--task", "scifact_pipeline", "--claims", claims, "--json"]
    assert main([*named, "--predictions", files["predictions"]]) == 0
    assert json.loads(capsys.readouterr().out)["errors"] == []
    assert main([*named, "--predictions", files["gold"]]) == 2
    errors = json.loads(capsys.readouterr().out)["errors"]
    assert "found a list" in errors[0]["message"]


USAGE = [
    (["score", "--task", "scifact_pipeline"], "needs --gold"),
    (["score", "--task", "nothing"], "invalid choice"),
    (["score", "--task", "fever", "--gold", "no such file"], "there is no file"),
    (["score", "--task", "agreement", "--gold", "GOLD"], "no --gold"),
    (["score", "--task", "core_majority_vote", "--bootstrap", "9"], "nothing to"),
    (["score", "--task", "scifact_merge"], "--merged-output"),
    (["score", "--task", "scifact_merge", "--gold", "GOLD"], "--label-predictions"),
    (["score", "--task", "core", "--gold", "GOLD", "--bootstrap", "0"], "at least 1"),
    (["score", "--task", "core", "--gold", "GOLD", "--seed", "-1"], "0 or more"),
    (["score", "--task", "core", "--gold", "GOLD", "--profile", "x"], "invalid choice"),
    (
        ["score", "--task", "core", "--gold", "GOLD", "--merged-output", "x"],
        "belongs to scifact_merge",
    ),
    (
        ["score", "--task", "core", "--gold", "GOLD", "--label-predictions", "GOLD"],
        "belongs to scifact_merge",
    ),
    (["validate", "--task", "fever"], "needs --claims"),
    (["validate", "--task", "agreement", "--claims", "GOLD"], "alone"),
    ([], "required"),
]


@pytest.mark.parametrize(("arguments", "words"), USAGE)
def test_wrong_usage_is_said_on_stderr(
    arguments: list[str],
    words: str,
    files: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [files["gold"] if a == "GOLD" else a for a in arguments]
    if given:
        given += ["--predictions", files["predictions"]]
    with pytest.raises(SystemExit) as stopped:
        main(given)
    assert stopped.value.code == 2
    output = capsys.readouterr()
    assert words in output.err
    assert output.out == ""


def test_neither_django_nor_torch_is_loaded_and_validation_loads_no_numpy(
    files: dict[str, str],
) -> None:
    program = (
        "import sys\n"
        "from verification.scoring.__main__ import main\n"
        "main(sys.argv[1:])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    command = (sys.executable, "-c", program)
    scored = set(started(command, *scoring(files)).stderr.split())
    assert "numpy" in scored
    assert not scored & {"django", "torch", "celery", "rest_framework"}
    named = ["validate", "--task", "scifact_pipeline", "--claims", files["gold"]]
    checked = started(command, *named, "--predictions", files["predictions"])
    assert "verification.scoring.scifact" in checked.stderr.split()
    assert "numpy" not in checked.stderr.split()


def test_the_single_file_scores_alike_with_the_same_signature(
    files: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "scorer.pyz"
    build(target)
    arguments = scoring(files, "--bootstrap", "100", "--json")
    single = started((sys.executable, "-I", str(target)), *arguments, cwd=tmp_path)
    assert (single.returncode, single.stderr) == (0, "")
    assert single.stdout == started(MODULE, *arguments).stdout


def test_the_single_file_holds_every_task_and_is_built_alike(tmp_path: Path) -> None:
    first, second = tmp_path / "first.pyz", tmp_path / "second.pyz"
    build(first)
    build(second)
    assert first.read_bytes() == second.read_bytes()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from verification.scoring.registry import TASK_NAMES, get_task\n"
        "print(*[get_task(name).name for name in TASK_NAMES])"
    )
    command = (sys.executable, "-I", "-c", program, str(first))
    result = started(command, cwd=tmp_path)
    assert result.stdout.split() == list(TASK_NAMES)
