"""Baselines as lines of predictions, and whether the scorers take them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from corpus.records import Claim, Document, Evidence, ExternalId, Label
from verification.baselines import ALL, offered
from verification.pipeline.baselines import (
    ClaimOnlyPredictor,
    Inputs,
    can_learn,
    core_lines,
    fever_lines,
    label_lines,
    most_frequent,
    pipeline_lines,
)
from verification.pipeline.stages import Ablation, Candidate
from verification.scoring.reading import Source
from verification.scoring.service import score
from verification.scoring.tasks import Request

CORE = "idx,label,file\n1,ENTAIL,tea\n2,CONTRADICT,tea\n1,CONTRADICT,sleep\n"
FEVER = [
    {"id": 1, "label": "SUPPORTS", "evidence": [[[0, 0, "Moss", 1]]]},
    {"id": 2, "label": "NOT ENOUGH INFO", "evidence": []},
    {"id": 3, "label": "NOT ENOUGH INFO", "evidence": []},
]


def _source(text: str) -> Source:
    return Source("gold", lambda: io.BytesIO(text.encode()))


def _accuracy(task: str, gold: str, lines: bytes) -> dict[str, float]:
    predictions = Source("predictions", lambda: io.BytesIO(lines))
    outcome = score(task, Request(predictions, _source(gold)))
    assert outcome.score is not None, outcome.errors
    metrics = outcome.score.metrics
    assert isinstance(metrics, dict)
    return metrics  # type: ignore[return-value]


def test_core_gets_the_most_frequent_label_of_its_rows() -> None:
    lines = b"".join(core_lines(_source(CORE), None))
    assert lines == b"idx,label,file\n1,CONTRADICT,tea\n2,CONTRADICT,tea\n" + (
        b"1,CONTRADICT,sleep\n"
    )
    assert _accuracy("core", CORE, lines)["accuracy"] == pytest.approx(2 / 3)


def test_fever_gets_the_most_frequent_label_of_the_training_claims() -> None:
    gold = "".join(json.dumps(line) + "\n" for line in FEVER)
    own = b"".join(fever_lines(_source(gold), None))
    assert _label_accuracy(gold, own) == pytest.approx(2 / 3)
    other = json.dumps(FEVER[0]) + "\n"
    assert _label_accuracy(
        gold, b"".join(fever_lines(_source(gold), _source(other)))
    ) == pytest.approx(1 / 3)


def _label_accuracy(gold: str, lines: bytes) -> float:
    cap = _accuracy("fever", gold, lines)["max_evidence_5"]
    assert isinstance(cap, dict)
    return float(cap["label_accuracy"])


def _claim(number: int, label: Label | None, text: str = "") -> Claim:
    one, two = ExternalId("1", True), ExternalId("2", True)
    evidence = (Evidence(one, label),) if label else ()
    return Claim(
        id=ExternalId(str(number), True),
        text=text or f"Claim {number}.",
        evidence=evidence,
        cited=(one, two),
    )


CLAIMS = [
    _claim(1, Label.SUPPORT, "Moss rises."),
    _claim(2, Label.SUPPORT, "Rain rises."),
    _claim(3, Label.CONTRADICT, "Moss falls."),
    _claim(4, None, "Moss rests."),
]
DOCUMENTS = {
    str(n): Document(ExternalId(str(n), True), f"Moss {n}", ("Moss.", "Rain falls."))
    for n in (1, 2)
}


def test_labels_of_cited_abstracts_count_those_without_evidence() -> None:
    """Eight cited abstracts: two support, one contradicts, five say nothing."""
    inputs = Inputs(CLAIMS, {}, [], Path())
    lines = [json.loads(x) for x in label_lines("scifact_label_prediction", inputs)]
    nei = {"label": "NOT_ENOUGH_INFO"}
    assert lines[0] == {"claim_id": 1, "labels": {"1": nei, "2": nei}}
    (line, *_) = label_lines("checkcovid_label_prediction", inputs)
    assert json.loads(line)["labels"]["1"] == {"label": "NOTENOUGHINFO"}


def test_a_pipeline_speaks_the_words_of_its_task(tmp_path: Path) -> None:
    claims = [_claim(1, Label.CONTRADICT)]
    inputs = Inputs(claims, DOCUMENTS, [], tmp_path)
    for task, word in (
        ("scifact_pipeline", "CONTRADICT"),
        ("checkcovid_pipeline_py", "REFUTE"),
    ):
        (line,) = pipeline_lines(task, "first-sentence", inputs)
        found = json.loads(line)["evidence"]["1"]
        assert found == {"sentences": [0], "label": word}


def test_a_claim_only_model_looks_at_no_sentence() -> None:
    model = ClaimOnlyPredictor(CLAIMS * 5)
    candidates = [Candidate(document, (0,)) for document in DOCUMENTS.values()]
    rows = model.probabilities(CLAIMS[2], candidates, Ablation.NONE)
    assert rows.argmax(axis=1).tolist() == [0, 0]
    assert (rows[0] == rows[1]).all()
    assert can_learn(CLAIMS)
    assert not can_learn(CLAIMS[:2])


def test_of_equal_labels_the_first_by_name_is_taken() -> None:
    assert most_frequent([Label.SUPPORT, Label.CONTRADICT]) is Label.CONTRADICT
    assert most_frequent([]) is Label.SUPPORT


@pytest.mark.parametrize(
    ("task", "has_corpus", "has_training", "expected"),
    [
        ("scifact_pipeline", True, True, [b.code for b in ALL]),
        ("scifact_pipeline", True, False, [b.code for b in ALL[:-1]]),
        ("checkcovid_pipeline_py", False, True, []),
        ("core", False, False, ["majority"]),
        ("scifact_open", True, True, []),
    ],
)
def test_what_is_offered(
    task: str, has_corpus: bool, has_training: bool, expected: list[str]
) -> None:
    found = offered(task, has_corpus=has_corpus, has_training=has_training)
    assert [baseline.code for baseline in found] == expected
