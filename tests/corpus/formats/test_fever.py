"""FEVER: evidence sets as rationales of pages, and pages as documents."""

from __future__ import annotations

import pytest

from corpus.formats.fever import decoded_title
from corpus.records import Evidence, ExternalId, Label, Rationale
from tests.corpus.formats.helpers import (
    claims_reader,
    documents_reader,
    errors,
    jsonl,
    only_record,
    problems,
    read,
)

CLAIMS = claims_reader("fever")
PAGES = documents_reader("fever")


def line(*sets: object, label: object = "SUPPORTS") -> bytes:
    return jsonl(
        {
            "id": 7,
            "verifiable": "VERIFIABLE",
            "label": label,
            "claim": "The lamp is in the tower.",
            "evidence": list(sets),
        }
    )


def test_sets_on_one_page_are_its_rationales() -> None:
    claim = only_record(
        CLAIMS,
        line(
            [[1, 10, "Lamp_-LRB-light-RRB-", 0]],
            [[2, 11, "Tower", 3]],
            [[3, 12, "Lamp_-LRB-light-RRB-", 4], [3, 13, "Lamp_-LRB-light-RRB-", 2]],
        ),
    )
    assert claim.evidence == (
        Evidence(
            ExternalId("Lamp_-LRB-light-RRB-"),
            Label.SUPPORT,
            (Rationale((0,)), Rationale((4, 2))),
            extra={"annotations": [[[[1, 10]]], [[[3, 12], [3, 13]]]]},
        ),
        Evidence(
            ExternalId("Tower"),
            Label.SUPPORT,
            (Rationale((3,)),),
            extra={"annotations": [[[[2, 11]]]]},
        ),
    )
    assert claim.extra == {"verifiable": "VERIFIABLE", "label": "SUPPORTS"}


def test_the_same_set_by_two_annotators_is_one_rationale() -> None:
    (entry,) = only_record(
        CLAIMS, line([[1, 10, "Lamp", 0]], [[2, 20, "Lamp", 0]])
    ).evidence
    assert entry.rationales == (Rationale((0,)),)
    assert entry.extra == {"annotations": [[[[1, 10]], [[2, 20]]]]}


def test_a_set_across_pages_is_kept_whole_and_reported() -> None:
    across = [[1, 10, "Lamp", 0], [1, 11, "Tower", 2]]
    data = line(across, [[2, 12, "Tower", 1]], label="REFUTES")
    claim = only_record(CLAIMS, data)
    assert [entry.document.text for entry in claim.evidence] == ["Tower"]
    assert claim.evidence[0].rationales == (Rationale((1,)),)
    assert claim.extra["evidence_across_pages"] == [across]
    (problem,) = problems(CLAIMS, data)
    assert "span several pages" in problem.message


def test_not_enough_info_names_no_page() -> None:
    data = line([[1, None, None, None]], label="NOT ENOUGH INFO")
    claim = only_record(CLAIMS, data)
    assert (claim.is_labelled, claim.evidence, claim.cited) == (True, (), None)
    assert problems(CLAIMS, data) == []


def test_a_test_file_is_unlabelled() -> None:
    claim = only_record(CLAIMS, jsonl({"id": 7, "claim": "c"}))
    assert (claim.is_labelled, claim.extra) == (False, {})


@pytest.mark.parametrize(
    ("sets", "field"),
    [
        (["x"], "evidence[0]"),
        ([["x"]], "evidence[0][0]"),
        ([[[1, 2, "Lamp"]]], "evidence[0][0]"),
        ([[[1, 2, "Lamp", "0"]]], "evidence[0][0]"),
        ([[[1, 2, "Lamp", True]]], "evidence[0][0]"),
        ([[[1, 2, "Lamp", -1]]], "evidence[0][0]"),
        ([[[1, 2, "", 0]]], "evidence[0][0]"),
        ([[[1, 2, None, 0]]], "evidence[0][0]"),
        ([[[1, 2, "Lamp", 0]], [[1, 2, "Lamp", None]]], "evidence[1][0]"),
    ],
)
def test_a_wrong_evidence_set_is_an_error(sets: list[object], field: str) -> None:
    (problem,) = errors(CLAIMS, line(*sets))
    assert problem.field == field


@pytest.mark.parametrize(
    ("word", "hint"),
    [("NOT_ENOUGH_INFO", "is NOT ENOUGH INFO here"), ("CONTRADICT", "is REFUTES here")],
)
def test_another_label_word_is_an_error(word: str, hint: str) -> None:
    (problem,) = errors(CLAIMS, line(label=word))
    assert hint in problem.message


def test_ids_used_twice_name_both_lines() -> None:
    (problem,) = errors(CLAIMS, line() + line())
    assert "line 1 and again on line 2" in problem.message


# --- pages ----------------------------------------------------------------------


def page(lines: str, name: str = "Lamp_-LRB-light-RRB-") -> bytes:
    return jsonl({"id": name, "text": "whatever", "lines": lines})


def test_a_page_keeps_its_name_and_its_numbered_sentences() -> None:
    document = only_record(PAGES, page("0\tA lamp .\tLamp\tLamp\n1\t\n2\tIt shines ."))
    assert document.id == ExternalId("Lamp_-LRB-light-RRB-")
    assert document.title == "Lamp (light)"
    assert document.sentences == ("A lamp .", "", "It shines .")


def test_a_line_end_inside_a_sentence_does_not_shift_the_numbers() -> None:
    document = only_record(PAGES, page("0\tA\nlamp .\tLink\n1\tB .\n2"))
    assert document.sentences == ("A\nlamp .", "B .", "")


def test_a_page_whose_numbers_do_not_count_up_is_an_error() -> None:
    (problem,) = errors(PAGES, page("0\tA .\n2\tB ."))
    assert problem.field == "lines[1]"


def test_the_placeholder_at_the_start_of_a_dump_is_passed_over() -> None:
    empty = jsonl({"id": "", "text": "", "lines": ""})
    found = read(PAGES, empty + page("0\tA ."))
    assert [result.line for result in found] == [2]


def test_a_page_without_sentences_is_accepted() -> None:
    assert only_record(PAGES, page("")).sentences == ()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Lamp", "Lamp"),
        ("A_B_-LRB-c-RRB-", "A B (c)"),
        ("X-COLON-_Y-LSB-1-RSB-", "X: Y[1]"),
        ("-LCB--RCB-", "{}"),
        ("Z-lrb-", "Z-lrb-"),
        ("Zoë", "Zoë"),
    ],
)
def test_only_the_title_is_decoded(name: str, title: str) -> None:
    assert decoded_title(name) == title
