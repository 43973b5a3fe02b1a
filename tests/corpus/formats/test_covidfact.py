"""COVID-Fact: ids come from the content, since the file has none."""

from __future__ import annotations

from collections import Counter

import pytest

from corpus.records import Evidence, Label, Rationale
from tests.corpus.formats.helpers import claims_reader, errors, jsonl, only_record, read
from tests.paths import shared_file

CLAIMS = claims_reader("covidfact")


def line(**changes: object) -> dict[str, object]:
    """Return a valid line with some fields replaced."""
    return {
        "claim": "Masks are warm.",
        "label": "SUPPORTED",
        "evidence": ["Masks warm faces.", " Indeed. "],
        "gold_source": "https://example.org/mask",
        "flair": "Preprint",
    } | changes


def ids(*values: dict[str, object]) -> list[str]:
    return [result.record.id.text for result in read(CLAIMS, jsonl(*values))]


def test_the_evidence_is_the_document_and_the_rationale() -> None:
    claim = only_record(CLAIMS, jsonl(line()))
    (document,) = claim.documents
    assert document.sentences == ("Masks warm faces.", " Indeed. ")
    assert claim.evidence == (
        Evidence(document.id, Label.SUPPORT, (Rationale((0, 1)),)),
    )
    assert claim.cited == (document.id,)
    assert claim.extra == {
        "gold_source": "https://example.org/mask",
        "flair": "Preprint",
    }


def test_an_id_does_not_depend_on_the_line_or_the_label() -> None:
    first, second = ids(line(), line(claim="Other."))
    moved = ids(line(claim="Other."), line(label="REFUTED"))
    assert moved == [second, first]


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "Masks are cold."},
        {"evidence": ["Masks warm faces."]},
        {"evidence": ["Masks warm faces.", " Indeed."]},
        {"gold_source": "https://example.org/other"},
    ],
)
def test_another_content_is_another_claim(changes: dict[str, object]) -> None:
    first, second = ids(line(), line(**changes))
    assert not second.startswith(first)


def test_a_repeated_line_gets_a_number() -> None:
    first, second, third = ids(line(), line(), line())
    assert (second, third) == (f"{first}-2", f"{first}-3")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"label": "SUPPORTS"}, "label"),
        ({"label": "NEI"}, "label"),
        ({"evidence": []}, "evidence"),
        ({"evidence": "Masks warm faces."}, "evidence"),
        ({"evidence": [1]}, "evidence[0]"),
        ({"claim": None}, "claim"),
    ],
)
def test_a_wrong_field_is_an_error(changes: dict[str, object], field: str) -> None:
    assert errors(CLAIMS, jsonl(line(**changes)))[0].field == field


def test_the_published_file_has_the_published_counts() -> None:
    data = shared_file("data/other/covidfact/COVIDFACT_dataset.jsonl").read_bytes()
    claims = [result.record for result in read(CLAIMS, data)]
    labels = Counter(claim.evidence[0].label for claim in claims)
    assert labels == {Label.SUPPORT: 1296, Label.CONTRADICT: 2790}
    assert len({claim.text for claim in claims}) == 4081
    assert {len(claim.documents[0].sentences) for claim in claims} == {1, 2, 3, 4, 5}
    names = [claim.id.text for claim in claims]
    assert len(set(names)) == 4086
    assert sum(name.endswith("-2") for name in names) == 5
