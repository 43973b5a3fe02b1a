"""A whole system of models, with random weights: every stage, by the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.records import Label
from tests.verification.pipeline.worlds import (
    CLAIM_LINES,
    corpus_file,
    documents,
    model_system,
    system_folder,
    written,
)
from verification.pipeline.__main__ import main
from verification.pipeline.label import MajorityPredictor, OraclePredictor
from verification.pipeline.rationale import (
    OracleSelector,
    PlaceSelector,
    TfidfSelector,
)
from verification.pipeline.stages import ModelFileError
from verification.pipeline.systems import System


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_system(tmp_path, monkeypatch)


def predicted(system: Path, folder: Path, lines: list[Any], *more: str) -> bytes:
    output = folder / "out.jsonl"
    paths = ["--corpus", str(corpus_file(folder)), "--output", str(output)]
    paths += ["--claims", str(written(folder / "claims.jsonl", lines))]
    paths += ["--system", str(system), "--indexes", str(folder / "indexes")]
    assert main(["predict", *paths, "--device", "cpu", *more]) == 0
    return output.read_bytes()


def test_gold_order_and_reruns_change_no_byte(folder: Path, tmp_path: Path) -> None:
    lines = [*CLAIM_LINES, {**CLAIM_LINES[0], "id": 11, "cited_doc_ids": [1, 2]}]
    whole = predicted(folder, tmp_path, lines)
    assert whole.count(b"\n") == 4
    assert whole.count(b'"label"') == 12  # three abstracts for each claim
    bare = [{"id": line["id"], "claim": line["claim"]} for line in lines]
    assert predicted(folder, tmp_path, bare) == whole
    backward = predicted(folder, tmp_path, lines[::-1])
    assert backward.splitlines() == whole.splitlines()[::-1]


def test_bf16_runs_too(folder: Path, tmp_path: Path) -> None:
    data = predicted(folder, tmp_path, CLAIM_LINES, "--precision", "bf16")
    assert data.count(b"\n") == 3


def test_an_altered_model_ends_the_command_with_words(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "l.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    claims = str(written(tmp_path / "claims.jsonl", CLAIM_LINES))
    paths = ["--corpus", str(corpus_file(tmp_path)), "--claims", claims]
    paths += ["--output", str(tmp_path / "out.jsonl"), "--system", str(folder)]
    paths += ["--indexes", str(tmp_path / "indexes")]
    assert main(["predict", *paths]) == 2
    assert "altered or cut off" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_plain_parts_need_no_model(tmp_path: Path) -> None:
    kinds = {"tfidf": TfidfSelector, "last": PlaceSelector, "oracle": OracleSelector}
    for kind, expected in kinds.items():
        folder = system_folder(tmp_path, rationale={"kind": kind})
        assert isinstance(System.load(str(folder)).selector, expected)
    folder = system_folder(tmp_path, label={"kind": "majority", "label": "CONTRADICT"})
    assert System.load(str(folder)).predictor == MajorityPredictor(Label.CONTRADICT)
    folder = system_folder(tmp_path, label={"kind": "oracle"})
    assert isinstance(System.load(str(folder)).predictor, OraclePredictor)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"retrieval": {"parts": ["grep"]}}, "no retriever grep"),
        ({"rationale": {"kind": "best"}}, "no rationale selector best"),
        ({"label": {"kind": "true"}}, "no label predictor true"),
        ({"label": None}, "no part label"),
    ],
)
def test_unknown_parts_are_named(
    tmp_path: Path, part: dict[str, Any], words: str
) -> None:
    system = System.load(str(system_folder(tmp_path, **part)))
    with pytest.raises(ModelFileError, match=words):
        system.pipeline(documents(), tmp_path)
