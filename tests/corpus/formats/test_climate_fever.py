"""Climate-FEVER: every evidence sentence is a pair with its own label."""

from __future__ import annotations

from collections import Counter

import pytest

from corpus.formats.climate_fever import claim_label
from corpus.records import Document, Evidence, ExternalId, Json, Label, Rationale
from tests.corpus.formats.helpers import (
    claims_reader,
    errors,
    jsonl,
    only_record,
    problems,
    read,
)
from tests.paths import shared_file

S, C, N, M = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.MIXED
CLAIMS = claims_reader("climate-fever")
WORDS = ["SUPPORTS", "NOT_ENOUGH_INFO", "REFUTES", "SUPPORTS", "NOT_ENOUGH_INFO"]


def evidences(words: list[str]) -> list[dict[str, object]]:
    return [
        {
            "evidence_id": f"Ice: a history:{number}",
            "evidence_label": word,
            "article": "Ice: a history",
            "evidence": f"Ice melts {number}.",
            "entropy": 0.6931471805599453,
            "votes": [word, None, None, None, None],
        }
        for number, word in enumerate(words)
    ]


def line(words: list[str] = WORDS, label: object = "DISPUTED") -> bytes:
    value = {"claim_id": "12", "claim": "Ice melts.", "claim_label": label}
    return jsonl(value | {"evidences": evidences(words)})


def test_each_sentence_is_a_document_with_its_own_label() -> None:
    claim = only_record(CLAIMS, line())
    assert claim.id == ExternalId("12")
    first = ExternalId("Ice: a history:0")
    assert claim.documents[0] == Document(first, "Ice: a history", ("Ice melts 0.",))
    extra: dict[str, Json] = {
        "entropy": 0.6931471805599453,
        "votes": ["SUPPORTS", None, None, None, None],
    }
    assert claim.evidence[0] == Evidence(first, S, (Rationale((0,)),), extra=extra)
    assert [entry.label for entry in claim.evidence] == [S, N, C, S, N]
    assert claim.evidence[1].rationales == ()
    assert claim.cited == tuple(document.id for document in claim.documents)


def test_disputed_stays_with_the_claim_and_is_no_label_of_a_pair() -> None:
    data = line()
    claim = only_record(CLAIMS, data)
    assert claim.extra == {"claim_label": "DISPUTED"}
    assert M not in {entry.label for entry in claim.evidence}
    assert problems(CLAIMS, data) == []


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({S, C}, M),
        ({S, C, N}, M),
        ({S, N}, S),
        ({C}, C),
        ({N}, N),
        (set(), N),
    ],
)
def test_the_claim_label_follows_from_the_evidence(
    labels: set[Label], expected: Label
) -> None:
    assert claim_label(labels) == expected


def test_a_claim_label_that_does_not_follow_is_a_warning() -> None:
    data = line(label="SUPPORTS")
    assert only_record(CLAIMS, data)
    (problem,) = problems(CLAIMS, data)
    assert (problem.field, problem.expected) == ("claim_label", "MIXED")


def test_another_number_of_sentences_is_a_warning() -> None:
    (problem,) = problems(CLAIMS, line(["SUPPORTS"] * 4, "SUPPORTS"))
    assert "4 sentences" in problem.message


def test_wrong_lines_are_errors() -> None:
    (problem,) = errors(CLAIMS, line(label="NOT ENOUGH INFO"))
    assert "is NOT_ENOUGH_INFO here" in problem.message
    (problem,) = errors(CLAIMS, line(["DISPUTED", *WORDS[1:]]))
    assert problem.field == "evidences[0].evidence_label"
    twice = evidences(WORDS)[:1] * 5
    value = {"claim_id": "1", "claim": "c", "claim_label": "SUPPORTS"}
    (problem,) = errors(CLAIMS, jsonl(value | {"evidences": twice}))
    assert "an evidence_id occurs twice" in problem.message
    (problem,) = errors(CLAIMS, line() + line())
    assert "line 1 and again on line 2" in problem.message


def test_the_published_file_has_the_published_counts() -> None:
    path = shared_file("data/other/climate-fever/climate-fever.jsonl")
    found = read(CLAIMS, path.read_bytes())
    assert [problem for result in found for problem in result.problems] == []
    claims = [result.record for result in found]
    assert Counter(claim.extra["claim_label"] for claim in claims) == {
        "SUPPORTS": 654,
        "REFUTES": 253,
        "NOT_ENOUGH_INFO": 474,
        "DISPUTED": 154,
    }
    labels = Counter(entry.label for claim in claims for entry in claim.evidence)
    assert labels == {S: 1943, C: 802, N: 4930}
    documents: dict[str, Document] = {}
    for claim in claims:
        for document in claim.documents:
            assert documents.setdefault(document.id.text, document) == document
    assert len(documents) == 5240
