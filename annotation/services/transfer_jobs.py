"""Imports and exports as background jobs: the handlers behind ``JOB_HANDLERS``.

A payload names rows by primary key. What an import writes is committed only while
the worker holds the job, together with the job's result: a worker that was taken
for dead changes nothing, and a job taken up again does its work once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from django.urls import reverse

from annotation.models import Project
from annotation.services.exports import (
    ClaimSelection,
    ExportRefusedError,
    ExportReport,
    export_claims,
    export_documents,
    manifest_path,
)
from annotation.services.import_articles import check_articles, import_articles
from annotation.services.import_claims import ClaimTarget, check_claims, import_claims
from annotation.services.import_documents import check_documents, import_documents
from annotation.services.import_studies import Plan, check_studies, import_studies
from annotation.services.importing import ImportRefusedError, ImportReport, incoming
from annotation.study_lines import TableFile
from corpus.exceptions import DomainError
from corpus.files import store_path
from corpus.formats.base import Format, Problem, WriteOptions
from corpus.formats.registry import get_format
from corpus.jobs import JobRun
from corpus.models import Corpus, StoredFile
from corpus.records import Label
from corpus.tables import read_rows

Reader = Callable[[BinaryIO], Iterator[Any]]
_WORDS = {
    "new": "New",
    "identical": "Identical",
    "changed": "Changed",
    "kept": "In use, kept as they are",
    "retired": "Retired here, left alone",
}


def check_documents_job(run: JobRun) -> dict[str, Any]:
    """Say what an import of abstracts would do."""
    with _stored(run) as (stored, file):
        source = incoming(file, _document_reader(run, stored), name=stored.name)
        corpus = _corpus(run)
        report = check_documents(source=source, corpus=corpus, progress=run.report)
    return import_result(report) | _next_page(run, corpus.slug)


def import_documents_job(run: JobRun) -> dict[str, Any]:
    """Import abstracts."""
    with _stored(run) as (stored, file), _refusals(), run.commit():
        corpus = _corpus(run)
        report = import_documents(
            source=incoming(file, _document_reader(run, stored), name=stored.name),
            corpus=corpus,
            actor=run.job.owner,
            progress=run.report,
        )
        result = import_result(report) | _next_page(run, corpus.slug)
        run.finish(result)
    return result


def check_claims_job(run: JobRun) -> dict[str, Any]:
    """Say what an import of claims would do."""
    with _stored(run) as (stored, file):
        target = _target(run)
        source = incoming(file, _reader(target.format, "claims"), name=stored.name)
        report = check_claims(source=source, target=target, progress=run.report)
    return import_result(report) | _next_page(run, target.project.slug)


def import_claims_job(run: JobRun) -> dict[str, Any]:
    """Import claims."""
    with _stored(run) as (stored, file), _refusals(), run.commit():
        target = _target(run)
        report = import_claims(
            source=incoming(file, _reader(target.format, "claims"), name=stored.name),
            target=target,
            actor=run.job.owner,
            progress=run.report,
        )
        result = import_result(report) | _next_page(run, target.project.slug)
        run.finish(result)
    return result


def check_articles_job(run: JobRun) -> dict[str, Any]:
    """Say what an import of citing articles would do."""
    with _stored(run) as (stored, file):
        source = incoming(file, _reader(_format(run), "articles"), name=stored.name)
        corpus = _corpus(run)
        report = check_articles(source=source, corpus=corpus, progress=run.report)
    return import_result(report) | _next_page(run, corpus.slug)


def import_articles_job(run: JobRun) -> dict[str, Any]:
    """Import citing articles."""
    with _stored(run) as (stored, file), _refusals(), run.commit():
        corpus = _corpus(run)
        report = import_articles(
            source=incoming(file, _reader(_format(run), "articles"), name=stored.name),
            corpus=corpus,
            actor=run.job.owner,
            progress=run.report,
        )
        result = import_result(report) | _next_page(run, corpus.slug)
        run.finish(result)
    return result


def check_studies_job(run: JobRun) -> dict[str, Any]:
    """Say what reading a table of questions and studies back would do."""
    with _stored(run) as (stored, file):
        project = Project.objects.select_related("corpus").get(
            pk=run.payload["project"]
        )
        table = TableFile.of(file, stored.name)
        plan = check_studies(table=table, project=project, progress=run.report)
    return _plan_result(plan) | _next_page(run, project.slug)


def import_studies_job(run: JobRun) -> dict[str, Any]:
    """Read a table of questions and studies back."""
    with _stored(run) as (stored, file), _refusals(), run.commit():
        project = Project.objects.select_related("corpus").get(
            pk=run.payload["project"]
        )
        plan = import_studies(
            table=TableFile.of(file, stored.name),
            project=project,
            actor=run.job.owner,
            progress=run.report,
        )
        result = _plan_result(plan) | _next_page(run, project.slug)
        run.finish(result)
    return result


def _plan_result(plan: Plan) -> dict[str, Any]:
    return import_result(plan.report) | {"differences": plan.differences}


def export_claims_job(run: JobRun) -> dict[str, Any]:
    """Write a project's claims to a private file."""
    payload = run.payload
    selection = ClaimSelection(
        Project.objects.get(pk=payload["project"]),
        tuple(payload["states"]),
        payload.get("split", ""),
    )
    labels = payload.get("label_map", {})
    options = WriteOptions(
        label_map={Label(source): Label(target) for source, target in labels.items()},
        repair=payload.get("repair", False),
    )

    def write(output: Path) -> ExportReport:
        return export_claims(
            selection=selection,
            fmt=_format(run),
            options=options,
            output=output,
            progress=run.report,
        )

    return _export(run, write)


