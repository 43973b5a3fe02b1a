"""Claims side by side get what each gets by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from tests.verification.pipeline.worlds import (
    claim,
    documents,
    model_system,
    system_folder,
)
from verification.pipeline import together
from verification.pipeline.label import TransformerPredictor
from verification.pipeline.rationale import PairLogits, TransformerSelector
from verification.pipeline.stages import Array, Judged, Pipeline
from verification.pipeline.systems import System

CLAIMS = [
    claim(1, "Tea makes sleep shorter."),
    claim(2, "Salt raises the yield of rice."),
    claim(3, "Bees like iron."),
    claim(4, "Tea makes sleep shorter."),
]


@dataclass
class Counted:
    """A model that notes how many pairs it was asked for, call by call."""

    model: PairLogits
    calls: list[int] = field(default_factory=list)

    @property
    def labels(self) -> Sequence[str]:
        return self.model.labels

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        self.calls.append(len(pairs))
        return self.model.logits(pairs)

    def forget(self) -> None:
        self.model.forget()


def assert_alike(found: Sequence[Judged], alone: Sequence[Judged]) -> None:
    assert len(found) == len(alone)
    for one, other in zip(found, alone, strict=True):
        assert one.document == other.document
        assert one.sentences == other.sentences
        assert one.label == other.label
        assert np.allclose(one.probabilities, other.probabilities, atol=1e-5)
        assert np.allclose(one.sentence_scores, other.sentence_scores, atol=1e-5)


def test_models_are_asked_once_for_all_claims_and_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = model_system(tmp_path, monkeypatch)
    system = System.load(str(folder), device="cpu", precision="fp32")
    selector, predictor = system.selector, system.predictor
    assert isinstance(selector, TransformerSelector)
    assert isinstance(predictor, TransformerPredictor)
    selecting, labelling = Counted(selector.model), Counted(predictor.model)
    # A reranking retriever asks the selector's model too.
    system._selector = replace(selector, model=selecting)
    system._predictor = replace(predictor, model=labelling)
    pipeline = system.pipeline(documents(), tmp_path / "indexes")
    found = together.judge_all(pipeline, CLAIMS)
    # Three abstracts of the four for each claim, and a sentence of each at least.
    assert len(selecting.calls) == 2
    assert labelling.calls == [12]
    for one, entries in zip(CLAIMS, found, strict=True):
        system.forget()
        assert_alike(entries, pipeline.judge(one))
    assert len({entry.label for entries in found for entry in entries}) == 2


def plain_pipeline(folder: Path, **values: object) -> Pipeline:
    system = System.load(str(system_folder(folder / "system", **values)))
    return system.pipeline(documents(), folder / "indexes")


def test_stages_without_a_model_take_claims_one_by_one(tmp_path: Path) -> None:
    pipeline = plain_pipeline(tmp_path)
    found = together.judge_all(pipeline, CLAIMS)
    for one, entries in zip(CLAIMS, found, strict=True):
        assert_alike(entries, pipeline.judge(one))


def test_a_claim_without_a_chosen_sentence_has_not_enough_information(
    tmp_path: Path,
) -> None:
    pipeline = plain_pipeline(
        tmp_path, rationale={"kind": "tfidf"}, settings={"k": 1, "threshold": 0.9}
    )
    both = [claim(5, "Quartz."), claim(6, "Smoke calmed the bees.")]
    nothing, something = together.judge_all(pipeline, both)
    assert [entry.label for entry in nothing] == ["NOT_ENOUGH_INFO"]
    assert [(e.sentences, str(e.label)) for e in something] == [((1,), "SUPPORT")]


def test_no_claims_have_no_answers(tmp_path: Path) -> None:
    assert together.judge_all(plain_pipeline(tmp_path), []) == []
