"""``manage.py import_corpus``: abstracts from a file into a corpus."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from annotation.management.transfer import (
    TransferCommand,
    corpus_or_new,
    format_named,
    formats_with,
    input_file,
    print_errors,
    refuse,
    refused_imports,
    require_clean,
    saved_corpus,
)
from annotation.services.import_documents import check_documents, import_documents
from annotation.services.importing import ImportReport, Incoming, incoming
from corpus.records import Document


class Command(TransferCommand):
    """Reads a corpus file; all of it is written, or nothing."""

    help = "Import abstracts into a corpus, which is made if it does not exist."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        known = formats_with("read_documents")
        parser.add_argument("--format", required=True, help=known)
        parser.add_argument("--corpus", required=True, help="the name of the corpus")
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the file, then write it."""
        fmt = format_named(options["format"])
        if fmt.read_documents is None:
            raise refuse(f"{fmt.title} has no file of abstracts to read.")
        with input_file(options["file"]) as file:
            source = incoming(file, fmt.read_documents, name=options["file"])
            report = self._import(source, options["corpus"])
        self.finish(report.totals())

    def _import(self, source: Incoming[Document], corpus_name: str) -> ImportReport:
        found = check_documents(
            source=source,
            corpus=corpus_or_new(corpus_name),
            progress=self.progress,
            on_problem=print_errors(self, source.name),
        )
        require_clean(found)
        with refused_imports(self, source.name), transaction.atomic():
            return import_documents(
                source=source,
                corpus=saved_corpus(corpus_name),
                actor=None,
                progress=self.progress,
            )
