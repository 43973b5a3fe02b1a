"""The published files come back byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from corpus.formats.base import WriteOptions
from corpus.formats.registry import get_format
from corpus.records import Label, Rationale
from tests.corpus.formats.helpers import FOLDS, reads, records
from tests.paths import SHARED, shared_file

S, C = Label.SUPPORT, Label.CONTRADICT

BYTE_IDENTICAL = [
    ("scifact", "documents", "data/scifact/corpus.jsonl"),
    ("scifact", "claims", "data/scifact/claims_train.jsonl"),
    ("scifact", "claims", "data/scifact/claims_dev.jsonl"),
    ("scifact", "claims", "data/scifact/claims_test.jsonl"),
    *(("scifact", "claims", path) for path in FOLDS),
    ("check-covid", "documents", "data/check-covid/corpus.json"),
    ("check-covid", "claims", "data/check-covid/Check-COVID_all.json"),
    ("core", "claims", "data/core/train_mapped.csv"),
    ("core", "claims", "data/core/test_mapped.csv"),
]


def written(format_name: str, kind: str, items: Iterable[Any]) -> bytes:
    fmt = get_format(format_name)
    if kind == "documents":
        assert fmt.write_documents
        results = list(fmt.write_documents(items))
    else:
        assert fmt.write_claims
        results = list(fmt.write_claims(items, WriteOptions()))
    assert [problem for result in results for problem in result.problems] == []
    return b"".join(result.data for result in results)


@pytest.mark.parametrize(("format_name", "kind", "path"), BYTE_IDENTICAL)
def test_a_published_file_comes_back_byte_for_byte(
    format_name: str, kind: str, path: str
) -> None:
    items = records(format_name, kind, path)
    assert written(format_name, kind, items) == shared_file(path).read_bytes()


@pytest.mark.parametrize(("format_name", "kind", "path"), BYTE_IDENTICAL)
def test_the_last_position_is_the_size_of_the_file(
    format_name: str, kind: str, path: str
) -> None:
    last = reads(format_name, kind, shared_file(path))[-1]
    assert last.position == shared_file(path).stat().st_size


def test_every_other_check_covid_file_comes_back_equal_record_for_record() -> None:
    folder = shared_file("data/check-covid")
    paths = [p for p in sorted(folder.rglob("*.json")) if p.name != "corpus.json"]
    assert len(paths) == 22
    for path in paths:
        relative = str(path.relative_to(SHARED))
        data = written(
            "check-covid", "claims", records("check-covid", "claims", relative)
        )
        original = [json.loads(x) for x in path.read_bytes().split(b"\n") if x.strip()]
        assert [json.loads(line) for line in data.splitlines()] == original, path.name


def test_a_changed_record_changes_exactly_its_own_bytes() -> None:
    path = "data/scifact/claims_dev.jsonl"
    claims = records("scifact", "claims", path)
    place = next(n for n, claim in enumerate(claims) if claim.evidence)
    entry = claims[place].evidence[0]
    other = {S: C, C: S}[entry.label]
    changed = replace(entry, label=other, rationales=(Rationale((17,)),))
    claims[place] = replace(claims[place], evidence=(changed,))
    before = shared_file(path).read_bytes().split(b"\n")
    after = written("scifact", "claims", claims).split(b"\n")
    assert [n for n, line in enumerate(after) if line != before[n]] == [place]
    value = json.loads(before[place])
    document = entry.document.text
    value["evidence"] = {document: [{"sentences": [17], "label": other.value}]}
    assert after[place] == json.dumps(value).encode()
