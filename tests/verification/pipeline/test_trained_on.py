"""What a system was trained on: kept as digests, and told from what nobody knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.train_starter import trained_on
from tests.paths import SHARED, shared_file
from verification.pipeline.files import read_claims
from verification.pipeline.stages import ModelFileError
from verification.pipeline.trained_on import FILE, TrainedOn, read_trained_on

OURS = {"label": {"kind": "transformer", "sha256": "0"}}


def test_texts_that_read_the_same_are_the_same_claim(tmp_path: Path) -> None:
    known = TrainedOn.of(["Tea shortens sleep.", "Bees like iron."], ["7", "x"])
    known.write(tmp_path)
    found = read_trained_on(tmp_path, OURS)
    assert found == known
    asked = ["tea  SHORTENS sleep.", "Tea shortens sleep", "Bees like tin.", ""]
    assert known.count(asked) == 1
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert "Tea" not in text
    assert json.loads(text)["documents"] == ["7", "x"]


def test_two_lists_become_one() -> None:
    first, second = TrainedOn.of(["a b"], ["1"]), TrainedOn.of(["c d"], ["2"])
    assert first.with_also(second) == TrainedOn.of(["a b", "c d"], ["1", "2"])


def test_only_models_of_others_need_not_say(tmp_path: Path) -> None:
    plain: dict[str, Any] = {"rationale": {"kind": "tfidf"}, "label": {}}
    assert read_trained_on(tmp_path, plain) == TrainedOn()
    theirs = {"label": {"kind": "transformer", "model": "some/model"}}
    assert read_trained_on(tmp_path, theirs) is None
    with pytest.raises(ModelFileError, match="does not say what"):
        read_trained_on(tmp_path, OURS)


@pytest.mark.parametrize("text", ["{}", "[", '{"bytes_of_a_digest": 6, "claims": "A"}'])
def test_a_list_that_was_cut_off_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ModelFileError, match="does not say what"):
        read_trained_on(tmp_path, OURS)


@pytest.mark.slow
def test_the_starter_knows_the_training_claims_of_both_sets() -> None:
    """SciFact's own dev set repeats two claims of its training set."""
    claims = {
        name: read_claims(shared_file(f"data/{path}"), name.partition(" ")[0])
        for name, path in {
            "scifact train": "scifact/claims_train.jsonl",
            "scifact dev": "scifact/claims_dev.jsonl",
            "check-covid dev": "check-covid/dev/covidCheck_dev_composed.json",
        }.items()
    }
    known = trained_on(SHARED / "data")
    seen = {name: known.count(c.text for c in found) for name, found in claims.items()}
    assert seen == {"scifact train": 809, "scifact dev": 2, "check-covid dev": 0}
