"""Published files through the database and back, byte for byte.

Nothing of a source line is stored, so each file is made anew from its rows: a
changed row changes exactly its own bytes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.models import Judgement, Pair, Rationale
from corpus.models import Document
from tests.annotation import transfers
from tests.paths import SHARED, shared_file

pytestmark = pytest.mark.django_db

CHECK_COVID = "data/check-covid"
# Relative to the folder; read where the data exists, so that collecting needs none.
CHECK_COVID_FILES = sorted(
    str(path.relative_to(SHARED / CHECK_COVID))
    for path in (SHARED / CHECK_COVID).rglob("covidCheck_*.json")
) or ["missing"]


def records_of(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


@pytest.mark.slow
def test_scifact_comes_back_byte_for_byte(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    corpus = shared_file("data/scifact/corpus.jsonl")
    assert transfers.import_corpus(corpus).counts["new"] == 5183
    transfers.export_corpus(out)
    assert out.read_bytes() == corpus.read_bytes()

    for split, count in (("train", 809), ("dev", 300), ("test", 300)):
        claims = shared_file(f"data/scifact/claims_{split}.jsonl")
        outcome = transfers.import_claims(claims, "--split", split)
        assert outcome.counts["new"] == count
    for split in ("train", "dev", "test"):
        transfers.export_claims(out, "--split", split)
        claims = shared_file(f"data/scifact/claims_{split}.jsonl")
        assert out.read_bytes() == claims.read_bytes(), split


def test_check_covid_comes_back_byte_for_byte(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    corpus = shared_file(f"{CHECK_COVID}/corpus.json")
    transfers.import_corpus(corpus, fmt="check-covid")
    transfers.export_corpus(out, fmt="check-covid")
    assert out.read_bytes() == corpus.read_bytes()

    claims = shared_file(f"{CHECK_COVID}/Check-COVID_all.json")
    assert transfers.import_claims(claims, fmt="check-covid").counts["new"] == 1504
    transfers.export_claims(out, fmt="check-covid")
    assert out.read_bytes() == claims.read_bytes()
    # The given sentence of a NOT ENOUGH INFO claim is no judgement (495 of them).
    generated = Pair.objects.filter(origin=Pair.Origin.GENERATED)
    assert generated.count() == 495
    assert not Judgement.objects.filter(pair__in=generated).exists()


@pytest.mark.parametrize("name", CHECK_COVID_FILES)
def test_each_check_covid_file_comes_back_record_for_record(
    name: str, tmp_path: Path
) -> None:
    claims = shared_file(f"{CHECK_COVID}/{name}")
    corpus = shared_file(f"{CHECK_COVID}/corpus.json")
    transfers.import_corpus(corpus, fmt="check-covid")
    transfers.import_claims(claims, fmt="check-covid")
    out = tmp_path / "out.json"
    transfers.export_claims(out, fmt="check-covid")
    assert records_of(out) == records_of(claims)


def test_core_comes_back_byte_for_byte_from_two_splits_of_one_project(
    tmp_path: Path,
) -> None:
    files = {
        split: shared_file(f"data/core/{split}_mapped.csv")
        for split in ("train", "test")
    }
    for split, file in files.items():
        transfers.import_claims(file, "--split", split, fmt="core")
    out = tmp_path / "out.csv"
    for split, file in files.items():
        transfers.export_claims(out, "--split", split, fmt="core")
        assert out.read_bytes() == file.read_bytes(), split


def small_files(folder: Path) -> tuple[Path, Path]:
    corpus = transfers.write_lines(
        folder / "corpus.jsonl",
        transfers.document(3, "Rye grows in May.", "Oats grow later."),
        transfers.document("007", "Figs need wasps.", "Plums do not."),
    )
    claims = transfers.write_lines(
        folder / "claims.jsonl",
        transfers.claim(
            5,
            "Rye grows early.",
            {"3": [transfers.entry(0), transfers.entry(1)]},
            [3, "007", 3],
        ),
        transfers.claim(2, "Figs need bees.", {"007": [transfers.entry(0)]}, ["007"]),
    )
    return corpus, claims


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (
            lambda: Judgement.objects.filter(
                pair__claim__external_id="5", pair__document__external_id="3"
            ).update(label="CONTRADICT"),
            b'"SUPPORT"',
            b'"CONTRADICT"',
        ),
        (
            lambda: Rationale.objects.filter(
                judgement__pair__claim__external_id="2"
            ).update(sentences=[1]),
            b'"007": [{"sentences": [0]',
            b'"007": [{"sentences": [1]',
        ),
        (
            lambda: Document.objects.filter(external_id="3").update(
                sentences=["Rye grows in June.", "Oats grow later."]
            ),
            b"in May",
            b"in June",
        ),
    ],
    ids=["label", "rationale", "sentence"],
)
def test_a_changed_row_changes_exactly_its_own_bytes(
    change: object, old: bytes, new: bytes, tmp_path: Path
) -> None:
    corpus, claims = small_files(tmp_path)
    transfers.import_corpus(corpus)
    transfers.import_claims(claims)

    assert callable(change)
    assert change() == 1

    out = tmp_path / "out.jsonl"
    transfers.export_corpus(out)
    expected = corpus.read_bytes()
    if old in expected:
        expected = expected.replace(old, new)
    assert out.read_bytes() == expected
    transfers.export_claims(out)
    first, second = claims.read_bytes().splitlines(keepends=True)
    changed = second if b'007": [{' in old else first
    expected = claims.read_bytes().replace(changed, changed.replace(old, new))
    assert out.read_bytes() == expected


def test_further_fields_come_back_with_their_order_and_numbers(
    tmp_path: Path,
) -> None:
    extra = {"zeta": 1.0, "a": {"y": [1e300, 2], "b": None}, "mid": "𝛽"}
    corpus = transfers.write_lines(
        tmp_path / "corpus.jsonl", transfers.document(1, **extra)
    )
    line = transfers.claim(2, "Figs.", {"1": [transfers.entry(0)]}, [1]) | extra
    claims = transfers.write_lines(tmp_path / "claims.jsonl", line)
    transfers.import_corpus(corpus)
    transfers.import_claims(claims)
    out = tmp_path / "out.jsonl"
    transfers.export_corpus(out)
    assert out.read_bytes() == corpus.read_bytes()
    transfers.export_claims(out)
    assert out.read_bytes() == claims.read_bytes()
    assert transfers.import_claims(claims).counts["identical"] == 1


def test_the_exported_manifest_says_what_the_file_holds(tmp_path: Path) -> None:
    corpus, claims = small_files(tmp_path)
    transfers.import_corpus(corpus)
    transfers.import_claims(claims, "--split", "dev")
    out = tmp_path / "out.jsonl"
    outcome = transfers.export_claims(out, "--split", "dev")
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["sha256"] == outcome.counts["sha256"]
    assert manifest["counts"] == {
        "included": 2,
        "excluded": {},
        "verdicts": {"imported": 3},
    }
    assert manifest["split"] == "dev"
    assert manifest["states"] == ["approved", "imported"]
    assert not list(tmp_path.glob("*.part"))
