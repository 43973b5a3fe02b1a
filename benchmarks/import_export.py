# ruff: noqa: E402  # Django must be set up before its models are imported
"""Measure imports and exports: speed as a ratio, and the peak of memory.

Run from the repository root: ``python -m benchmarks.import_export``. It makes a
test database beside the one of ``DATABASE_URL`` and drops it at the end. Needs the
SciFact corpus in ``../shared/data``.

* Import of the SciFact corpus, alone and with the check before it, against
  autocommitted creation row by row with the same splitting, hashing, search index and
  event (aim: 10 on PostgreSQL).
  The ratio depends on what a commit costs: it grows with a slower disk or network.
* Peak memory of importing ten renumbered copies, against that of one (aim: at most
  1.2), each in a process of its own.
* Export of the corpus from the database, against ``json.dumps`` of the same records
  in a loop, which reads no database.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")

import django

django.setup()

from django.db import connection

from annotation.selectors.records import document_records
from annotation.services.exports import export_documents
from annotation.services.import_documents import (
    check_documents,
    fill_document,
    import_documents,
)
from annotation.services.importing import incoming
from annotation.services.projects import create_corpus
from corpus.events import column_values, record_event
from corpus.formats.registry import get_format
from corpus.formats.scifact import read_documents
from corpus.models import Corpus, Document
from corpus.search import index_documents
from tests.paths import REPO, SHARED
from tests.processes import child_environment

SCIFACT = SHARED / "data" / "scifact" / "corpus.jsonl"
COPIES = 10
# Imports a file and prints the peak of its memory in kilobytes.
MEASURED_IMPORT = """
import resource, sys, django
django.setup()
from django.core.management import call_command
call_command("import_corpus", "--format", "scifact", "--corpus", *sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> None:
    """Print the three measurements for the current kind of database."""
    connection.creation.create_test_db(verbosity=0)
    try:
        print(f"database: {connection.vendor}")
        commit_as_people_do()
        compare_imports()
        compare_exports()
        compare_memory()
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], 0)


def commit_as_people_do() -> None:
    """Wait for the disk at each commit, which tests do not."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = on")


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def compare_imports() -> None:
    """Import the corpus both ways; creation row by row knows no check."""
    corpus = new_corpus("batches")
    check = seconds(lambda: check_batches(corpus))
    ours = seconds(lambda: import_in_batches(corpus))
    theirs = seconds(lambda: import_row_by_row(new_corpus("rows")))
    print(
        f"import: {ours:.1f} s, row by row {theirs:.1f} s: "
        f"{theirs / ours:.1f} times as fast; "
        f"with the check of {check:.1f} s before it {theirs / (check + ours):.1f} times"
    )


def new_corpus(name: str) -> Corpus:
    """Return an empty corpus."""
    return create_corpus(name=name, owner=None)


def check_batches(corpus: Corpus) -> None:
    """Say what an import would do, as the command does first."""
    with SCIFACT.open("rb") as file:
        source = incoming(file, read_documents, name=SCIFACT.name)
        check_documents(source=source, corpus=corpus)


def import_in_batches(corpus: Corpus) -> None:
    """Import as the command does."""
    with SCIFACT.open("rb") as file:
        source = incoming(file, read_documents, name=SCIFACT.name)
        import_documents(source=source, corpus=corpus, actor=None)


def import_row_by_row(corpus: Corpus) -> None:
    """Create each row in a transaction of its own, with the same content."""
    with SCIFACT.open("rb") as file:
        for position, read in enumerate(read_documents(file)):
            assert read.record is not None
            row = Document(corpus=corpus, external_id=read.record.id.text)
            row.position = position
            fill_document(row, read.record)
            row.save(force_insert=True)
            index_documents([row], are_new=True)
            record_event(
                noun="document",
                obj=row,
                verb="import",
                actor=None,
                fields=column_values(row),
            )


def compare_exports() -> None:
    """Write the corpus, and dump the same records from memory."""
    corpus = Corpus.objects.get(name="batches")
    values = [
        {
            "doc_id": record.id.to_json(),
            "title": record.title,
            "abstract": list(record.sentences),
            "structured": record.structured,
        }
        for record in document_records(corpus.documents.all())
    ]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.jsonl"
        scifact = get_format("scifact")
        ours = min(
            seconds(lambda: export_documents(corpus=corpus, fmt=scifact, output=output))
            for _ in range(3)
        )
        assert output.read_bytes() == SCIFACT.read_bytes()
        theirs = min(seconds(lambda: dump(values, output)) for _ in range(3))
    size = SCIFACT.stat().st_size / 1e6
    print(
        f"export: {ours:.2f} s ({size / ours:.0f} MB/s), json.dumps in a loop "
        f"{theirs:.2f} s: takes {ours / theirs:.1f} times as long"
    )


def dump(values: Sequence[Mapping[str, object]], output: Path) -> None:
    """Write values as the published file has them."""
    with output.open("w", encoding="ascii") as file:
        for value in values:
            file.write(json.dumps(value) + "\n")


def compare_memory() -> None:
    """Import one copy and ten, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        many = write_copies(Path(folder) / "copies.jsonl")
        one_peak = peak_megabytes("one", SCIFACT)
        many_peak = peak_megabytes("many", many)
    print(
        f"memory: {one_peak:.0f} MB for one copy, {many_peak:.0f} MB for {COPIES}: "
        f"{many_peak / one_peak:.2f} times"
    )


def write_copies(path: Path) -> Path:
    """Write the corpus ten times, each copy with ids of its own."""
    with path.open("w", encoding="ascii") as out:
        for copy in range(COPIES):
            with SCIFACT.open(encoding="ascii") as lines:
                for line in lines:
                    value = json.loads(line)
                    value["doc_id"] += copy * 1_000_000_000
                    out.write(json.dumps(value) + "\n")
    return path


def peak_megabytes(corpus_name: str, file: Path) -> float:
    """Return the peak memory of a process that imports a file."""
    ended = subprocess.run(
        [sys.executable, "-c", MEASURED_IMPORT, corpus_name, str(file)],
        cwd=REPO,
        env=child_environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(ended.stdout.splitlines()[-1]) / 1024


if __name__ == "__main__":
    main()
