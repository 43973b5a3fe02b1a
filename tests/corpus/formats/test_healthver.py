"""HealthVer: one passage in each row is a document of one sentence."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from corpus.formats.csvfile import encode_row
from corpus.formats.healthver import COLUMNS
from corpus.records import Claim, Document, Evidence, ExternalId, Label, Rationale
from tests.corpus.formats.helpers import claims_reader, errors, only_record, read
from tests.paths import shared_file

S, C, N = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO
CLAIMS = claims_reader("healthver")
PASSAGE = "Tea is hot. It was <5 years old,\r\n“they” said."


def row(number: str = "3", label: str = "Supports", passage: str = PASSAGE) -> bytes:
    return encode_row([number, passage, "Tea helps ", label, "42", "Does tea help?"])


HEADER = encode_row(COLUMNS)


def test_a_row_is_a_claim_with_its_passage_as_one_sentence() -> None:
    document = ExternalId(f"healthver:{sha256(PASSAGE.encode()).hexdigest()[:16]}")
    assert only_record(CLAIMS, HEADER + row()) == Claim(
        id=ExternalId("3"),
        text="Tea helps ",
        evidence=(Evidence(document, S, (Rationale((0,)),)),),
        cited=(document,),
        documents=(Document(document, "", (PASSAGE,)),),
        extra={"topic_ip": "42", "question": "Does tea help?"},
    )


@pytest.mark.parametrize(
    ("word", "label", "rationales"),
    [
        ("Supports", S, (Rationale((0,)),)),
        ("Refutes", C, (Rationale((0,)),)),
        ("Neutral", N, ()),
    ],
)
def test_labels(word: str, label: Label, rationales: tuple[Rationale, ...]) -> None:
    (entry,) = only_record(CLAIMS, HEADER + row(label=word)).evidence
    assert (entry.label, entry.rationales) == (label, rationales)


def test_the_same_passage_is_the_same_document() -> None:
    found = read(CLAIMS, HEADER + row("1") + row("2", passage="Other."))
    ids = [result.record.documents[0].id for result in found]
    assert ids[0] != ids[1]
    again = only_record(CLAIMS, HEADER + row("9", label="Neutral"))
    assert again.documents[0].id == ids[0]


def test_wrong_rows_are_errors() -> None:
    (problem,) = errors(CLAIMS, HEADER + row(label="SUPPORTS"))
    assert "The word for SUPPORTS is Supports here." in problem.message
    (problem,) = errors(CLAIMS, HEADER + row() + row())
    assert "again on line 4" in problem.message
    (problem,) = errors(CLAIMS, HEADER + row(number=""))
    assert problem.field == "id"


@pytest.mark.parametrize(
    ("split", "counts", "passages"),
    [("dev", (533, 391, 993), 475), ("test", (671, 425, 727), 465)],
)
def test_the_published_files_have_the_published_counts(
    split: str, counts: tuple[int, int, int], passages: int
) -> None:
    data = shared_file(f"data/other/healthver/healthver_{split}.csv").read_bytes()
    claims = [result.record for result in read(CLAIMS, data)]
    labels = Counter(claim.evidence[0].label for claim in claims)
    assert (labels[S], labels[C], labels[N]) == counts
    assert len({claim.documents[0].id for claim in claims}) == passages
