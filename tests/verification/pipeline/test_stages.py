"""Thresholds, labels, merging, and what each setting lets the stages know."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from corpus.records import Claim, Document, Label
from tests.paths import shared_file
from tests.verification.pipeline.worlds import claim, documents
from verification.pipeline.label import (
    MajorityPredictor,
    OraclePredictor,
    shown_label,
)
from verification.pipeline.rationale import OracleSelector, PlaceSelector
from verification.pipeline.retrieval.oracle import OracleRetriever
from verification.pipeline.stages import (
    Ablation,
    Array,
    Candidate,
    Pipeline,
    Retrieved,
    Setting,
    Settings,
    UnlabelledError,
    choose,
    label_of,
    merge,
)

TEA = claim(7, "Tea.", ("1", Label.SUPPORT, [[1]]), cited=["1", "3"])


class Recording:
    """All three stages; keeps the claims that it was given."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        self.claims.append(claim)
        return [Retrieved(d, 1.0) for d in list(documents().values())[:k]]

    def scores(self, claim: Claim, found: Sequence[Document]) -> list[Array]:
        self.claims.append(claim)
        return [np.full(len(document.sentences), 0.5) for document in found]

    def probabilities(
        self, claim: Claim, candidates: Sequence[Candidate], ablation: Ablation
    ) -> Array:
        self.claims.append(claim)
        return np.array([[0.2, 0.5, 0.3]] * len(candidates))


@pytest.mark.parametrize(
    ("threshold", "at_least_one", "expected"),
    [
        (0.5, False, (1, 3)),  # the threshold itself is selected
        (0.025, False, (0, 1, 3)),
        (0.75, False, ()),
        (0.75, True, (1,)),  # of equals the first
    ],
)
def test_sentences_are_chosen_by_threshold(
    threshold: float, at_least_one: bool, expected: tuple[int, ...]
) -> None:
    scores = np.array([0.3, 0.5, 0.0, 0.5])
    assert choose(scores, threshold, at_least_one=at_least_one) == expected


def test_an_abstract_without_sentences_has_none_to_choose() -> None:
    assert choose(np.zeros(0), 0.0, at_least_one=True) == ()


def test_not_enough_info_can_be_ignored() -> None:
    row = np.array([0.2, 0.5, 0.3])
    assert label_of(row, allow_nei=True) is Label.NOT_ENOUGH_INFO
    assert label_of(row, allow_nei=False) is Label.SUPPORT


def test_the_open_setting_hides_the_gold_from_every_stage() -> None:
    stages = Recording()
    judged = Pipeline(stages, stages, stages).judge(TEA)
    assert len(stages.claims) == 3
    for seen in stages.claims:
        assert (seen.id, seen.text) == (TEA.id, TEA.text)
        assert (seen.evidence, seen.cited, seen.is_labelled) == ((), None, False)
    assert [entry.document.id.text for entry in judged] == ["1", "2", "3"]
    assert {entry.label for entry in judged} == {Label.NOT_ENOUGH_INFO}


def test_an_abstract_without_sentences_keeps_not_enough_info() -> None:
    stages = Recording()
    settings = Settings(threshold=0.9, allow_nei=False)
    judged = Pipeline(stages, stages, stages, settings).judge(TEA)
    assert {entry.label for entry in judged} == {Label.NOT_ENOUGH_INFO}
    assert all(entry.confidence == 1.0 for entry in judged)


def test_oracles_repeat_the_gold() -> None:
    pipeline = Pipeline(
        OracleRetriever(documents()),
        OracleSelector(),
        OraclePredictor(),
        Settings(setting=Setting.ORACLE_RATIONALE),
    )
    found = pipeline.judge(TEA)
    assert [(j.document.id.text, j.sentences, j.label) for j in found] == [
        ("1", (1,), Label.SUPPORT),
        ("3", (0, 1), Label.NOT_ENOUGH_INFO),  # the two most similar sentences
    ]
    without = OracleRetriever(documents(), include_nei=False)
    assert [r.document.id.text for r in without.retrieve(TEA, 1)] == ["1"]


def test_there_is_no_oracle_for_an_unlabelled_claim() -> None:
    pipeline = Pipeline(
        OracleRetriever(documents()),
        PlaceSelector(),
        MajorityPredictor(),
        Settings(setting=Setting.ORACLE_ABSTRACT),
    )
    unlabelled = Claim(TEA.id, TEA.text, is_labelled=False)
    with pytest.raises(UnlabelledError, match="no labels"):
        pipeline.judge(unlabelled)


def test_results_are_keyed_by_the_claim() -> None:
    stages = Recording()
    found = dict(Pipeline(stages, stages, stages).judge_all([TEA, claim(2, "Rice.")]))
    assert list(found) == ["7", "2"]


def test_a_weak_label_is_not_shown() -> None:
    pipeline = Pipeline(Recording(), PlaceSelector(), MajorityPredictor())
    judged = pipeline.judge(TEA)[0]
    assert shown_label(judged, 1.0) is Label.SUPPORT
    assert shown_label(judged, 1.01) is None
    unsure = Pipeline(Recording(), Recording(), Recording()).judge(TEA)[0]
    assert shown_label(unsure, 0.0) is None


def test_merging_is_that_of_the_published_code() -> None:
    folder = shared_file("metrics/scifact_components/merge_then_score")
    selections, labels, expected = (
        [json.loads(line) for line in (folder / name).read_bytes().splitlines()]
        for name in (
            "rationale_selection.jsonl",
            "label_prediction.jsonl",
            "merged_expected.jsonl",
        )
    )
    merged = []
    for selection, label in zip(selections, labels, strict=True):
        words = {key: value["label"] for key, value in label["labels"].items()}
        found = merge(selection["evidence"], words, "NOT_ENOUGH_INFO")
        evidence = {d: {"sentences": s, "label": w} for d, (w, s) in found.items()}
        merged.append({"id": selection["claim_id"], "evidence": evidence})
    assert merged == expected
    assert [list(m["evidence"]) for m in merged] == [
        list(e["evidence"]) for e in expected
    ]


def test_files_that_name_different_documents_are_not_merged() -> None:
    with pytest.raises(ValueError, match="different documents"):
        merge({"1": [0]}, {"2": "SUPPORT"}, "NOT_ENOUGH_INFO")
