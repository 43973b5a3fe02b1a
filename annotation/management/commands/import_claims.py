"""``manage.py import_claims``: claims and their evidence into a project."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from annotation.management.transfer import (
    TransferCommand,
    corpus_named,
    corpus_or_new,
    format_named,
    formats_with,
    input_file,
    print_errors,
    project_named,
    project_or_new,
    refuse,
    refused_imports,
    require_clean,
    saved_corpus,
    saved_project,
)
from annotation.models import Project
from annotation.services.import_claims import ClaimTarget, check_claims, import_claims
from annotation.services.importing import ImportReport, Incoming, incoming
from corpus.formats.base import Format
from corpus.records import Claim


class Command(TransferCommand):
    """Reads a claims file; all of it is written, or nothing."""

    help = "Import claims with their evidence into a project."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        known = formats_with("read_claims")
        parser.add_argument("--format", required=True, help=known)
        parser.add_argument("--corpus", required=True, help="the name of the corpus")
        parser.add_argument("--project", required=True, help="the name of the project")
        parser.add_argument(
            "--create",
            action="store_true",
            help="make the corpus and the project if they do not exist",
        )
        parser.add_argument("--split", default="", help="put the claims in this split")
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the file, then write it."""
        fmt = format_named(options["format"])
        if fmt.read_claims is None:
            raise refuse(f"{fmt.title} has no file of claims to read.")
        if len(options["split"]) > 40:
            raise refuse("The name of a split has at most 40 characters.")
        with input_file(options["file"]) as file:
            source = incoming(file, fmt.read_claims, name=options["file"])
            report = self._import(source, fmt, options)
        self.finish(report.totals())

    def _import(
        self, source: Incoming[Claim], fmt: Format, options: dict[str, Any]
    ) -> ImportReport:
        found = check_claims(
            source=source,
            target=ClaimTarget(_project(fmt, options), fmt, options["split"]),
            progress=self.progress,
            on_problem=print_errors(self, source.name),
        )
        require_clean(found)
        with refused_imports(self, source.name), transaction.atomic():
            project = _saved_project(fmt, options)
            return import_claims(
                source=source,
                target=ClaimTarget(project, fmt, options["split"]),
                actor=None,
                progress=self.progress,
            )


def _project(fmt: Format, options: dict[str, Any]) -> Project:
    """Return the project to check against; with ``--create`` it need not exist."""
    if options["create"]:
        corpus = corpus_or_new(options["corpus"])
        project = project_or_new(options["project"], corpus, fmt.protocol)
    else:
        corpus_named(options["corpus"])
        project = project_named(options["project"])
    return _of_corpus(project, options["corpus"])


def _saved_project(fmt: Format, options: dict[str, Any]) -> Project:
    if not options["create"]:
        return project_named(options["project"])
    corpus = saved_corpus(options["corpus"])
    project = saved_project(options["project"], corpus, fmt.protocol)
    return _of_corpus(project, options["corpus"])


def _of_corpus(project: Project, corpus_name: str) -> Project:
    if project.corpus.name != corpus_name.strip():
        raise refuse(
            f"The project “{project.name}” works on the corpus "
            f"“{project.corpus.name}”, not on “{corpus_name}”."
        )
    return project
