"""``manage.py export_corpus``: the abstracts of a corpus as a file."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.transfer import (
    TransferCommand,
    corpus_named,
    format_named,
    formats_with,
    output_path,
    refused_exports,
)
from annotation.services.exports import export_documents


class Command(TransferCommand):
    """Writes a corpus file and its manifest."""

    help = "Export the abstracts of a corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        known = formats_with("write_documents")
        parser.add_argument("--format", required=True, help=known)
        parser.add_argument("--corpus", required=True, help="the name of the corpus")
        parser.add_argument("--output", required=True, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        fmt = format_named(options["format"])
        corpus = corpus_named(options["corpus"])
        output = output_path(options["output"])
        with refused_exports(self, options["output"]):
            report = export_documents(
                corpus=corpus, fmt=fmt, output=output, progress=self.progress
            )
        self.finish(report.totals())
