"""SciFact: what a line may say, what is reported, and what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.formats.base import WriteOptions
from corpus.formats.scifact import FORMAT, write_documents
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Label,
    PairOrigin,
    Question,
    Rationale,
    SentenceRole,
)
from tests.corpus.formats.helpers import (
    claims_reader,
    documents_reader,
    errors,
    jsonl,
    only_record,
    problems,
    read,
    severities,
    write_claim,
)

S, C, N, M = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.MIXED
CLAIMS = claims_reader("scifact")
DOCUMENTS = documents_reader("scifact")


def line(**changes: object) -> dict[str, object]:
    """Return a valid claim line with some fields replaced."""
    return {"id": 1, "claim": "Water is wet.", "evidence": {}} | changes


def rationale(*sentences: object, label: object = "SUPPORT") -> dict[str, object]:
    return {"sentences": list(sentences), "label": label}


def document_line(**changes: object) -> dict[str, object]:
    """Return a valid document line with some fields replaced."""
    return {"doc_id": 1, "title": "T", "abstract": ["A.", "B."]} | changes


def test_ids_keep_their_type_and_evidence_takes_it_from_the_citation() -> None:
    claim = only_record(
        CLAIMS,
        jsonl(line(evidence={"7": [rationale(0)]}, cited_doc_ids=[7, "08"])),
    )
    assert claim.id == ExternalId("1", True)
    assert claim.cited == (ExternalId("7", True), ExternalId("08"))
    assert claim.evidence == (
        Evidence(ExternalId("7", True), S, (Rationale((0,)),), PairOrigin.IMPORTED),
    )


@pytest.mark.parametrize(
    "bad", [7.0, True, None, "", [], {}, 1.5, False], ids=lambda value: repr(value)
)
def test_an_id_must_be_a_whole_number_or_a_text(bad: object) -> None:
    (problem,) = errors(CLAIMS, jsonl(line(id=bad)))
    assert problem.field == "id"
    assert problem.expected == "a whole number or a non-empty text"
    (problem,) = errors(DOCUMENTS, jsonl(document_line(doc_id=bad)))
    assert problem.field == "doc_id"


def test_an_id_used_twice_names_both_lines() -> None:
    data = jsonl(line(id=7), line(id=8)) + b"\n" + jsonl(line(id="7"))
    (problem,) = errors(CLAIMS, data)
    assert problem.line == 4
    assert "line 1 and again on line 4" in problem.message
    (problem,) = errors(DOCUMENTS, jsonl(document_line(), document_line(title="U")))
    assert "line 1 and again on line 2" in problem.message


def test_seven_and_double_o_seven_are_different_ids() -> None:
    assert errors(CLAIMS, jsonl(line(id=7), line(id="007"), line(id="7 "))) == []


def test_an_evidence_object_with_a_key_twice_is_an_error() -> None:
    entry = '[{"sentences": [0], "label": "SUPPORT"}]'
    data = f'{{"id": 1, "claim": "c", "evidence": {{"11": {entry}, "11": {entry}}}}}'
    (problem,) = errors(CLAIMS, data.encode())
    assert "The key 11 occurs twice" in problem.message


def test_a_report_stays_short_however_long_the_key() -> None:
    evidence = {"k" * 1_000_000: [rationale("x" * 1_000_000, label="y" * 1_000_000)]}
    for problem in problems(CLAIMS, jsonl(line(evidence=evidence, cited_doc_ids=[]))):
        assert len(problem.message) <= 1000
        assert len(problem.field) <= 200
        assert len(problem.value) <= 200


def test_all_problems_of_a_line_are_reported() -> None:
    bad = {
        "id": 1.5,
        "evidence": {"5": [rationale(0, "1", label="REFUTES"), rationale(-1, 2.0)]},
        "cited_doc_ids": [True],
    }
    fields = [problem.field for problem in errors(CLAIMS, jsonl(bad))]
    assert fields == [
        "id",
        "claim",
        "cited_doc_ids[0]",
        "evidence.5[0].label",
        "evidence.5[0].sentences[1]",
        "evidence.5[1].sentences[0]",
        "evidence.5[1].sentences[1]",
    ]


@pytest.mark.parametrize("bad", ["0", 0.0, 1.5, True, None, [0], -1])
def test_a_sentence_index_must_be_a_whole_number_from_0(bad: object) -> None:
    evidence = {"5": [rationale(0, 1, bad)]}
    (problem,) = errors(CLAIMS, jsonl(line(evidence=evidence)))
    assert problem.field == "evidence.5[0].sentences[2]"
    assert problem.expected == "a whole number from 0"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("SUPPORTS", "The word for SUPPORTS is SUPPORT here."),
        ("REFUTES", "The word for REFUTES is CONTRADICT here."),
        ("REFUTE", "The word for REFUTE is CONTRADICT here."),
        ("support", "The word for support is SUPPORT here."),
        ("NOT_ENOUGH_INFO", "A pair without enough information has no entry here."),
        ("<b>x</b>", ""),
        (None, ""),
        (1, ""),
    ],
)
def test_another_label_word_names_the_allowed_ones(word: object, hint: str) -> None:
    evidence = {"5": [rationale(0, label=word)]}
    (problem,) = errors(CLAIMS, jsonl(line(evidence=evidence)))
    expected = "SUPPORT or CONTRADICT"
    assert problem.expected == expected
    message = f"evidence.5[0].label: expected {expected}. {hint}".strip()
    assert problem.message == message


@pytest.mark.parametrize(
    ("evidence", "field", "words"),
    [
        (
            {"5": [rationale(0), rationale(1, label="CONTRADICT")]},
            "evidence.5",
            "different labels",
        ),
        ({"5": []}, "evidence.5", "there is no label"),
        ({"5": {}}, "evidence.5", "Choose the format scifact-open"),
        ({"5": [[0]]}, "evidence.5[0]", "expected an object, found a list"),
        ({"5": "x"}, "evidence.5", "expected a list of objects, found text"),
        ({"": [rationale(0)]}, "evidence", "a document id is empty"),
        ({"5": [{"label": "SUPPORT"}]}, "evidence.5[0].sentences", "is missing"),
        ({"5": [{"sentences": [0]}]}, "evidence.5[0].label", "is missing"),
        ([], "evidence", "expected an object, found a list"),
        (None, "evidence", "expected an object, found null"),
    ],
)
def test_evidence_of_another_shape_is_an_error(
    evidence: object, field: str, words: str
) -> None:
    (problem,) = errors(CLAIMS, jsonl(line(evidence=evidence)))
    assert problem.field == field
    assert words in problem.message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"evidence": {"5": [rationale()]}}, "the rationale is empty"),
        ({"evidence": {"5": [rationale(1, 1)]}}, "a sentence is listed twice"),
        ({"evidence": {"5": [rationale(1), rationale(1, 2)]}}, "in two rationales"),
        ({"evidence": {"5": [rationale(0, 1, 2, 3)]}}, "more than 3 sentences"),
        ({"evidence": {"5": [rationale(n) for n in range(4)]}}, "4 rationales"),
        ({"evidence": {"6": [rationale(1)]}}, "is not in cited_doc_ids"),
        ({"evidence": {"5": [rationale(1) | {"note": 1}]}}, "is not kept"),
        ({"cited_doc_ids": [5, 5]}, "a document is cited twice"),
        ({"claim": " "}, "The claim has no text"),
        ({"label": "SUPPORT"}, "not read as a label"),
    ],
)
def test_a_quirk_is_accepted_with_a_warning(
    changes: dict[str, object], words: str
) -> None:
    data = jsonl(line(cited_doc_ids=[5]) | changes)
    assert only_record(CLAIMS, data)
    (problem,) = problems(CLAIMS, data)
    assert words in problem.message


def test_sentences_of_a_rationale_keep_their_order_and_repeats() -> None:
    evidence = {"5": [rationale(4, 1, 4)]}
    claim = only_record(CLAIMS, jsonl(line(evidence=evidence, cited_doc_ids=[5])))
    assert claim.evidence[0].rationales == (Rationale((4, 1, 4)),)


def test_a_line_without_evidence_is_unlabelled() -> None:
    data = jsonl({"id": 1, "claim": "c"})
    claim = only_record(CLAIMS, data)
    assert (claim.is_labelled, claim.cited) == (False, None)
    assert write_claim("scifact", claim).data == data


def test_an_empty_evidence_object_is_labelled_without_evidence() -> None:
    claim = only_record(CLAIMS, jsonl(line(cited_doc_ids=[5])))
    assert (claim.is_labelled, claim.evidence) == (True, ())


def test_further_fields_are_kept_in_order_and_written_after_the_known_ones() -> None:
    value = {"z": 1, "id": 1, "doc_ids": [3, 2], "claim": "c", "a": {"b": [None, 0.5]}}
    claim = only_record(CLAIMS, jsonl(value))
    assert list(claim.extra) == ["z", "doc_ids", "a"]
    result = write_claim("scifact", claim)
    assert result.data == (
        b'{"id": 1, "claim": "c", "z": 1, "doc_ids": [3, 2], "a": {"b": [null, 0.5]}}\n'
    )
    assert severities(result) == ["warning"]  # verisci refuses further fields


def test_the_hugging_face_layout_is_refused_once_with_advice() -> None:
    row = {"id": 1, "claim": "c", "evidence_doc_id": "5", "evidence_label": "SUPPORT"}
    (result,) = read(CLAIMS, jsonl(row, row | {"id": 2}))
    (problem,) = result.problems
    assert "one row per rationale" in problem.message
    assert "claims_train.jsonl" in problem.message


# --- documents ------------------------------------------------------------------


def test_a_document_keeps_every_sentence_as_it_is() -> None:
    sentences = ["", "  ", " A. ", "B.\r\nC.", "p<0.05 &lt;b>", "\ufeffx\u2028y"]
    value = document_line(abstract=sentences, structured=False, pmid="9")
    document = only_record(DOCUMENTS, jsonl(value))
    assert document.sentences == tuple(sentences)
    assert (document.structured, document.extra) == (False, {"pmid": "9"})
    (result,) = write_documents([document])
    assert json.loads(result.data) == value
    assert result.problems == ()


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"abstract": "A. B."}, "abstract", "expected a list of texts, found text"),
        ({"abstract": ["A.", None]}, "abstract[1]", "expected text, found null"),
        ({"abstract": None}, "abstract", "expected a list of texts, found null"),
        ({"title": 7}, "title", "expected text, found a whole number"),
        ({"structured": 1}, "structured", "expected true or false"),
    ],
)
def test_a_document_of_another_shape_is_an_error(
    changes: dict[str, object], field: str, words: str
) -> None:
    (problem,) = errors(DOCUMENTS, jsonl(document_line(**changes)))
    assert problem.field == field
    assert words in problem.message


def test_a_document_without_an_abstract_is_accepted_and_comes_back() -> None:
    data = jsonl(document_line(abstract=[]))
    (result,) = write_documents([only_record(DOCUMENTS, data)])
    assert result.data == data


def test_an_abstract_that_was_never_split_cannot_be_written() -> None:
    (result,) = write_documents([Document(ExternalId("1"), "T", text="A. B.")])
    assert severities(result) == ["error"]


def test_fields_that_a_corpus_file_cannot_hold_are_reported() -> None:
    document = Document(ExternalId("1"), "T", ("A.",), doi="10.1/x", authors=("B",))
    (result,) = write_documents([document])
    assert [problem.field for problem in result.problems] == ["doi", "authors"]
    assert json.loads(result.data) == document_line(doc_id="1", abstract=["A."])


# --- writing gold ---------------------------------------------------------------


def claim_with(*evidence: Evidence, **changes: Any) -> Claim:
    values: dict[str, Any] = {
        "id": ExternalId("1", True),
        "text": "c",
        "evidence": evidence,
    }
    return Claim(**(values | changes))


def judged(label: Label, *rationales: tuple[int, ...], document: str = "5") -> Evidence:
    return Evidence(
        ExternalId(document, True), label, tuple(map(Rationale, rationales))
    )


@pytest.mark.parametrize(
    ("evidence", "repaired", "why"),
    [
        ([judged(S, (0, 1), (1, 2))], [[0, 1, 2]], "overlapping rationales merge"),
        ([judged(S, (5,), (1, 2), (2, 5))], [[1, 2, 5]], "chains of overlaps merge"),
        ([judged(S, (3,), (1, 2), (2, 4))], [[3], [1, 2, 4]], "others stay"),
        ([judged(S, (), (1,))], [[1]], "an empty rationale is dropped"),
        ([judged(S, (2, 0, 2))], [[2, 0]], "a repeated index is named once"),
        ([judged(S, (1,)), judged(S, (1, 2))], [[1, 2]], "one abstract twice"),
    ],
)
def test_gold_that_breaks_evaluators_is_an_error_unless_repaired(
    evidence: list[Evidence], repaired: list[list[int]], why: str
) -> None:
    claim = claim_with(*evidence)
    refused = write_claim("scifact", claim)
    assert set(severities(refused)) == {"error"}, why
    mended = write_claim("scifact", claim, WriteOptions(repair=True))
    assert set(severities(mended)) == {"warning"}
    assert json.loads(mended.data)["evidence"] == {
        "5": [{"sentences": sentences, "label": "SUPPORT"} for sentences in repaired]
    }


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        ([judged(S)], "a label without a rationale"),
        ([judged(C, ())], "nothing is left after dropping empty rationales"),
        ([judged(S, (0,)), judged(C, (1,))], "two labels for one abstract"),
        ([judged(S, (0,)), judged(N)], "a label and its absence"),
        ([judged(M, (0,))], "a label without a word"),
    ],
)
def test_some_gold_cannot_be_repaired(evidence: list[Evidence], why: str) -> None:
    for repair in (False, True):
        result = write_claim(
            "scifact", claim_with(*evidence), WriteOptions(repair=repair)
        )
        assert "error" in severities(result), why


def test_mixed_is_written_only_with_a_map_and_says_so() -> None:
    claim = claim_with(judged(M), cited=(ExternalId("5", True),))
    result = write_claim("scifact", claim, WriteOptions(label_map={M: N}))
    assert severities(result) == ["warning"]
    assert json.loads(result.data) == line(claim="c", cited_doc_ids=[5])


def test_a_map_never_changes_a_label_that_the_format_has() -> None:
    claim = claim_with(judged(S, (0,)), cited=(ExternalId("5", True),))
    result = write_claim("scifact", claim, WriteOptions(label_map={S: C}))
    assert json.loads(result.data)["evidence"]["5"][0]["label"] == "SUPPORT"


def test_not_enough_info_becomes_a_citation_and_its_sentence_is_reported() -> None:
    result = write_claim("scifact", claim_with(judged(N, (3,))))
    assert json.loads(result.data) == line(claim="c", cited_doc_ids=[5])
    assert severities(result) == ["warning"]
    assert "sentences of a NOT ENOUGH INFO pair" in result.problems[0].message


def test_a_not_enough_info_pair_that_is_not_cited_is_added_with_a_warning() -> None:
    claim = claim_with(judged(N), cited=(ExternalId("9", True),))
    result = write_claim("scifact", claim)
    assert json.loads(result.data)["cited_doc_ids"] == [9, 5]
    assert severities(result) == ["warning"]


def test_a_claim_that_does_not_say_what_it_cites_gets_its_evidence_cited() -> None:
    result = write_claim("scifact", claim_with(judged(S, (0,))))
    assert json.loads(result.data)["cited_doc_ids"] == [5]
    assert severities(result) == []


def test_unlabelled_claims_are_written_without_evidence() -> None:
    claim = claim_with(judged(S, (0,)), is_labelled=False)
    result = write_claim("scifact", claim)
    assert json.loads(result.data) == {"id": 1, "claim": "c"}
    assert severities(result) == ["warning"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": ClaimKind.EXTRACTED}, "kind"),
        ({"negates": ExternalId("4")}, "negates"),
        ({"question": Question("R", "Why?")}, "question"),
    ],
)
def test_what_a_claim_line_cannot_hold_is_reported(
    changes: dict[str, object], field: str
) -> None:
    result = write_claim("scifact", claim_with(cited=(), **changes))
    assert [problem.field for problem in result.problems] == [field]
    assert json.loads(result.data) == line(claim="c", cited_doc_ids=[])


def test_what_a_pair_cannot_hold_is_reported() -> None:
    roles = (SentenceRole.PRIMARY,)
    entry = Evidence(
        ExternalId("5"), S, (Rationale((0,), roles),), extra={"votes": [1]}
    )
    result = write_claim("scifact", claim_with(entry))
    assert severities(result) == ["warning", "warning"]
    assert "votes" in result.problems[0].message
    assert "primary and supplementary" in result.problems[1].message


def test_the_label_words_are_those_of_the_label_map() -> None:
    assert FORMAT.labels == {S: "SUPPORT", C: "CONTRADICT", N: "NOT_ENOUGH_INFO"}
