"""What the four import and export commands share: arguments, messages, exit codes.

0: done, with one line of JSON counts last on stdout. 2: the input is not good
enough, with every error on stderr. 1 is left to our own faults: a traceback.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, transaction

from annotation.models import Project
from annotation.protocols import (
    Protocol,
    default_labels,
    default_settings,
    labels_to_json,
)
from annotation.services.exports import ExportRefusedError
from annotation.services.importing import ImportRefusedError, ImportReport
from annotation.services.projects import create_corpus, create_project
from corpus.exceptions import DomainError
from corpus.formats.base import Format, Problem, Severity
from corpus.formats.registry import all_formats, get_format
from corpus.models import Corpus

BAD_INPUT = 2
BUSY = (
    "Another import has been writing to the database for a while. Nothing was "
    "imported; try again when it has ended."
)


class TransferCommand(BaseCommand):
    """A command that reads or writes a file of some format."""

    # The site's checks belong to the site: an import needs the database only.
    requires_system_checks: list[str] = []

    def error(self, message: str) -> None:
        """Write one line to stderr."""
        self.stderr.write(message, self.style.ERROR)

    def finish(self, counts: dict[str, Any]) -> None:
        """Write the counts as the last line of stdout."""
        self.stdout.write(json.dumps(counts))

    def progress(self, done: int, total: int, phase: str) -> None:
        """Show how far it is, if somebody is looking."""
        if not sys.stderr.isatty():
            return
        share = 100 * done // total if total else 0
        sys.stderr.write(f"\r{phase} {share} %")
        if total and done >= total:
            sys.stderr.write("\n")


def refuse(message: str) -> CommandError:
    """Return the error that ends a command with exit code 2."""
    return CommandError(message, returncode=BAD_INPUT)


def format_named(name: str) -> Format:
    """Return a format; unknown ones are the caller's mistake."""
    try:
        return get_format(name)
    except ValueError as error:
        raise refuse(str(error)) from error


def formats_with(part: str) -> str:
    """Return the names of the formats that have a reader or writer, for help."""
    return ", ".join(n for n, f in all_formats().items() if getattr(f, part))


def corpus_named(name: str) -> Corpus:
    """Return a corpus by its name."""
    corpus = Corpus.objects.filter(name=name.strip()).first()
    if corpus is None:
        raise refuse(f"There is no corpus with the name “{name}”.")
    return corpus


def project_named(name: str) -> Project:
    """Return a project by its name."""
    project = Project.objects.select_related("corpus").filter(name=name.strip()).first()
    if project is None:
        raise refuse(f"There is no project with the name “{name}”.")
    return project


@contextmanager
def input_file(name: str) -> Iterator[BinaryIO]:
    """Open a file for reading; a file that cannot be read is the caller's mistake."""
    try:
        file = Path(name).open("rb")  # noqa: SIM115  # closed below
    except OSError as error:
        raise refuse(f"{name}: {error.strerror}.") from error
    with file:
        yield file


def error_line(file: str, problem: Problem) -> str:
    """Return one error as ``file:line: message``."""
    where = file if problem.line is None else f"{file}:{problem.line}"
    if problem.line is not None and problem.column is not None:
        where = f"{where}:{problem.column}"
    return f"{where}: {problem.message}"


def print_errors(command: TransferCommand, file: str) -> Callable[[Problem], None]:
    """Return a listener that prints each error at once; warnings are counted only."""

    def listen(problem: Problem) -> None:
        if problem.severity is Severity.ERROR:
            command.error(error_line(file, problem))

    return listen


def require_clean(report: ImportReport) -> None:
    """End the command if a check, which has printed them, found errors."""
    if report.has_errors:
        raise refuse(str(ImportRefusedError(report)))


@contextmanager
def refused_imports(command: TransferCommand, file: str) -> Iterator[None]:
    """End with exit code 2 if the writing finds what the check could not know."""
    try:
        yield
    except ImportRefusedError as error:
        for problem in error.report.errors:
            command.error(error_line(file, problem))
        raise refuse(str(error)) from error
    except DomainError as error:
        raise refuse(str(error)) from error
    except OperationalError as error:
        if "database is locked" not in str(error):
            raise
        raise CommandError(BUSY) from error


@contextmanager
def refused_exports(command: TransferCommand, file: str) -> Iterator[None]:
    """Print what cannot be exported, and end with exit code 2."""
    try:
        yield
    except ExportRefusedError as error:
        for record_id, problem in error.report.errors:
            command.error(f"{file}: {record_id}: {problem.message}")
        raise refuse(str(error)) from error
    except DomainError as error:
        raise refuse(str(error)) from error
    except OSError as error:
        raise refuse(f"{file}: {error.strerror}.") from error


def output_path(name: str) -> Path:
    """Return where to write; the folder must exist."""
    path = Path(name)
    if path.is_dir():
        raise refuse(f"{name} is a folder; name a file.")
    if not path.parent.is_dir():
        raise refuse(f"The folder {path.parent} does not exist.")
    return path


def corpus_or_new(name: str) -> Corpus:
    """Return the corpus of this name, or one that is not saved yet."""
    return Corpus.objects.filter(name=name.strip()).first() or Corpus(name=name.strip())


def saved_corpus(name: str) -> Corpus:
    """Return the corpus of this name; made now, unless somebody was faster."""
    found = Corpus.objects.filter(name=name.strip()).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return create_corpus(name=name, owner=None)
    except DomainError:
        return corpus_named(name)


def project_or_new(name: str, corpus: Corpus, protocol: str) -> Project:
    """Return the project of this name, or one that is not saved yet."""
    found = Project.objects.select_related("corpus").filter(name=name.strip()).first()
    if found is not None:
        return found
    start = Protocol(protocol)
    return Project(
        name=name.strip(),
        corpus=corpus,
        protocol=protocol,
        label_scheme=labels_to_json(default_labels(start)),
        settings=default_settings(start).to_json(),
    )


def saved_project(name: str, corpus: Corpus, protocol: str) -> Project:
    """Return the project of this name; made now, unless somebody was faster."""
    if Project.objects.filter(name=name.strip()).exists():
        return project_named(name)
    try:
        with transaction.atomic():
            return create_project(
                name=name, protocol=protocol, corpus=corpus, actor=None
            )
    except DomainError:
        return project_named(name)