def export_documents_job(run: JobRun) -> dict[str, Any]:
    """Write a corpus to a private file."""

    def write(output: Path) -> ExportReport:
        return export_documents(
            corpus=_corpus(run), fmt=_format(run), output=output, progress=run.report
        )

    return _export(run, write)


def _export(run: JobRun, write: Callable[[Path], ExportReport]) -> dict[str, Any]:
    """Write to a temporary file, and keep it and its manifest for the owner."""
    with tempfile.TemporaryDirectory(prefix="claimdesk-export-") as folder:
        output = Path(folder) / run.payload["name"]
        with _refusals():
            report = write(output)
        owner = run.job.owner
        kept = [
            store_path(path=path, name=path.name, owner=owner)
            for path in (output, manifest_path(output))
        ]
    return {
        "counts": {"Written": report.included} | dict(sorted(report.excluded.items())),
        "problems": [asdict(problem) for _, problem in report.problems[:100]],
        "file": kept[0].token,
        "manifest": kept[1].token,
    }


def import_result(report: ImportReport) -> dict[str, Any]:
    """Return a report as a job's page shows it, complete for the page after it."""
    counts = {words: report.counts[name] for name, words in _WORDS.items()}
    if report.documents:
        counts |= {
            f"Abstracts: {words.lower()}": report.documents[name]
            for name, words in _WORDS.items()
        }
    counts["Same text under another id"] = report.duplicate_texts
    counts |= {"Errors": report.error_count, "Warnings": report.warning_count}
    return {
        "counts": counts,
        "problems": _problems(report),
        "report": report.to_json(),
    }


def _next_page(run: JobRun, slug: str) -> dict[str, str]:
    """Return where the person goes next, if the payload's ``next`` names a page.

    That is the name of an address of this corpus or project and this job.
    """
    name = run.payload.get("next")
    if name is None:
        return {}
    return {"redirect": reverse(name, args=[slug, run.job.token])}


def _problems(report: ImportReport) -> list[dict[str, Any]]:
    """Return the first hundred problems, errors first."""
    shown: list[Problem] = [*report.errors, *report.warnings][:100]
    return [asdict(problem) for problem in shown]


@contextmanager
def _refusals() -> Iterator[None]:
    """Say the first error in words: a refused job has no result to show it in."""
    try:
        yield
    except ImportRefusedError as error:
        message = f"{error} The first: {error.report.errors[0].message}"
        raise DomainError(message) from error
    except ExportRefusedError as error:
        record_id, problem = error.report.errors[0]
        raise DomainError(
            f"{error} The first: {record_id}: {problem.message}"
        ) from error


@contextmanager
def _stored(run: JobRun) -> Iterator[tuple[StoredFile, BinaryIO]]:
    stored = StoredFile.objects.get(pk=run.payload["file"])
    try:
        file = stored.file.open("rb")
    except FileNotFoundError:
        raise DomainError("The uploaded file is gone. Upload it again.") from None
    with file:
        yield stored, file.file


def _format(run: JobRun) -> Format:
    return get_format(run.payload["format"])


def _reader(fmt: Format, noun: str) -> Reader:
    reader: Reader | None = getattr(fmt, f"read_{noun}")
    if reader is None:
        raise DomainError(f"{fmt.title} has no file of {noun} to read.")
    return reader


def _document_reader(run: JobRun, stored: StoredFile) -> Reader:
    """Return the format's reader of abstracts, or that of a mapped spreadsheet.

    A spreadsheet's payload has ``mapping``, and ``sheet`` if it is not the first.
    """
    mapping = run.payload.get("mapping")
    if mapping is None:
        return _reader(_format(run), "documents")
    return partial(
        read_rows,
        filename=stored.name,
        mapping=mapping,
        sheet=run.payload.get("sheet"),
    )


def _corpus(run: JobRun) -> Corpus:
    return Corpus.objects.get(pk=run.payload["corpus"])


def _target(run: JobRun) -> ClaimTarget:
    project = Project.objects.select_related("corpus").get(pk=run.payload["project"])
    return ClaimTarget(project, _format(run), run.payload.get("split", ""))
