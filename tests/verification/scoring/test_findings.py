"""Every error and every doubt is named with its file, line and claim."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verification.scoring.files import (
    checked,
    claim,
    errors_of,
    prediction,
    refused,
    request,
    scored,
)
from verification.scoring.tasks import LEADERBOARD, VERISCI

PIPELINE = "scifact_pipeline"
GOLD = [claim(1, d11=[([0, 1], "SUPPORT")]), claim(2)]
GOOD = prediction(1, d11=([0, 1], "SUPPORT"))
CORPUS = [{"doc_id": 11, "title": "t", "abstract": ["…"] * 12, "structured": False}]


def raw(*entries: Any) -> dict[str, Any]:
    """Return a line for claim 1 with whatever stands for document 11."""
    return {"id": 1, "evidence": {"11": entries[0]}}


# Each: reason, the lines of the file, where the first error lies and its words.
ERRORS: list[tuple[str, list[Any], tuple[int | None, Any], str]] = [
    ("an index is text", [prediction(1, d11=(["0"], "SUPPORT"))], (1, 1), "integer"),
    ("an index is a float", [prediction(1, d11=([0.0], "SUPPORT"))], (1, 1), "integer"),
    ("an index is true", [prediction(1, d11=([True], "SUPPORT"))], (1, 1), "integer"),
    ("an index is null", [prediction(1, d11=([None], "SUPPORT"))], (1, 1), "integer"),
    ("a list in a list", [prediction(1, d11=([[0]], "SUPPORT"))], (1, 1), "integer"),
    (
        "no list",
        [raw({"sentences": 0, "label": "SUPPORT"})],
        (1, 1),
        "list of integers",
    ),
    ("no sentences", [raw({"label": "SUPPORT"})], (1, 1), "list of integers"),
    (
        "another word",
        [prediction(1, d11=([0], "REFUTES"))],
        (1, 1),
        "is CONTRADICT here",
    ),
    ("NEI", [prediction(1, d11=([0], "NOT_ENOUGH_INFO"))], (1, 1), "has no entry here"),
    ("small letters", [prediction(1, d11=([0], "support"))], (1, 1), "SUPPORT"),
    ("a label in a list", [prediction(1, d11=([0], ["SUPPORT"]))], (1, 1), "label"),  # type: ignore[arg-type]
    ("no label", [raw({"sentences": [0]})], (1, 1), "label"),
    ("a bare list", [raw([0, 1])], (1, 1), "found a list"),
    ("evidence is a list", [{"id": 1, "evidence": []}], (1, 1), "expected an object"),
    ("no evidence", [{"id": 1}], (1, 1), "evidence is missing"),
    ("a module's file", [{"claim_id": 1, "evidence": {}}], (1, None), "id is missing"),
    ("the id is text", [prediction("1")], (1, "1"), "it is a number, not text"),
    ("the id is a float", [prediction(1.0)], (1, None), "decimal point"),
    ("the id is true", [prediction(True)], (1, None), "whole number"),
    ("the id is null", [prediction(None)], (1, None), "whole number"),
    ("the id is a list", [prediction([1])], (1, None), "whole number"),
    (
        "an unknown claim",
        [GOOD, prediction(2), prediction(3)],
        (3, 3),
        "not in the gold",
    ),
    ("the id is too long", [prediction("x" * 201)], (1, None), "longer than 200"),
    ("a repeated claim", [GOOD, prediction(2), GOOD], (3, 1), "on line 1 already"),
    ("a missing claim", [GOOD], (None, 2), "is missing"),
    ("no object", [[1, 2]], (1, None), "JSON"),
    ("no object later", [GOOD, 7], (2, None), "expected an object"),
]


@pytest.mark.parametrize(
    ("lines", "place", "words"),
    [case[1:] for case in ERRORS],
    ids=[case[0] for case in ERRORS],
)
@pytest.mark.parametrize("profile", [LEADERBOARD, VERISCI])
def test_an_error_in_predictions_is_named(
    lines: list[Any], place: tuple[int | None, Any], words: str, profile: str
) -> None:
    file, line, claim_id, message = refused(
        PIPELINE, request(GOLD, lines, profile=profile)
    )[0]
    assert file == "predictions"
    assert (line, claim_id) == place
    assert type(claim_id) is type(place[1])
    assert words in message


def test_all_errors_are_found_at_once() -> None:
    lines = [
        prediction(1, d11=(["0", 1.5], "REFUTES"), d12=([0], "NEI")),
        prediction(1),
        prediction(9),
    ]
    found = refused(PIPELINE, request(GOLD, lines))
    assert [(line, claim_id) for _, line, claim_id, _ in found] == [
        *[(1, 1)] * 4,
        (2, 1),
        (3, 9),
        (None, 2),
    ]


def test_the_id_in_another_type_is_explained_both_ways() -> None:
    as_text = refused(PIPELINE, request([claim(7)], [prediction("7")]))
    as_number = refused(PIPELINE, request([claim("7")], [prediction(7)]))
    assert "There it is a number" in as_text[0][3]
    assert "There it is text" in as_number[0][3]


BAD_GOLD = [
    (
        "mixed labels",
        claim(1, d11=[([0], "SUPPORT"), ([1], "CONTRADICT")]),
        "different labels",
    ),
    (
        "a sentence in two rationales",
        claim(1, d11=[([0, 1], "SUPPORT"), ([1, 2], "SUPPORT")]),
        "in two rationales",
    ),
    ("no rationale", claim(1, d11=[]), "has no rationale"),
    ("an unknown label", claim(1, d11=[([0], "REFUTES")]), "CONTRADICT"),
    ("an index that is text", claim(1, d11=[(["0"], "SUPPORT")]), "integer"),  # type: ignore[list-item]
    ("an unlabelled claim", {"id": 1, "claim": "…"}, "evidence is missing"),
    ("evidence of SciFact-Open", {"id": 1, "evidence": {"11": {}}}, "rationales"),
]


@pytest.mark.parametrize("profile", [LEADERBOARD, VERISCI])
@pytest.mark.parametrize(
    ("gold", "words"), [c[1:] for c in BAD_GOLD], ids=[c[0] for c in BAD_GOLD]
)
def test_gold_that_cannot_be_scored_is_refused(
    gold: dict[str, Any], words: str, profile: str
) -> None:
    found = refused(PIPELINE, request([gold], [prediction(1)], profile=profile))
    assert [error[:3] for error in found] == [("gold", 1, 1)]
    assert words in found[0][3]


def test_repeated_gold_claims_are_refused() -> None:
    found = refused(PIPELINE, request([claim(1), claim(1)], [prediction(1)]))
    assert found[0][:3] == ("gold", 2, 1)


def test_errors_in_gold_do_not_hide_those_in_predictions() -> None:
    gold = [claim(1, d11=[])]
    found = refused(PIPELINE, request(gold, [prediction(1, d11=([0], "NEI"))]))
    assert [error[0] for error in found] == ["gold", "predictions"]


def test_a_cited_document_outside_the_corpus_stops_verisci_only() -> None:
    gold = [claim(1) | {"cited_doc_ids": [11, 777]}]
    asked = {"corpus": CORPUS, "profile": VERISCI}
    found = refused(PIPELINE, request(gold, [prediction(1)], **asked))  # type: ignore[arg-type]
    assert found == [("gold", 1, 1, "The cited document 777 is not in the corpus.")]
    result = scored(PIPELINE, request(gold, [prediction(1)], corpus=CORPUS))
    assert [w["line"] for w in result["warnings"]] == [1]


def test_a_document_twice_in_the_corpus_stops_verisci_only() -> None:
    twice = CORPUS * 2
    gold, lines = [claim(1)], [prediction(1)]
    found = refused(PIPELINE, request(gold, lines, corpus=twice, profile=VERISCI))
    assert found[0][:2] == ("corpus", 2)
    result = scored(PIPELINE, request(gold, lines, corpus=twice))
    assert "occurs twice" in result["warnings"][0]["message"]


WARNED = [
    ("an unknown document", prediction(1, d5=([0], "SUPPORT")), "not in the corpus"),
    ("out of range", prediction(1, d11=([12], "SUPPORT")), "has 12 sentences"),
    ("negative", prediction(1, d11=([-1], "SUPPORT")), "negative"),
    ("a repeat", prediction(1, d11=([0, 0], "SUPPORT")), "listed twice"),
    ("four sentences", prediction(1, d11=([0, 1, 2, 3], "SUPPORT")), "list order"),
]


@pytest.mark.parametrize(
    ("line", "words"), [c[1:] for c in WARNED], ids=[c[0] for c in WARNED]
)
def test_what_is_doubtful_is_scored_with_a_warning(
    line: dict[str, Any], words: str
) -> None:
    gold = [claim(1, d11=[([0, 1], "SUPPORT")])]
    found = scored(PIPELINE, request(gold, [line], corpus=CORPUS))["warnings"]
    assert [(w["file"], w["line"]) for w in found] == [("predictions", 1)]
    assert words in found[0]["message"]
    assert set(found[0]) == {"file", "line", "message"}


def test_a_correct_file_has_no_warning_and_without_a_corpus_one() -> None:
    gold, lines = [GOLD[0]], [GOOD]
    assert scored(PIPELINE, request(gold, lines, corpus=CORPUS))["warnings"] == []
    found = scored(PIPELINE, request(gold, lines))["warnings"]
    assert [w["line"] for w in found] == [None]
    assert "No corpus" in found[0]["message"]


OTHER_TASKS = [
    ("scifact_rationale_selection", {"claim_id": 1, "evidence": {"11": ["0"]}}, "int"),
    ("scifact_rationale_selection", GOOD | {"claim_id": 1}, "list of integers"),
    ("scifact_label_prediction", {"claim_id": 1, "labels": {"11": "SUPPORT"}}, "label"),
    (
        "scifact_label_prediction",
        {"claim_id": 1, "labels": {"11": {"label": "REFUTE"}}},
        "is CONTRADICT here",
    ),
    ("scifact_abstract_retrieval", {"claim_id": 1, "doc_ids": [1.0]}, "expected an id"),
    ("scifact_abstract_retrieval", {"claim_id": 1, "doc_ids": {}}, "list of document"),
    ("scifact_abstract_retrieval", GOOD | {"claim_id": 1}, "list of document ids"),
    ("scifact_label_accuracy_gold_inputs", {"claim_id": 1}, "labels is missing"),
]


@pytest.mark.parametrize(("task", "line", "words"), OTHER_TASKS)
def test_the_modules_name_their_errors(
    task: str, line: dict[str, Any], words: str
) -> None:
    found = refused(task, request([GOLD[0]], [line]))
    assert found[0][:3] == ("predictions", 1, 1)
    assert words in found[0][3]


def test_faults_of_gold_that_a_module_can_score_are_warnings() -> None:
    gold = [claim(1, d11=[([0], "SUPPORT"), ([0, 1], "CONTRADICT")])]
    line = {"claim_id": 1, "evidence": {"11": [0]}}
    result = scored("scifact_rationale_selection", request(gold, [line]))
    assert result["metrics"]["correct"] == 1
    assert sum(w["file"] == "gold" for w in result["warnings"]) == 2


def test_a_document_with_two_labels_stops_the_label_prediction() -> None:
    gold = [claim(1, d11=[([0], "SUPPORT"), ([1], "CONTRADICT")])]
    lines = [{"claim_id": 1, "labels": {"11": {"label": "SUPPORT"}}}]
    found = refused("scifact_label_prediction", request(gold, lines))
    assert "different labels" in found[0][3]


def test_a_claim_without_any_label_stops_the_accuracy_with_gold_inputs() -> None:
    gold = [claim(1, d11=[])]
    lines = [{"claim_id": 1, "labels": {"11": {"label": "SUPPORT"}}}]
    found = refused("scifact_label_accuracy_gold_inputs", request(gold, lines))
    assert "has no label" in found[0][3]


def test_a_claim_with_two_labels_stops_the_accuracy_with_gold_inputs() -> None:
    gold = [claim(1, d11=[([0], "SUPPORT")], d12=[([0], "CONTRADICT")])]
    lines = [{"claim_id": 1, "labels": {"11": {"label": "SUPPORT"}}}]
    found = refused("scifact_label_accuracy_gold_inputs", request(gold, lines))
    assert "two labels" in found[0][3]


def merge(rationales: list[Any], labels: list[Any]) -> Any:
    return refused("scifact_merge", request(GOLD[:1], rationales, labels=labels))


def test_files_that_do_not_belong_together_are_not_merged() -> None:
    selected = {"claim_id": 1, "evidence": {"11": [0]}}
    other = {"claim_id": 1, "labels": {"12": {"label": "SUPPORT"}}}
    found = merge([selected], [other])
    assert found[0][:3] == ("labels", 1, 1)
    assert "different documents" in found[0][3]
    found = merge([selected], [{"claim_id": 2, "labels": {}}])
    assert [(e[0], e[2]) for e in found] == [("labels", 2), ("labels", 1)]
    found = merge([selected, selected], [])
    assert found[0][:3] == ("predictions", 2, 1)


CORE_ERRORS = [
    (b"idx,label\n0,ENTAIL\n0,ENTAIL\n", b"idx,label\n0,ENTAIL\n", "by idx alone"),
    (b"idx,label\n0,entail\n", b"idx,label\n0,ENTAIL\n", "ENTAIL, CONTRADICT"),
    (b"idx,label\n0,ENTAIL\n", b"idx,label\n1,ENTAIL\n", "not in the gold"),
    (b"idx,label\n0,ENTAIL\n", b"idx,label\n0,ENTAIL\n0,ENTAIL\n", "already"),
    (b"idx,label\n0,ENTAIL\n1,ENTAIL\n", b"idx,label\n0,ENTAIL\n", "is missing"),
    (b"idx,label\n0,ENTAIL\n", b"idx;label\n0;ENTAIL\n", "semicolons"),
    (b"idx,label\n0,ENTAIL\n", b"idx,label\n0\n", "has 1 cells"),
    (b"idx,label\n0,ENTAIL\n", b"", "no rows"),
]


@pytest.mark.parametrize(("gold", "answers", "words"), CORE_ERRORS)
def test_core_names_its_errors(gold: bytes, answers: bytes, words: str) -> None:
    assert any(words in error[3] for error in refused("core", request(gold, answers)))


FEVER_ERRORS = [
    ({"predicted_label": "MAYBE", "predicted_evidence": []}, "expected SUPPORTS"),
    ({"predicted_label": "SUPPORTS"}, "predicted_evidence"),
    ({"predicted_label": "SUPPORTS", "predicted_evidence": [["A", "0"]]}, "integer"),
    ({"predicted_label": "SUPPORTS", "predicted_evidence": [[0, 0]]}, "page as text"),
    ({"predicted_label": "SUPPORTS", "predicted_evidence": [["A"]]}, "[page, line]"),
]


@pytest.mark.parametrize(("line", "words"), FEVER_ERRORS)
def test_fever_names_its_errors(line: dict[str, Any], words: str) -> None:
    gold = [{"id": 1, "label": "SUPPORTS", "evidence": [[[1, 2, "A", 0]]]}]
    found = refused("fever", request(gold, [{"id": 1} | line]))
    assert words in found[0][3]


AGREEMENT_ERRORS = [
    ([{"claim_id": 1, "annotator": "a"}], "label: expected text"),
    ([{"claim_id": 1, "label": "SUPPORT"}], "annotator: expected text"),
    ([{"claim_id": 1, "annotator": "a", "label": "S"}] * 2, "on line 1 already"),
    (
        [{"claim_id": 1, "annotator": "a", "label": "S", "sentences": [0]}],
        "n_sentences: expected",
    ),
    (
        [
            {
                "claim_id": 1,
                "annotator": "a",
                "label": "S",
                "sentences": [3],
                "n_sentences": 3,
            }
        ],
        "out of range",
    ),
    (
        [
            {
                "claim_id": 1,
                "annotator": who,
                "label": "S",
                "sentences": [],
                "n_sentences": size,
            }
            for who, size in (("a", 3), ("b", 4))
        ],
        "an earlier line",
    ),
]


def test_so_many_annotators_are_not_compared() -> None:
    lines = [
        {"claim_id": 1, "annotator": f"a{n}", "label": "SUPPORT"} for n in range(201)
    ]
    assert "more than 200" in refused("agreement", request(None, lines))[0][3]


@pytest.mark.parametrize(("lines", "words"), AGREEMENT_ERRORS)
def test_agreement_names_its_errors(lines: list[Any], words: str) -> None:
    assert words in refused("agreement", request(None, lines))[0][3]


def test_validation_needs_no_gold_labels() -> None:
    claims = [{"id": 1, "claim": "…"}, {"id": 2, "claim": "…"}]
    outcome = checked(PIPELINE, request(claims, [GOOD]))
    assert [error[2] for error in errors_of(outcome)] == [2]
    outcome = checked(PIPELINE, request(claims, [prediction(2), GOOD]))
    assert not outcome.errors
    assert len(outcome.warnings) == 1


def test_a_file_wrong_everywhere_is_counted_to_its_end() -> None:
    lines = b"x\n" * 30_000
    found = refused(PIPELINE, request(GOLD, lines))
    assert len(found) == 10_001
    assert "20,000 more" in found[-1][3]
