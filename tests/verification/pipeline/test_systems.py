"""A whole system of models, with random weights: every stage, by the command."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import torch

from corpus.records import Label
from tests.verification.pipeline.worlds import (
    CLAIM_LINES,
    corpus_file,
    documents,
    system_folder,
    tiny_encoder,
    written,
)
from verification.pipeline.__main__ import main
from verification.pipeline.encoders import models, vectors
from verification.pipeline.encoders.adapted import (
    AdapterInfo,
    PairModel,
    adapter_bytes,
)
from verification.pipeline.encoders.base import fingerprint, load_encoder
from verification.pipeline.label import MajorityPredictor, OraclePredictor
from verification.pipeline.rationale import (
    OracleSelector,
    PlaceSelector,
    TfidfSelector,
)
from verification.pipeline.stages import LABELS, ModelFileError
from verification.pipeline.systems import System


def adapter(base: Path, path: Path, labels: tuple[str, ...]) -> str:
    torch.manual_seed(len(labels))
    encoder = load_encoder(base)
    info = AdapterInfo(labels, fingerprint(encoder), 48, 4)
    model = PairModel(encoder, len(labels))
    model.adapt(4)
    torch.nn.init.normal_(model.head.weight)
    data = adapter_bytes(model, info)
    path.write_bytes(data)
    return sha256(data).hexdigest()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    base = tiny_encoder(tmp_path / "encoder")
    own = fingerprint(load_encoder(base))
    monkeypatch.setattr(models, "BASE_FINGERPRINT", own)
    monkeypatch.setattr(models, "checked_base", lambda: base)
    monkeypatch.setattr(vectors, "checked_base", lambda: base)
    monkeypatch.setattr(vectors, "DENSE_TOKENS", 48)
    system = tmp_path / "system"
    system.mkdir()
    selecting = adapter(base, system / "r.safetensors", ("0", "1"))
    labelling = adapter(base, system / "l.safetensors", tuple(map(str, LABELS)))
    return system_folder(
        system,
        retrieval={"parts": ["bm25", "dense"], "rerank": 3},
        rationale={
            "kind": "transformer",
            "model": "r.safetensors",
            "sha256": selecting,
            "combination": {"weights": [1.0, 0.0, 0.5, 0.0, 0.0], "bias": 0.0},
        },
        label={
            "kind": "transformer",
            "model": "l.safetensors",
            "sha256": labelling,
            "temperature": 2.0,
            "abstain_below": 0.8,
        },
        settings={"k": 3, "threshold": 0.4, "at_least_one": True, "allow_nei": False},
    )


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
