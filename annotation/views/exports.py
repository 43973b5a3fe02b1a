"""A corpus or a project's claims out, in the format that somebody needs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from annotation import access as door
from annotation.forms.transfers import ClaimsExportForm, DocumentsExportForm
from annotation.models import Claim, Stage
from annotation.services.exports import (
    ClaimSelection,
    ExportRefusedError,
    ExportReport,
    claim_lines,
    document_lines,
    manifest_path,
)
from annotation.services.exports import (
    export_claims as write_claims,
)
from annotation.services.exports import (
    export_documents as write_documents,
)
from annotation.views.corpora import account, render_corpus
from annotation.views.pages import render_project
from annotation.views.transfers import follow
from corpus.formats.base import Format, Written
from corpus.jobs import start_job, workers_alive
from corpus.models import Corpus

# More rows are written in the background: a web request should take seconds.
ROWS_AT_ONCE = 5_000
PREVIEW_LINES = 3
PREVIEW_CHARACTERS = 400


@login_required
@require_http_methods(["GET", "POST"])
def export_documents(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show how a corpus would look in a format; POST downloads it."""
    corpus = door.get_editable_corpus(request.user, slug)
    form = DocumentsExportForm(_sent(request) or {"format": "scifact"})
    context: dict[str, Any] = {"form": form, "is_worker_missing": not workers_alive()}
    if form.is_valid():
        fmt = form.chosen_format()
        if request.method == "POST":
            answer = _download_documents(request, corpus, fmt, context)
            if answer is not None:
                return answer
        lines = document_lines(corpus, fmt, ExportReport())
        context |= {"preview": _preview(lines)}
        context |= {"included": corpus.documents.filter(retired_at=None).count()}
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "annotation/_export_preview.html", context)
    return render_corpus(request, corpus, "annotation/export_documents.html", context)


def _download_documents(
    request: HttpRequest, corpus: Corpus, fmt: Format, context: dict[str, Any]
) -> HttpResponseBase | None:
    name = _file_name(corpus.slug, fmt)
    if corpus.documents.count() > ROWS_AT_ONCE:
        payload = {"corpus": corpus.pk, "format": fmt.name, "name": name}
        owner = account(request)
        return follow(start_job(kind="export_documents", owner=owner, payload=payload))

    def write(output: Path) -> ExportReport:
        return write_documents(corpus=corpus, fmt=fmt, output=output)

    return _download(request, name, write, context)


@login_required
@require_http_methods(["GET", "POST"])
def export_claims(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show what an export would hold; POST downloads it."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = ClaimsExportForm(_sent(request) or None, project=access.project)
    if not form.is_bound:
        form = ClaimsExportForm(_initial(form), project=access.project)
    context: dict[str, Any] = {"form": form, "is_worker_missing": not workers_alive()}
    if form.is_valid():
        if request.method == "POST":
            answer = _download_claims(request, form, context)
            if answer is not None:
                return answer
        context |= _claims_preview(form)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "annotation/_export_preview.html", context)
    return render_project(request, access, "annotation/export_claims.html", context)


def _sent(request: HttpRequest) -> Any:
    """Return what was chosen: by the address for a look, by the form to download."""
    return request.POST if request.method == "POST" else request.GET


def _initial(form: ClaimsExportForm) -> dict[str, Any]:
    return {name: field.initial or "" for name, field in form.fields.items()}


def _claims_preview(form: ClaimsExportForm) -> dict[str, Any]:
    selection = form.selection()
    lines = claim_lines(selection, form.chosen_format(), form.options(), ExportReport())
    total, included = selection.claims().count(), selection.taken().count()
    return {
        "preview": _preview(lines),
        "included": included,
        "excluded": total - included,
        "states": _state_counts(selection),
    }


def _state_counts(selection: ClaimSelection) -> list[tuple[str, int]]:
    rows = selection.claims().order_by().values_list("state").annotate(Count("pk"))
    words = dict(Claim.State.choices)
    return sorted((str(words[state]), count) for state, count in rows)


def _preview(lines: Any) -> list[dict[str, Any]]:
    """Return the first lines as they will stand in the file, long ones cut."""
    shown: list[Written] = list(islice(lines, PREVIEW_LINES))
    return [
        {
            "text": line.data.decode("utf-8").rstrip("\r\n")[:PREVIEW_CHARACTERS],
            "is_cut": len(line.data) > PREVIEW_CHARACTERS,
            "problems": line.problems,
            "id": line.record_id,
        }
        for line in shown
    ]


def _download_claims(
    request: HttpRequest, form: ClaimsExportForm, context: dict[str, Any]
) -> HttpResponseBase | None:
    selection, fmt, options = form.selection(), form.chosen_format(), form.options()
    project = selection.project
    name = _file_name("-".join(filter(None, (project.slug, selection.split))), fmt)
    if selection.claims().count() > ROWS_AT_ONCE:
        payload = {
            "project": project.pk,
            "format": fmt.name,
            "name": name,
            "states": list(selection.states),
            "split": selection.split,
            "repair": options.repair,
            "label_map": {k.value: v.value for k, v in options.label_map.items()},
        }
        return follow(
            start_job(
                kind="export_claims",
                owner=account(request),
                payload=payload,
                project_id=project.pk,
            )
        )

    def write(output: Path) -> ExportReport:
        return write_claims(
            selection=selection, fmt=fmt, options=options, output=output
        )

    return _download(request, name, write, context)


def _file_name(stem: str, fmt: Format) -> str:
    return f"{slugify(stem)}{fmt.extensions[0]}"


def _download(
    request: HttpRequest,
    name: str,
    write: Callable[[Path], ExportReport],
    context: dict[str, Any],
) -> HttpResponseBase | None:
    """Send the whole file or its manifest; None with the errors in the context.

    The file is written first: half a data set must not look like a whole one.
    """
    with tempfile.TemporaryDirectory(prefix="claimdesk-export-") as folder:
        output = Path(folder) / name
        try:
            write(output)
        except ExportRefusedError as error:
            errors = error.report.errors
            context["refusal"] = str(error)
            context["errors"] = [_named(*entry) for entry in errors[:100]]
            context["error_count"] = len(errors)
            return None
        wanted = manifest_path(output) if "manifest" in request.POST else output
        # Open files outlive their names, so nothing is left in the folder.
        file = wanted.open("rb")
    return FileResponse(
        file,
        as_attachment=True,
        filename=wanted.name,
        content_type="application/octet-stream",
        headers={"X-Content-Type-Options": "nosniff"},
    )


def _named(record_id: str, problem: Any) -> dict[str, Any]:
    return {
        "message": f"{record_id}: {problem.message}",
        "field": problem.field,
        "value": problem.value,
        "expected": problem.expected,
        "severity": problem.severity.value,
    }
