"""Check-COVID: what a line may say, what is reported, and what is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.formats.base import WriteOptions
from corpus.formats.check_covid import FORMAT, write_documents
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Label,
    PairOrigin,
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
    severities,
    write_claim,
)

S, C, N, M = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.MIXED
CLAIMS = claims_reader("check-covid")
DOCUMENTS = documents_reader("check-covid")
P, SUP = SentenceRole.PRIMARY, SentenceRole.SUPPLEMENTARY


def line(**changes: object) -> dict[str, object]:
    """Return a valid claim line with some fields replaced."""
    return {
        "id": "ab_1",
        "claim": " Water is wet. ",
        "cord_id": "d1",
        "label": "REFUTE",
        "evidence_set": [sentence(2, "SUPPLEMENTARY"), sentence(1)],
        "is_auth": True,
    } | changes


def sentence(index: object, role: object = "PRIMARY") -> dict[str, object]:
    return {"sent_index": index, "type": role}


def test_a_claim_has_one_abstract_and_one_rationale_with_roles() -> None:
    claim = only_record(CLAIMS, jsonl(line()))
    assert claim == Claim(
        id=ExternalId("ab_1"),
        text=" Water is wet. ",
        kind=ClaimKind.EXTRACTED,
        evidence=(Evidence(ExternalId("d1"), C, (Rationale((2, 1), (SUP, P)),)),),
        cited=(ExternalId("d1"),),
    )


def test_a_composed_nei_claim_has_a_generated_pair_with_its_given_sentence() -> None:
    value = line(label="NOTENOUGHINFO", evidence_set=[sentence(0)], is_auth=False)
    claim = only_record(CLAIMS, jsonl(value))
    (entry,) = claim.evidence
    assert claim.kind is ClaimKind.COMPOSED
    assert (entry.label, entry.origin) == (N, PairOrigin.GENERATED)
    assert entry.rationales == (Rationale((0,), (P,)),)


def test_raw_and_escaped_text_read_alike_and_ascii_is_written() -> None:
    value = line(claim="“naïve” 💩")
    raw = json.dumps(value, ensure_ascii=False).encode()
    claim = only_record(CLAIMS, raw)
    assert claim == only_record(CLAIMS, jsonl(value))
    assert write_claim("check-covid", claim).data == jsonl(value)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"label": "CONTRADICT"}, "label", "The word for CONTRADICT is REFUTE here."),
        ({"label": "NOT_ENOUGH_INFO"}, "label", "is NOTENOUGHINFO here."),
        ({"label": None}, "label", "expected SUPPORT, REFUTE or NOTENOUGHINFO"),
        ({"is_auth": 1}, "is_auth", "expected true or false"),
        ({"is_auth": None}, "is_auth", "expected true or false"),
        ({"cord_id": None}, "cord_id", "expected a whole number or a non-empty text"),
        ({"evidence_set": None}, "evidence_set", "expected a list"),
        ({"evidence_set": [3]}, "evidence_set[0]", "expected an object"),
        ({"evidence_set": [sentence("1")]}, "evidence_set[0].sent_index", "number"),
        ({"evidence_set": [sentence(-1)]}, "evidence_set[0].sent_index", "negative"),
        ({"evidence_set": [sentence(1.0)]}, "evidence_set[0].sent_index", "decimal"),
        (
            {"evidence_set": [sentence(1, "MAIN")]},
            "evidence_set[0].type",
            "expected PRIMARY or SUPPLEMENTARY",
        ),
        ({"evidence_set": [sentence(1, 7)]}, "evidence_set[0].type", "expected text"),
    ],
)
def test_a_wrong_field_is_an_error(
    changes: dict[str, object], field: str, words: str
) -> None:
    (problem,) = errors(CLAIMS, jsonl(line(**changes)))
    assert problem.field == field
    assert words in problem.message


@pytest.mark.parametrize("missing", ["id", "claim", "cord_id", "label", "is_auth"])
def test_a_missing_field_is_an_error(missing: str) -> None:
    value = line()
    del value[missing]
    (problem,) = errors(CLAIMS, jsonl(value))
    assert (problem.field, "is missing" in problem.message) == (missing, True)


def test_records_without_an_id_do_not_count_as_repeated() -> None:
    value = line()
    del value["id"]
    problems = errors(CLAIMS, jsonl(value, value))
    assert [(p.line, p.field) for p in problems] == [(1, "id"), (2, "id")]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"evidence_set": []}, "evidence_set is empty"),
        ({"evidence_set": [sentence(1, "SUPPLEMENTARY")]}, "no PRIMARY sentence"),
        ({"evidence_set": [sentence(1), sentence(1)]}, "listed twice"),
        (
            {"label": "NOTENOUGHINFO", "evidence_set": [sentence(1), sentence(2)]},
            "one given sentence",
        ),
        ({"claim": ""}, "The claim has no text"),
        ({"evidence_set": [sentence(1) | {"who": "x"}]}, "is not kept"),
    ],
)
def test_a_quirk_is_accepted_with_a_warning(
    changes: dict[str, object], words: str
) -> None:
    data = jsonl(line(**changes))
    assert only_record(CLAIMS, data)
    (problem,) = problems(CLAIMS, data)
    assert words in problem.message


def test_an_empty_evidence_set_comes_back_with_a_warning() -> None:
    data = jsonl(line(evidence_set=[]))
    result = write_claim("check-covid", only_record(CLAIMS, data))
    assert (result.data, severities(result)) == (data, ["warning"])


def test_an_unlabelled_claim_has_neither_label_nor_evidence() -> None:
    value = {"id": "x_1", "claim": "c", "cord_id": "d1", "is_auth": False}
    claim = only_record(CLAIMS, jsonl(value))
    assert (claim.is_labelled, claim.cited) == (False, (ExternalId("d1"),))
    assert write_claim("check-covid", claim).data == jsonl(value)


def test_ids_used_twice_name_both_lines() -> None:
    (problem,) = errors(CLAIMS, jsonl(line(), line()))
    assert "line 1 and again on line 2" in problem.message
    document = {"cord_id": "d1", "title": "T", "abstract": []}
    (problem,) = errors(DOCUMENTS, jsonl(document, document))
    assert "line 1 and again on line 2" in problem.message


# --- writing claims of other formats --------------------------------------------


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


def test_a_claim_without_roles_is_written_as_primary_with_a_warning() -> None:
    result = write_claim("check-covid", claim_with(judged(C, (3, 1))))
    assert json.loads(result.data) == {
        "id": 1,
        "claim": "c",
        "cord_id": 5,
        "label": "REFUTE",
        "evidence_set": [sentence(3), sentence(1)],
        "is_auth": False,
    }
    assert severities(result) == ["warning"]


def test_several_rationales_are_an_error_unless_merged() -> None:
    claim = claim_with(judged(S, (4,), (2, 3)))
    assert severities(write_claim("check-covid", claim))[0] == "error"
    result = write_claim("check-covid", claim, WriteOptions(repair=True))
    assert json.loads(result.data)["evidence_set"] == [sentence(n) for n in (2, 3, 4)]
    assert severities(result) == ["warning", "warning"]


def test_merged_rationales_keep_their_roles() -> None:
    entry = Evidence(
        ExternalId("d"), S, (Rationale((4,), (SUP,)), Rationale((2,), (P,)))
    )
    result = write_claim("check-covid", claim_with(entry), WriteOptions(repair=True))
    assert json.loads(result.data)["evidence_set"] == [
        sentence(2),
        sentence(4, "SUPPLEMENTARY"),
    ]


def test_a_repeated_sentence_is_named_once_by_repair_and_kept_without() -> None:
    data = jsonl(line(evidence_set=[sentence(2, "SUPPLEMENTARY"), sentence(2)]))
    claim = only_record(CLAIMS, data)
    assert write_claim("check-covid", claim).data == data
    result = write_claim("check-covid", claim, WriteOptions(repair=True))
    assert json.loads(result.data)["evidence_set"] == [sentence(2, "SUPPLEMENTARY")]
    assert severities(result) == ["warning"]


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (
            claim_with(judged(S, (0,)), judged(S, (0,), document="6")),
            "two abstracts with evidence",
        ),
        (
            claim_with(judged(S, (0,)), cited=(ExternalId("5"), ExternalId("6"))),
            "a cited abstract besides the evidence",
        ),
        (claim_with(), "no abstract at all"),
        (claim_with(judged(S, (0,)), judged(S, (1,))), "two judgements"),
        (claim_with(judged(M)), "a label without a word"),
    ],
)
def test_what_is_not_one_abstract_with_one_label_is_an_error(
    claim: Claim, why: str
) -> None:
    result = write_claim("check-covid", claim, WriteOptions(repair=True))
    assert "error" in severities(result), why


def test_a_cited_abstract_without_evidence_is_not_enough_info() -> None:
    claim = claim_with(cited=(ExternalId("5", True),) * 2)
    result = write_claim("check-covid", claim)
    value = json.loads(result.data)
    assert (value["label"], value["evidence_set"]) == ("NOTENOUGHINFO", [])
    assert severities(result) == ["warning"]


def test_a_hypothesis_is_written_as_composed_with_a_warning() -> None:
    claim = claim_with(
        Evidence(ExternalId("d"), S, (Rationale((0,), (P,)),)),
        kind=ClaimKind.HYPOTHESIS,
        negates=ExternalId("7"),
    )
    result = write_claim("check-covid", claim)
    assert json.loads(result.data)["is_auth"] is False
    assert [problem.field for problem in result.problems] == ["kind", "negates"]


def test_the_structured_flag_of_an_abstract_is_reported_as_lost() -> None:
    document = Document(ExternalId("1", True), "T", ("A.",), structured=False)
    (result,) = write_documents([document])
    assert json.loads(result.data) == {"cord_id": 1, "title": "T", "abstract": ["A."]}
    assert [problem.field for problem in result.problems] == ["structured"]


def test_the_label_words_are_those_of_the_label_map() -> None:
    assert FORMAT.labels == {S: "SUPPORT", C: "REFUTE", N: "NOTENOUGHINFO"}
