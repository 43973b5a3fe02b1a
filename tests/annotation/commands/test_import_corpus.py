"""``import_corpus``: what is new, the same, changed, in use, or wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Project
from annotation.services.projects import create_project
from corpus.models import Corpus, Document, Event
from tests.annotation import transfers
from tests.annotation.transfers import claim, document, entry, write_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "corpus.jsonl", document(1), document(2, "Rye."))


def test_the_same_file_twice_changes_nothing(corpus_file: Path) -> None:
    assert transfers.import_corpus(corpus_file).counts["new"] == 2
    before = transfers.row_counts()
    version = Corpus.objects.get().version

    outcome = transfers.import_corpus(corpus_file)

    assert (outcome.code, outcome.counts["identical"], outcome.counts["new"]) == (
        0,
        2,
        0,
    )
    assert transfers.row_counts() == before
    assert Corpus.objects.get().version == version == 1


def test_a_changed_document_is_changed_and_leaves_an_event(
    corpus_file: Path, tmp_path: Path
) -> None:
    transfers.import_corpus(corpus_file)
    other = write_lines(tmp_path / "b.jsonl", document(1), document(2, "Oats."))

    outcome = transfers.import_corpus(other)

    assert (outcome.counts["changed"], outcome.counts["identical"]) == (1, 1)
    changed = Document.objects.get(external_id="2")
    assert changed.sentences == ["Oats."]
    event = Event.objects.filter(noun="document").latest("pk")
    assert event.object_id == changed.pk
    assert event.payload["set"]["sentences"] == ["Oats."]
    assert Corpus.objects.get().version == 2


def test_a_document_that_a_pair_points_to_is_kept(
    corpus_file: Path, tmp_path: Path
) -> None:
    transfers.import_corpus(corpus_file)
    claims = write_lines(
        tmp_path / "claims.jsonl", claim(1, "Rye grows.", {"2": [entry(0)]}, [2])
    )
    transfers.import_claims(claims)
    other = write_lines(tmp_path / "b.jsonl", document(2, "Oats."), document(3))

    outcome = transfers.import_corpus(other)

    assert (outcome.code, outcome.counts["kept"], outcome.counts["new"]) == (0, 1, 1)
    assert Document.objects.get(external_id="2").sentences == ["Rye."]


def test_an_error_on_the_last_line_keeps_the_whole_file_out(tmp_path: Path) -> None:
    lines = [document(n, f"Sentence {n}.") for n in range(1200)]
    file = write_lines(tmp_path / "corpus.jsonl", *lines, {"doc_id": 7.0, "title": "x"})

    outcome = transfers.import_corpus(file)

    assert outcome.code == 2
    assert Document.objects.count() == 0
    assert Corpus.objects.count() == 0
    assert outcome.errors[0].startswith(f"{file}:1201: doc_id: ")
    assert len(outcome.errors) == 2  # the id, and the missing abstract
    assert "nothing was imported" in outcome.message


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("blank last line", b"\n\n", 0),
        ("byte order mark", b"\xef\xbb\xbf", 0),
        ("UTF-16", None, 2),
    ],
)
def test_files_as_editors_save_them(
    name: str, content: bytes | None, expected: int, tmp_path: Path
) -> None:
    line = json.dumps(document(1)).encode()
    if content is None:
        data = line.decode().encode("utf-16")
    else:
        data = content + line if content.startswith(b"\xef") else line + content
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(data)

    assert transfers.import_corpus(file).code == expected, name
    assert Document.objects.count() == (1 if expected == 0 else 0)
    assert not Document.objects.filter(external_id__contains="\ufeff").exists()


def test_ids_keep_their_spelling_and_their_type(tmp_path: Path) -> None:
    lines = (document(7), document("007"), document("x-7"))
    file = write_lines(tmp_path / "corpus.jsonl", *lines)
    transfers.import_corpus(file)
    out = tmp_path / "out.jsonl"
    transfers.export_corpus(out)
    assert out.read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ((document(7), document("7")), "again on line 2"),
        ((document(7.0),), "doc_id"),  # type: ignore[arg-type]
        ((document("x" * 256),), "256 characters"),
    ],
    ids=["number and text", "7.0", "too long"],
)
def test_ids_that_cannot_be_told_apart_are_errors(
    lines: tuple[object, ...], word: str, tmp_path: Path
) -> None:
    outcome = transfers.import_corpus(write_lines(tmp_path / "c.jsonl", *lines))
    assert outcome.code == 2
    assert word in outcome.errors[0]


def test_hostile_text_comes_back_exactly(tmp_path: Path) -> None:
    sentences = (
        "𝛽-catenin 👩‍🚒 raised IL-6.",
        "e\u0301 and é, a\u2028b, x\r\ny",
        "<script>alert(1)</script> p<0.05 and a&lt;b",
        '=HYPERLINK("x")',
        "",
        "   ",
    )
    file = write_lines(tmp_path / "corpus.jsonl", document(1, *sentences))
    transfers.import_corpus(file)
    assert tuple(Document.objects.get().sentences) == sentences
    out = tmp_path / "out.jsonl"
    transfers.export_corpus(out)
    assert out.read_bytes() == file.read_bytes()


def test_a_document_without_an_abstract_is_marked_for_the_work_list(
    tmp_path: Path,
) -> None:
    empty = {**document(1), "abstract": []}
    transfers.import_corpus(write_lines(tmp_path / "c.jsonl", empty, document(2)))
    assert not Document.objects.get(external_id="1").has_abstract
    assert Document.objects.get(external_id="2").has_abstract


def test_the_same_text_under_two_ids_is_counted(tmp_path: Path) -> None:
    twin = {**document(2), "title": "Invented trial 1"}
    file = write_lines(tmp_path / "c.jsonl", document(1), twin)
    assert transfers.import_corpus(file).counts["duplicate_texts"] == 1


def test_the_number_of_queries_grows_with_batches_not_with_rows(
    tmp_path: Path,
) -> None:
    def queries(count: int, name: str) -> int:
        lines = [document(n, f"Sentence {name} {n}.") for n in range(count)]
        file = write_lines(tmp_path / f"{name}.jsonl", *lines)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            transfers.run(
                "import_corpus", "--format", "scifact", "--corpus", name, file
            )
        selects = [q for q in captured if not q["sql"].startswith("INSERT")]
        return len(selects)

    queries(1, "warm-up")
    assert queries(2, "few") == queries(400, "many")


def test_documents_of_a_project_do_not_make_a_corpus_theirs(
    corpus_file: Path,
) -> None:
    """Two corpora may use the same ids."""
    transfers.import_corpus(corpus_file, corpus="One")
    transfers.import_corpus(corpus_file, corpus="Two")
    assert Document.objects.filter(external_id="1").count() == 2
    create_project(
        name="P",
        protocol="scifact",
        corpus=Corpus.objects.get(name="One"),
        actor=None,
    )
    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--format", "scifakt", "--corpus", "C"), "Unknown format"),
        (("--format", "core", "--corpus", "C"), "no file of abstracts"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: tuple[str, ...], word: str, corpus_file: Path
) -> None:
    outcome = transfers.run("import_corpus", *arguments, corpus_file)
    assert outcome.code == 2
    assert word in outcome.message


def test_a_missing_file_is_the_callers_mistake(tmp_path: Path) -> None:
    outcome = transfers.import_corpus(tmp_path / "nothing.jsonl")
    assert outcome.code == 2
    assert "No such file" in outcome.message
