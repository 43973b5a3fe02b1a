"""Predicted abstracts that nobody judged, counted by hand."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from verification.scoring.reading import Source
from verification.scoring.tasks import Request
from verification.unjudged import count_unjudged

ONE = {"sentences": [0], "label": "SUPPORT"}
GOLD = [
    {"id": 1, "evidence": {"11": [ONE]}, "cited_doc_ids": [11, 12]},
    {"id": 2, "evidence": {}, "cited_doc_ids": [13]},
    {"id": 3, "evidence": {"11": [ONE]}},
]


def _source(lines: Sequence[dict[str, Any]]) -> Source:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return Source("lines", lambda: io.BytesIO(text.encode()))


def _count(
    task: str,
    gold: Sequence[dict[str, Any]],
    predictions: Sequence[dict[str, Any]],
    profile: str = "leaderboard",
) -> tuple[int, int] | None:
    return count_unjudged(
        task, Request(_source(predictions), _source(gold), profile=profile)
    )


def test_evidence_and_cited_abstracts_are_judged_the_others_not() -> None:
    """Claim 1: 11 and 12 judged, 14 not. Claim 2: 13 judged, 11 not. Claim 3: none."""
    predictions = [
        {"id": 1, "evidence": {"11": ONE, "12": ONE, "14": ONE}},
        {"id": 2, "evidence": {"13": ONE, "11": ONE}},
        {"id": 3, "evidence": {}},
    ]
    assert _count("scifact_pipeline", GOLD, predictions) == (5, 2)


def test_verisci_compares_ids_as_numbers_and_the_leaderboard_as_text() -> None:
    predictions = [{"id": 1, "evidence": {"011": ONE}}]
    assert _count("scifact_pipeline", GOLD, predictions) == (1, 1)
    assert _count("scifact_pipeline", GOLD, predictions, "verisci") == (1, 0)


def test_a_selection_without_a_sentence_predicts_nothing() -> None:
    predictions = [{"claim_id": 1, "evidence": {"11": [0], "14": [2], "15": []}}]
    assert _count("scifact_rationale_selection", GOLD, predictions) == (2, 1)


def test_check_covid_has_one_judged_abstract_for_each_claim() -> None:
    gold = [{"id": "a_0", "cord_id": "x1"}]
    predictions = [{"id": "a_0", "evidence": {"x1": ONE, "x2": ONE}}]
    assert _count("checkcovid_pipeline_py", gold, predictions) == (2, 1)


def test_fever_counts_pages_of_claims_whose_evidence_is_scored() -> None:
    gold = [
        {"id": 1, "label": "SUPPORTS", "evidence": [[[0, 0, "Moss", 3]]]},
        {"id": 2, "label": "not enough info", "evidence": [[[0, 0, None, None]]]},
    ]
    predictions = [
        {"id": 1, "predicted_evidence": [["Moss", 1], ["Moss", 9], ["Rain", 0]]},
        {"id": 2, "predicted_evidence": [["Rain", 0]]},
    ]
    assert _count("fever", gold, predictions) == (2, 1)


@pytest.mark.parametrize("task", ["core", "scifact_label_prediction", "scifact_open"])
def test_other_tasks_predict_no_abstracts_that_count(task: str) -> None:
    assert _count(task, GOLD, []) is None
