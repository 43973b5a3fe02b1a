"""SciFact-Open: both shapes of evidence, and highlights that are no rationale."""

from __future__ import annotations

import pytest

from corpus.records import Evidence, ExternalId, Label, PairOrigin, Rationale
from tests.corpus.formats.helpers import (
    claims_reader,
    documents_reader,
    errors,
    jsonl,
    only_record,
    problems,
)

CLAIMS = claims_reader("scifact-open")
DOCUMENTS = documents_reader("scifact-open")


def line(evidence: object) -> bytes:
    return jsonl({"id": 170, "claim": "Rain cools streets.", "evidence": evidence})


def entry(**changes: object) -> dict[str, object]:
    """Return a valid evidence object with some fields replaced."""
    return {
        "provenance": "citation",
        "label": "CONTRADICT",
        "sentences": [10],
        "model_ranks": None,
    } | changes


def test_cited_evidence_is_one_rationale() -> None:
    claim = only_record(CLAIMS, line({"58": entry()}))
    assert claim.id == ExternalId("170", True)
    assert claim.cited is None
    assert claim.evidence == (
        Evidence(
            ExternalId("58"),
            Label.CONTRADICT,
            (Rationale((10,)),),
            PairOrigin.CITED,
            {"provenance": "citation", "model_ranks": None},
        ),
    )


def test_a_flat_list_of_several_cited_sentences_is_reported() -> None:
    data = line({"58": entry(sentences=[0, 1, 11])})
    claim = only_record(CLAIMS, data)
    assert claim.evidence[0].rationales == (Rationale((0, 1, 11)),)
    (problem,) = problems(CLAIMS, data)
    assert "does not say whether they were several" in problem.message


def test_pooled_sentences_are_highlights_and_no_rationale() -> None:
    ranks = {"model_a": 4556, "model_b": 120}
    pooled = entry(provenance="pooling", sentences=[2, 5], model_ranks=ranks)
    data = line({"78": pooled})
    (judged,) = only_record(CLAIMS, data).evidence
    assert (judged.rationales, judged.origin) == ((), PairOrigin.POOLED)
    assert judged.extra == {
        "provenance": "pooling",
        "model_ranks": ranks,
        "highlights": [2, 5],
    }
    assert problems(CLAIMS, data) == []


def test_the_shape_of_scifact_is_accepted_too() -> None:
    claim = only_record(
        CLAIMS, line({"5": [{"sentences": [1, 2], "label": "SUPPORT"}]})
    )
    assert claim.evidence[0].rationales == (Rationale((1, 2)),)


@pytest.mark.parametrize(
    ("value", "field", "words"),
    [
        (entry(provenance="guess"), "evidence.5.provenance", "citation or pooling"),
        (entry(provenance=1), "evidence.5.provenance", "expected text"),
        (entry(label="REFUTES"), "evidence.5.label", "is CONTRADICT here"),
        (entry(sentences=["1"]), "evidence.5.sentences[0]", "expected a whole"),
        (entry(sentences=5), "evidence.5.sentences", "expected a list"),
        (7, "evidence.5", "an object or a list of rationales"),
    ],
)
def test_a_wrong_entry_is_an_error(value: object, field: str, words: str) -> None:
    found = errors(CLAIMS, line({"5": value}))
    assert found[0].field == field
    assert words in found[0].message


def test_an_empty_entry_is_an_error_for_each_missing_field() -> None:
    fields = [problem.field for problem in errors(CLAIMS, line({"5": {}}))]
    assert fields == [
        "evidence.5.label",
        "evidence.5.sentences",
        "evidence.5.provenance",
    ]


def test_a_document_keeps_its_metadata() -> None:
    metadata = {"paper_id": "9", "year": 2019, "venue": "J. Rain", "title": "T"}
    value = {"doc_id": 9, "title": "T", "abstract": ["A."], "metadata": metadata}
    document = only_record(DOCUMENTS, jsonl(value | {"scifact_orig": False}))
    assert (document.journal, document.published) == ("J. Rain", "2019")
    assert document.extra == {"metadata": metadata, "scifact_orig": False}


def test_ids_used_twice_name_both_lines() -> None:
    value = {"doc_id": 9, "title": "T", "abstract": ["A."]}
    (problem,) = errors(DOCUMENTS, jsonl(value, value))
    assert "line 1 and again on line 2" in problem.message
    (problem,) = errors(CLAIMS, line({}) + line({}))
    assert "line 1 and again on line 2" in problem.message
