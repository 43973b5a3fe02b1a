"""Baselines as lines of predictions, and whether the scorers take them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from corpus.records import Claim, Document, Evidence, ExternalId, Label
from tests.paths import REPO
from verification.baselines import OF_TASK, Baseline, offered
from verification.pipeline.baselines import (
    ClaimOnlyPredictor,
    Inputs,
    UntrainableError,
    can_learn,
    most_frequent,
    pipeline_lines,
)
from verification.pipeline.label_baselines import (
    core_lines,
    fever_lines,
    label_lines,
)
from verification.pipeline.module_baselines import (
    ranked_lines,
    retrieval_lines,
    selection_lines,
)
from verification.pipeline.stages import Ablation, Candidate
from verification.scoring.reading import Source
from verification.scoring.service import score
from verification.scoring.tasks import Request
from verification.trivial import BENCHMARK_TASKS

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
    lines = b"".join(core_lines("majority", _source(CORE), None))
    assert lines == b"idx,label,file\n1,CONTRADICT,tea\n2,CONTRADICT,tea\n" + (
        b"1,CONTRADICT,sleep\n"
    )
    assert _accuracy("core", CORE, lines)["accuracy"] == pytest.approx(2 / 3)


def test_fever_gets_the_most_frequent_label_of_the_training_claims() -> None:
    gold = "".join(json.dumps(line) + "\n" for line in FEVER)
    own = b"".join(fever_lines("majority", _source(gold), None))
    assert _label_accuracy(gold, own) == pytest.approx(2 / 3)
    other = json.dumps(FEVER[0]) + "\n"
    assert _label_accuracy(
        gold, b"".join(fever_lines("majority", _source(gold), _source(other)))
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
    lines = [
        json.loads(x)
        for x in label_lines("scifact_label_prediction", "majority", inputs)
    ]
    nei = {"label": "NOT_ENOUGH_INFO"}
    assert lines[0] == {"claim_id": 1, "labels": {"1": nei, "2": nei}}
    (line, *_) = label_lines("checkcovid_label_prediction", "majority", inputs)
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


def test_gold_inputs_are_answered_with_the_label_of_the_claim() -> None:
    """Two claims support by abstract 1, one contradicts; the last cites two."""
    task = "scifact_label_accuracy_gold_inputs"
    inputs = Inputs(CLAIMS, {}, [], Path())
    lines = [json.loads(line) for line in label_lines(task, "majority", inputs)]
    # Of five given abstracts two support, one contradicts and two say nothing.
    assert [list(line["labels"]) for line in lines] == [["1"], ["1"], ["1"], ["1", "2"]]
    assert {e["label"] for line in lines for e in line["labels"].values()} == {
        "NOT_ENOUGH_INFO"
    }


@pytest.mark.parametrize(
    "task", ["scifact_label_prediction", "scifact_label_accuracy_gold_inputs"]
)
def test_claim_only_gives_all_abstracts_the_label_of_the_words(task: str) -> None:
    inputs = Inputs(CLAIMS, {}, CLAIMS * 5, Path())
    lines = [json.loads(line) for line in label_lines(task, "claim-only", inputs)]
    assert [{e["label"] for e in line["labels"].values()} for line in lines] == [
        {"SUPPORT"},
        {"SUPPORT"},
        {"CONTRADICT"},
        {"NOT_ENOUGH_INFO"},
    ]


def test_core_is_answered_from_the_words_of_its_hypotheses() -> None:
    gold = "idx,declarative,label,file\n1,TEA HELPS,,t\n2,TEA HARMS,,t\n"
    known = "idx,declarative,label\n1,SLEEP HELPS,ENTAIL\n2,REST HARMS,CONTRADICT\n"
    lines = b"".join(core_lines("claim-only", _source(gold), _source(known)))
    assert lines == b"idx,label,file\n1,ENTAIL,t\n2,CONTRADICT,t\n"


def test_fever_is_answered_from_the_words_of_its_claims() -> None:
    words = {"rises": "SUPPORTS", "falls": "REFUTES", "rests": "NOT ENOUGH INFO"}
    rows = [
        {"id": n, "claim": f"Moss {word}.", "label": label, "evidence": []}
        for n, (word, label) in enumerate(words.items())
    ]
    gold = "".join(json.dumps(row) + "\n" for row in rows)
    lines = b"".join(fever_lines("claim-only", _source(gold), _source(gold)))
    assert _label_accuracy(gold, lines) == 1


@pytest.mark.parametrize(
    "known",
    [
        "idx,label\n1,ENTAIL\n2,CONTRADICT\n",
        "idx,declarative,label\n1,TEA HELPS,ENTAIL\n2,TEA HARMS,ENTAIL\n",
        "idx,declarative,label\n1,?,ENTAIL\n2,!,CONTRADICT\n",
    ],
)
def test_what_says_nothing_teaches_nothing(known: str) -> None:
    with pytest.raises(UntrainableError):
        list(core_lines("claim-only", _source(CORE), _source(known)))


def test_a_pipeline_learns_nothing_from_claims_without_words() -> None:
    training = [_claim(8, Label.SUPPORT, "?"), _claim(9, Label.CONTRADICT, "!")]
    with pytest.raises(UntrainableError):
        ClaimOnlyPredictor(training)


def test_one_sentence_of_each_cited_abstract_is_selected() -> None:
    """The second sentence shares "falls" with the third claim, none with the last."""
    claims = [*CLAIMS[2:], _claim(5, Label.SUPPORT, "Rain rises.")]
    inputs = Inputs(claims, DOCUMENTS, [], Path())
    first = [json.loads(line) for line in selection_lines("cited-first", inputs)]
    assert first[0] == {"claim_id": 3, "evidence": {"1": [0], "2": [0]}}
    similar = [json.loads(line) for line in selection_lines("cited-similar", inputs)]
    # "Moss." is nearer to "Moss falls." than "Rain falls.": one word of one.
    assert [line["evidence"] for line in similar] == [
        {"1": [0], "2": [0]},
        {"1": [0], "2": [0]},
        {"1": [1], "2": [1]},
    ]


@pytest.mark.parametrize("code", ["found-tfidf", "found-bm25"])
def test_at_most_three_abstracts_are_found(code: str, tmp_path: Path) -> None:
    texts = {"1": "Moss on stones.", "2": "Rain.", "3": "Snow.", "4": "Wind."}
    documents = {
        key: Document(ExternalId(key, True), "", (text,)) for key, text in texts.items()
    }
    claims = [_claim(1, None, "Stones carry moss.")]
    (line,) = retrieval_lines(code, Inputs(claims, documents, [], tmp_path))
    found = json.loads(line)
    assert found["claim_id"] == 1
    assert found["doc_ids"][0] == 1
    assert len(found["doc_ids"]) <= 3


def test_pairs_are_ranked_over_all_claims(tmp_path: Path) -> None:
    """The second claim is the text of the second abstract, word for word."""
    documents = {
        "1": Document(ExternalId("1", True), "", ("Moss on stones.",)),
        "2": Document(ExternalId("2", True), "", ("Rain falls.",)),
    }
    claims = [
        _claim(1, Label.CONTRADICT, "Moss on trees."),
        _claim(2, Label.CONTRADICT, "Rain falls."),
    ]
    inputs = Inputs(claims, documents, [], tmp_path)
    lines = [json.loads(line) for line in ranked_lines("tfidf-majority", inputs)]
    assert [line["rank"] for line in lines] == list(range(1, len(lines) + 1))
    first = lines[0]
    assert (first["claim_id"], first["doc_id"]) == (2, 2)
    assert first["p_contradict"] == pytest.approx(1)
    assert {line["p_support"] for line in lines} == {0}
    assert {line["predicted_label"] for line in lines} == {"CONTRADICT"}


def test_ranked_pairs_take_the_probability_of_the_words(tmp_path: Path) -> None:
    inputs = Inputs(CLAIMS, DOCUMENTS, CLAIMS * 5, tmp_path)
    lines = [json.loads(line) for line in ranked_lines("claim-only", inputs)]
    labels = {line["claim_id"]: line["predicted_label"] for line in lines}
    assert labels[1] == "SUPPORT"
    assert labels[3] == "CONTRADICT"
    assert labels[4] == "NOT_ENOUGH_INFO"
    strengths = [max(line["p_support"], line["p_contradict"]) for line in lines]
    assert strengths == sorted(strengths, reverse=True)


PIPELINE = ["majority", "oracle-rationale", "first-sentence", "tfidf-majority"]


@pytest.mark.parametrize(
    ("task", "has_corpus", "has_training", "expected"),
    [
        ("scifact_pipeline", True, True, [*PIPELINE, "claim-only"]),
        ("scifact_pipeline", True, False, PIPELINE),
        ("checkcovid_pipeline_py", False, True, []),
        ("core", False, False, ["majority"]),
        ("core", False, True, ["majority", "claim-only"]),
        ("scifact_rationale_selection", False, True, ["cited-first"]),
        ("scifact_open", True, False, ["tfidf-majority"]),
        ("scifact_abstract_retrieval", False, True, []),
    ],
)
def test_what_is_offered(
    task: str, has_corpus: bool, has_training: bool, expected: list[str]
) -> None:
    found = offered(task, has_corpus=has_corpus, has_training=has_training)
    assert [baseline.code for baseline in found] == expected


def test_every_task_of_a_benchmark_has_baselines_as_documented() -> None:
    """The table in ``docs/organising.md`` names them, and what they need."""
    text = (REPO / "docs" / "organising.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    documented = {
        row[1].strip(" `"): [name.strip() for name in row[2].split(";")] for row in rows
    }
    assert documented == {
        task: [_with_needs(baseline) for baseline in baselines]
        for task, baselines in OF_TASK.items()
    }
    assert set(OF_TASK) == set(BENCHMARK_TASKS)


def _with_needs(baseline: Baseline) -> str:
    needs = "¹" * baseline.needs_corpus + "²" * baseline.needs_training
    return baseline.name + needs
