"""Gold and predictions side by side, with expected marks written by hand."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from corpus.records import Label
from verification.claim_errors import Mark, claim_errors, confusion_of, summaries
from verification.claim_reading import read_gold
from verification.scoring.reading import Source
from verification.trivial import BENCHMARK_TASKS

SUPPORT, CONTRADICT, NEI = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO


def source(*lines: dict[str, Any]) -> Source:
    content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return Source("file.jsonl", lambda: BytesIO(content))


def table(text: str) -> Source:
    return Source("file.csv", lambda: BytesIO(text.encode()))


GOLD = source(
    {
        "id": 1,
        "claim": "Moss drinks rain.",
        "cited_doc_ids": [11, 12],
        "evidence": {
            "11": [
                {"sentences": [0, 2], "label": "SUPPORT"},
                {"sentences": [4], "label": "SUPPORT"},
            ]
        },
    },
    {"id": 2, "claim": "Moss is blue.", "cited_doc_ids": [12], "evidence": {}},
)


def marks_of(prediction: dict[str, Any]) -> dict[str, tuple[Mark, dict[int, Mark]]]:
    """What becomes of the documents of claim 1."""
    gold = read_gold("scifact_pipeline", GOLD, "leaderboard")
    predictions = source({"id": 1, "evidence": prediction}, {"id": 2, "evidence": {}})
    (found,) = claim_errors("scifact_pipeline", gold, predictions, "leaderboard", [1])
    return {d.document: (d.mark, dict(d.marks)) for d in found.documents}


class TestMarks:
    def test_right_missed_and_extra_sentences(self) -> None:
        found = marks_of({"11": {"sentences": [0, 1, 2], "label": "SUPPORT"}})
        assert found == {
            "11": (
                Mark.RIGHT,
                {0: Mark.RIGHT, 1: Mark.EXTRA, 2: Mark.RIGHT, 4: Mark.MISSED},
            )
        }

    def test_a_wrong_label_keeps_its_sentences(self) -> None:
        mark, marks = marks_of({"11": {"sentences": [4], "label": "CONTRADICT"}})["11"]
        assert (mark, marks[4]) == (Mark.WRONG_LABEL, Mark.RIGHT)

    def test_a_judged_document_is_extra_and_another_unjudged(self) -> None:
        found = marks_of(
            {
                "12": {"sentences": [0], "label": "SUPPORT"},
                "99": {"sentences": [3], "label": "SUPPORT"},
            }
        )
        assert found["11"][0] is Mark.MISSED
        assert found["12"] == (Mark.EXTRA, {0: Mark.EXTRA})
        assert found["99"] == (Mark.UNJUDGED, {3: Mark.UNJUDGED})


@pytest.mark.parametrize(
    ("sentences", "is_wrong", "why"),
    [
        ([4], False, "one whole rationale is enough"),
        ([0, 2, 4], False, "all of both"),
        ([0], True, "no rationale is whole"),
        ([4, 1], True, "a sentence too many"),
        ([], True, "a label without a sentence"),
    ],
)
def test_what_makes_a_claim_wrong(
    sentences: list[int], is_wrong: bool, why: str
) -> None:
    gold = read_gold("scifact_pipeline", GOLD, "leaderboard")
    said = {"11": {"sentences": sentences, "label": "SUPPORT"}}
    predictions = source({"id": 2, "evidence": {}}, {"id": 1, "evidence": said})
    first, second = summaries("scifact_pipeline", gold, predictions, "leaderboard")
    assert first.is_wrong is is_wrong, why
    assert not second.is_wrong
    assert first.gold_labels == frozenset({SUPPORT})
    assert second.gold_labels == frozenset({NEI})


def test_the_confusion_matrix_counts_claims_and_documents() -> None:
    gold = read_gold("scifact_pipeline", GOLD, "leaderboard")
    predictions = source(
        {"id": 1, "evidence": {"11": {"sentences": [0], "label": "CONTRADICT"}}},
        {"id": 2, "evidence": {"12": {"sentences": [0], "label": "SUPPORT"}}},
    )
    found = summaries("scifact_pipeline", gold, predictions, "leaderboard")
    matrix = confusion_of("scifact_pipeline", found)
    assert matrix is not None
    assert matrix.labels == [SUPPORT, CONTRADICT, NEI]
    assert matrix.rows == [
        (SUPPORT, [0, 1, 0]),
        (CONTRADICT, [0, 0, 0]),
        (NEI, [1, 0, 0]),
    ]


def test_verisci_compares_ids_as_numbers() -> None:
    gold = read_gold("scifact_pipeline", GOLD, "verisci")
    said = {"011": {"sentences": [4], "label": "SUPPORT"}}
    predictions = source({"id": 1, "evidence": said}, {"id": 2, "evidence": {}})
    (first, _) = summaries("scifact_pipeline", gold, predictions, "verisci")
    assert not first.is_wrong


class TestOtherTasks:
    """One claim that is right and one that is not, in the form of each task."""

    def wrong(self, task: str, gold: Source, predictions: Source) -> list[Any]:
        claims = read_gold(task, gold, "")
        found = summaries(task, claims, predictions, "")
        return [summary.claim for summary in found if summary.is_wrong]

    def test_check_covid(self) -> None:
        gold = source(
            {
                "id": "a",
                "claim": "Masks help.",
                "cord_id": "x1",
                "label": "SUPPORT",
                "evidence_set": [{"sent_index": 1}, {"sent_index": 2}],
            },
            {
                "id": "b",
                "claim": "Bats sing.",
                "cord_id": "x2",
                "label": "NOTENOUGHINFO",
                "evidence_set": [],
            },
        )
        labels = source(
            {"claim_id": "a", "labels": {"x1": {"label": "REFUTE"}}},
            {"claim_id": "b", "labels": {"x2": {"label": "NOTENOUGHINFO"}}},
        )
        assert self.wrong("checkcovid_label_prediction", gold, labels) == ["a"]
        selected = source(
            {"claim_id": "a", "evidence": {"x1": [1, 2]}},
            {"claim_id": "b", "evidence": {}},
        )
        assert self.wrong("checkcovid_rationale_selection", gold, selected) == []

    def test_fever(self) -> None:
        gold = source(
            {
                "id": 1,
                "claim": "Moss is green.",
                "label": "SUPPORTS",
                "evidence": [[[0, 0, "Moss", 3]], [[0, 1, "Green", 0]]],
            },
            {
                "id": 2,
                "claim": "Moss sings.",
                "label": "NOT ENOUGH INFO",
                "evidence": [[[0, 2, None, None]]],
            },
        )
        predictions = source(
            {
                "id": 1,
                "predicted_label": "SUPPORTS",
                "predicted_evidence": [["Moss", 3]],
            },
            {
                "id": 2,
                "predicted_label": "REFUTES",
                "predicted_evidence": [],
            },
        )
        claims = read_gold("fever", gold, "")
        first, second = summaries("fever", claims, predictions, "")
        # One of two sets of evidence is enough.
        assert not first.is_wrong
        assert second.is_wrong
        assert first.gold_labels == {SUPPORT}
        assert first.pairs == ((SUPPORT, SUPPORT),)
        assert second.pairs == ((NEI, CONTRADICT),)

    def test_scifact_open_has_a_line_for_each_document(self) -> None:
        gold = source(
            {"id": 1, "claim": "Moss.", "evidence": {"11": {"label": "SUPPORT"}}},
            {"id": 2, "claim": "Rain.", "evidence": {}},
        )
        rows = [(1, 11, "SUPPORT"), (1, 12, "NEI"), (2, 11, "SUPPORT")]
        predictions = source(
            *(
                {"claim_id": claim, "doc_id": document, "predicted_label": label}
                for claim, document, label in rows
            )
        )
        assert self.wrong("scifact_open", gold, predictions) == [2]

    def test_core_is_matched_by_file_and_number(self) -> None:
        words = {label: word for word, label in _core_words().items()}
        gold = table(
            f"file,idx,label\nteas,1,{words[SUPPORT]}\nteas,2,{words[CONTRADICT]}\n"
        )
        predictions = table(
            f"file,idx,label\nteas,2,{words[SUPPORT]}\nteas,1,{words[SUPPORT]}\n"
        )
        assert self.wrong("core", gold, predictions) == ["teas#2"]
        alone = table(f"idx,label\n2,{words[CONTRADICT]}\n1,no answer\n")
        assert self.wrong("core", gold, alone) == ["teas#1"]

    def test_retrieval_has_neither_labels_nor_sentences(self) -> None:
        predictions = source(
            {"claim_id": 1, "doc_ids": [11]}, {"claim_id": 2, "doc_ids": [99]}
        )
        assert self.wrong("scifact_abstract_retrieval", GOLD, predictions) == [2]


def _core_words() -> dict[str, Label]:
    from verification.scoring.core import WORDS

    return dict(WORDS)


@pytest.mark.parametrize("task", BENCHMARK_TASKS)
def test_every_task_of_a_benchmark_can_be_read(task: str) -> None:
    nothing = source() if task != "core" else table("idx,label\n")
    assert summaries(task, {}, nothing, "leaderboard") == []
    assert confusion_of(task, []) is None or task
