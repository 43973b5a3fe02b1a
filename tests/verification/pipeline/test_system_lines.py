"""What a system says, in the words and shape of each task."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.records import Claim, Label
from tests.verification.pipeline.worlds import claim, documents
from verification.pipeline.stages import Judged
from verification.pipeline.system_lines import Answered, as_given, system_lines

WORLD = documents()


def judged(name: str, sentences: tuple[int, ...], row: tuple[float, ...]) -> Judged:
    labels = (Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.SUPPORT)
    return Judged(
        document=WORLD[name],
        retrieval_score=1.0,
        sentences=sentences,
        sentence_scores=(0.5,) * len(WORLD[name].sentences),
        label=labels[row.index(max(row))],
        probabilities=(row[0], row[1], row[2]),
    )


ANSWERED: list[Answered] = [
    (
        claim(7, "Tea shortens sleep."),
        [judged("1", (1,), (0.1, 0.2, 0.7)), judged("2", (), (0.0, 1.0, 0.0))],
    ),
    (claim(8, "Salt raises yields."), [judged("2", (1,), (0.9, 0.1, 0.0))]),
]


def lines(task: str) -> list[Any]:
    return [json.loads(line) for line in system_lines(task, ANSWERED)]


def test_a_whole_pipeline_leaves_out_what_is_not_enough() -> None:
    first, second = lines("scifact_pipeline")
    assert first == {
        "id": 7,
        "evidence": {"1": {"sentences": [1], "label": "SUPPORT"}},
    }
    assert second["evidence"]["2"]["label"] == "CONTRADICT"
    assert lines("checkcovid_pipeline_py")[1]["evidence"]["2"]["label"] == "REFUTE"


def test_single_stages_say_what_they_are_asked() -> None:
    assert lines("scifact_rationale_selection")[0] == {
        "claim_id": 7,
        "evidence": {"1": [1], "2": []},
    }
    labels = lines("scifact_label_prediction")[0]["labels"]
    assert labels["1"] == {"label": "SUPPORT", "confidence": 0.7}
    assert labels["2"]["label"] == "NOT_ENOUGH_INFO"
    assert lines("checkcovid_label_prediction")[1]["labels"]["2"]["label"] == "REFUTE"
    assert lines("scifact_abstract_retrieval")[0] == {"claim_id": 7, "doc_ids": [1, 2]}


def test_pairs_are_ranked_over_all_claims() -> None:
    found = lines("scifact_open")
    ranks = [(pair["claim_id"], pair["doc_id"], pair["rank"]) for pair in found]
    assert ranks == [(8, 2, 1), (7, 1, 2), (7, 2, 3)]
    assert (found[0]["p_contradict"], found[0]["predicted_label"]) == (
        0.9,
        "CONTRADICT",
    )


@pytest.mark.parametrize(
    ("given", "cited"),
    [
        (claim(1, "Tea.", ("1", Label.SUPPORT, [[0]]), cited=["1", "2"]), ()),
        (claim(2, "Tea.", cited=["2"]), ("2",)),
    ],
)
def test_gold_inputs_are_the_abstracts_with_evidence(
    given: Claim, cited: tuple[str, ...]
) -> None:
    found = as_given("scifact_label_accuracy_gold_inputs", given)
    assert tuple(c.text for c in found.cited or ()) == cited
    assert as_given("scifact_label_prediction", given) == given
