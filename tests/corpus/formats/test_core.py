"""CoRe: what a row may say, what is reported, and what is written."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from corpus.formats.base import WriteOptions
from corpus.formats.core import COLUMNS, FORMAT, write_claims
from corpus.formats.csvfile import encode_row
from corpus.records import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    ExternalId,
    Label,
    Question,
    Rationale,
)
from tests.corpus.formats.helpers import (
    claims_reader,
    errors,
    only_record,
    problems,
    read,
    severities,
    write_claim,
)

S, C, N, M = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.MIXED
CLAIMS = claims_reader("core")

ROW = {
    "idx": "4",
    "hypothesis": "DOES RAIN MAKE PEOPLE SAD?",
    "declarative": "RAIN MAKES PEOPLE SAD ",
    "label": "INCONCLUSIVE",
    "ref_id": "rId1",
    "url": "https://example.org/rain",
    "ref_txt": "Drop & Cloud, 2020",
    "doi": "https://doi.org/10.1234/Rain",
    "title": "",
    "abstract_collected": 'We asked "many" people, twice.',
    "file": "Weather and Mood",
}


def table(*rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> bytes:
    cells = [[row[column] for column in columns] for row in rows]
    return b"".join(map(encode_row, [columns, *cells]))


def test_a_row_is_one_hypothesis_with_its_study() -> None:
    claim = only_record(CLAIMS, table(ROW))
    abstract = ROW["abstract_collected"]
    key = sha256(f"\0{abstract}".encode()).hexdigest()[:16]
    document = ExternalId(f"core:{key}")
    reference = {name: ROW[name] for name in ("ref_id", "url", "ref_txt", "doi")}
    assert claim == Claim(
        id=ExternalId("Weather and Mood#4"),
        text="RAIN MAKES PEOPLE SAD ",
        kind=ClaimKind.HYPOTHESIS,
        evidence=(Evidence(document, M, extra=reference),),
        cited=(document,),
        question=Question("Weather and Mood", "DOES RAIN MAKE PEOPLE SAD?"),
        documents=(
            Document(document, "", text=abstract, doi="10.1234/Rain", url=ROW["url"]),
        ),
    )


@pytest.mark.parametrize(
    ("word", "label"), [("ENTAIL", S), ("CONTRADICT", C), ("INCONCLUSIVE", M)]
)
def test_inconclusive_is_mixed_and_never_not_enough_info(
    word: str, label: Label
) -> None:
    claim = only_record(CLAIMS, table(ROW | {"label": word}))
    assert claim.evidence[0].label is label


def test_the_same_abstract_with_other_references_is_one_document() -> None:
    other = ROW | {"idx": "5", "ref_id": "rId2", "url": "http://x", "doi": "n/a"}
    data = table(ROW, other)
    first, second = (result.record for result in read(CLAIMS, data))
    assert first.documents == second.documents
    assert second.evidence[0].extra["url"] == "http://x"
    results = list(write_claims([first, second], WriteOptions()))
    assert b"".join(result.data for result in results) == data


def test_title_and_abstract_are_not_mixed_up_in_the_document_id() -> None:
    data = table(
        ROW | {"title": "ab", "abstract_collected": "c"},
        ROW | {"idx": "5", "title": "a", "abstract_collected": "bc"},
    )
    assert len({result.record.documents[0].id for result in read(CLAIMS, data)}) == 2


def test_idx_must_be_unique_within_its_topic_only() -> None:
    assert errors(CLAIMS, table(ROW, ROW | {"file": "Other"})) == []
    (problem,) = errors(CLAIMS, table(ROW, ROW))
    assert "line 2 and again on line 3" in problem.message


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"label": "SUPPORT"}, "label", "The word for SUPPORT is ENTAIL here."),
        ({"label": "entail"}, "label", "expected ENTAIL, CONTRADICT or INCONCLUSIVE"),
        ({"label": "NEI"}, "label", "without enough information has no entry"),
        ({"idx": ""}, "idx", "expected a row number"),
        ({"idx": "1#2"}, "idx", "expected a row number"),
    ],
)
def test_a_wrong_cell_is_an_error(
    changes: dict[str, str], field: str, words: str
) -> None:
    (problem,) = errors(CLAIMS, table(ROW | changes))
    assert (problem.line, problem.field) == (2, field)
    assert words in problem.message


@pytest.mark.parametrize("empty", ["abstract_collected", "declarative"])
def test_an_empty_text_is_accepted_with_a_warning(empty: str) -> None:
    data = table(ROW | {empty: " "})
    assert only_record(CLAIMS, data)
    (problem,) = problems(CLAIMS, data)
    assert problem.field == empty


def test_a_topic_with_a_number_sign_is_parted_at_the_last_one() -> None:
    data = table(ROW | {"file": "Topic #1"})
    claim = only_record(CLAIMS, data)
    assert claim.id.text == "Topic #1#4"
    results = list(write_claims([claim], WriteOptions()))
    assert b"".join(result.data for result in results) == data


def test_a_row_without_a_label_is_unlabelled_and_comes_back() -> None:
    data = table(ROW | {"label": ""})
    claim = only_record(CLAIMS, data)
    assert (claim.is_labelled, claim.evidence) == (False, ())
    results = list(write_claims([claim], WriteOptions()))
    assert b"".join(result.data for result in results) == data
    assert [problem for result in results for problem in result.problems] == []


def test_an_abstract_of_several_lines_comes_back() -> None:
    data = table(ROW | {"abstract_collected": 'One.\r\n\r\n"Two",\rthree\n'})
    results = list(write_claims([only_record(CLAIMS, data)], WriteOptions()))
    assert b"".join(result.data for result in results) == data


def test_a_further_column_is_kept_and_its_loss_reported() -> None:
    columns = (*COLUMNS, "note")
    claim = only_record(CLAIMS, table(ROW | {"note": "n"}, columns=columns))
    assert claim.extra == {"note": "n"}
    result = write_claim("core", claim)
    assert [problem.field for problem in result.problems] == ["note"]


# --- writing --------------------------------------------------------------------


def claim_with(*evidence: Evidence, **changes: Any) -> Claim:
    values: dict[str, Any] = {
        "id": ExternalId("T#1"),
        "text": "H",
        "kind": ClaimKind.HYPOTHESIS,
        "question": Question("T", "Q?"),
        "evidence": evidence,
        "documents": (
            Document(ExternalId("d"), "Title", ("A.", "B."), doi="10.1/x", url="u"),
        ),
    }
    return Claim(**(values | changes))


def judged(label: Label, *rationales: Rationale) -> Evidence:
    return Evidence(ExternalId("d"), label, rationales)


def test_a_claim_made_here_takes_its_reference_from_the_document() -> None:
    result = write_claim("core", claim_with(judged(C)))
    assert result.data == b"1,Q?,H,CONTRADICT,,u,,10.1/x,Title,A. B.,T\n"
    assert severities(result) == []


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (claim_with(judged(N)), "NOT ENOUGH INFO has no word"),
        (claim_with(judged(S), judged(S)), "two judgements"),
        (claim_with(judged(S), cited=(ExternalId("e"),)), "two abstracts"),
        (claim_with(), "a labelled claim without a judgement"),
        (claim_with(judged(S), documents=()), "no abstract"),
    ],
)
def test_what_does_not_fit_in_a_row_is_an_error(claim: Claim, why: str) -> None:
    assert "error" in severities(write_claim("core", claim)), why


def test_not_enough_info_is_written_only_with_a_map() -> None:
    options = WriteOptions(label_map={N: M})
    result = write_claim("core", claim_with(judged(N)), options)
    assert b",INCONCLUSIVE," in result.data
    assert severities(result) == ["warning"]


def test_what_a_row_cannot_hold_is_reported() -> None:
    claim = claim_with(
        judged(S, Rationale((0,))),
        id=ExternalId("9"),
        kind=ClaimKind.COMPOSED,
        question=Question("T", "Q?", chapter="2"),
        negates=ExternalId("8"),
    )
    result = write_claim("core", claim)
    fields = [problem.field for problem in result.problems]
    assert fields == ["kind", "negates", "chapter", "idx", "label"]
    assert result.data.startswith(b"9,Q?,H,ENTAIL,")


def test_what_a_row_cannot_hold_of_an_abstract_is_reported() -> None:
    document = Document(
        ExternalId("d"), "T", ("A.",), structured=True, pmid="7", extra={"year": 2019}
    )
    result = write_claim("core", claim_with(judged(S), documents=(document,)))
    fields = [problem.field for problem in result.problems]
    assert fields == ["structured", "pmid", "year"]


def test_a_cell_that_starts_a_formula_is_written_unchanged_with_a_warning() -> None:
    result = write_claim("core", claim_with(judged(S), text="=1+1"))
    assert result.data.startswith(b"1,Q?,=1+1,ENTAIL")
    assert [problem.field for problem in result.problems] == ["declarative"]


def test_the_header_is_a_record_without_an_id() -> None:
    (header,) = write_claims([], WriteOptions())
    assert (header.record_id, header.data) == ("", encode_row(COLUMNS))


def test_the_label_words_are_those_of_the_label_map() -> None:
    assert FORMAT.labels == {S: "ENTAIL", C: "CONTRADICT", M: "INCONCLUSIVE"}
    assert FORMAT.ships_documents
