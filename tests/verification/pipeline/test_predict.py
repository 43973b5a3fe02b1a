"""The batch command: order, reruns, interruptions, and no way for gold to leak."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import REPO
from tests.verification.pipeline.worlds import (
    CLAIM_LINES,
    corpus_file,
    system_folder,
    written,
)
from verification.pipeline import predict
from verification.pipeline.__main__ import main


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    return [
        "predict",
        "--corpus",
        str(corpus_file(tmp_path)),
        "--system",
        str(system_folder(tmp_path / "system")),
        "--indexes",
        str(tmp_path / "indexes"),
    ]


def predicted(command: list[str], folder: Path, lines: Any, *more: str) -> bytes:
    claims = written(folder / "claims.jsonl", lines)
    output = folder / "out.jsonl"
    output.unlink(missing_ok=True)
    code = main([*command, "--claims", str(claims), "--output", str(output), *more])
    assert code == 0
    assert not list(folder.glob(".out*"))
    return output.read_bytes()


def test_every_claim_has_a_line_in_order(command: list[str], tmp_path: Path) -> None:
    data = predicted(command, tmp_path, CLAIM_LINES)
    lines = [json.loads(line) for line in data.splitlines()]
    assert [line["id"] for line in lines] == [7, 3, 5]
    assert lines[0]["evidence"]["1"] == {"sentences": [1], "label": "SUPPORT"}
    assert all(len(line["evidence"]) == 2 for line in lines)
    assert predicted(command, tmp_path, CLAIM_LINES) == data


def test_the_order_of_the_claims_changes_nothing_else(
    command: list[str], tmp_path: Path
) -> None:
    forward = predicted(command, tmp_path, CLAIM_LINES).splitlines()
    backward = predicted(command, tmp_path, CLAIM_LINES[::-1]).splitlines()
    assert backward == forward[::-1]


def test_the_gold_of_an_open_run_changes_no_byte(
    command: list[str], tmp_path: Path
) -> None:
    bare = [{"id": line["id"], "claim": line["claim"]} for line in CLAIM_LINES]
    with_gold = predicted(command, tmp_path, CLAIM_LINES)
    assert predicted(command, tmp_path, bare) == with_gold


def test_oracle_settings_use_the_cited_abstracts(
    command: list[str], tmp_path: Path
) -> None:
    data = predicted(command, tmp_path, CLAIM_LINES, "--setting", "oracle-rationale")
    lines = [json.loads(line)["evidence"] for line in data.splitlines()]
    assert [list(evidence) for evidence in lines] == [["1"], ["2", "4"], ["3"]]
    assert lines[1]["2"]["sentences"] == [1]
    data = predicted(command, tmp_path, CLAIM_LINES, "--setting", "oracle-abstract")
    lines = [json.loads(line)["evidence"] for line in data.splitlines()]
    assert lines[1]["2"]["sentences"] == [2]  # the system's own: the last


@pytest.mark.parametrize("setting", ["oracle-abstract", "oracle-rationale"])
def test_an_oracle_without_gold_is_an_error(
    command: list[str],
    tmp_path: Path,
    setting: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    claims = written(tmp_path / "c.jsonl", [{"id": 1, "claim": "Tea."}])
    output = tmp_path / "out.jsonl"
    paths = ["--claims", str(claims), "--output", str(output)]
    assert main([*command, *paths, "--setting", setting]) == 2
    assert "needs labelled claims" in capsys.readouterr().err
    assert not output.exists()


def test_a_stopped_run_goes_on(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = predicted(command, tmp_path, CLAIM_LINES)
    real = predict.prediction_line
    written_for: list[str] = []

    def stops(claim: Any, judged: Any) -> str:
        written_for.append(claim.id.text)
        if len(written_for) == 2:
            raise KeyboardInterrupt
        return real(claim, judged)

    monkeypatch.setattr(predict, "prediction_line", stops)
    (tmp_path / "out.jsonl").unlink()
    with pytest.raises(KeyboardInterrupt):
        predicted(command, tmp_path, CLAIM_LINES)
    (draft,) = tmp_path.glob(".out*")
    assert not (tmp_path / "out.jsonl").exists()
    with draft.open("ab") as file:
        file.write(b'{"id": 3, "evid')  # a line that was cut off
    assert predicted(command, tmp_path, CLAIM_LINES) == whole
    assert written_for == ["7", "3", "3", "5"]


def test_bad_files_are_named(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": 1, "claim": "Tea."}\n{"id": 2}\n', encoding="utf-8")
    output = str(tmp_path / "out.jsonl")
    assert main([*command, "--claims", str(bad), "--output", output]) == 2
    assert "bad.jsonl, line 2" in capsys.readouterr().err
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    claims = str(written(tmp_path / "c.jsonl", CLAIM_LINES))
    paths = ["--claims", claims, "--output", output, "--corpus", str(empty)]
    assert main([*command, *paths]) == 2
    assert "no abstracts" in capsys.readouterr().err
    nowhere = str(tmp_path / "no" / "out.jsonl")
    assert main([*command, "--claims", claims, "--output", nowhere]) == 2
    assert "no folder" in capsys.readouterr().err
    there_is_none = [*command, "--system", str(tmp_path / "none")]
    assert main([*there_is_none, "--claims", claims, "--output", output]) == 2
    assert "system.json" in capsys.readouterr().err


@pytest.mark.processes
def test_the_command_as_a_process_reports_on_stderr_and_needs_no_torch(
    command: list[str], tmp_path: Path
) -> None:
    claims = written(tmp_path / "claims.jsonl", CLAIM_LINES)
    output = tmp_path / "out.jsonl"
    paths = ["--claims", str(claims), "--output", str(output)]
    program = (
        "import sys; from verification.pipeline.__main__ import main; "
        "code = main(sys.argv[1:]); assert 'torch' not in sys.modules; sys.exit(code)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, *command, *paths],
        cwd=REPO,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    assert "3/3 claims" in result.stderr
