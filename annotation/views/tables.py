"""A group's own spreadsheet: upload, columns, dry run, import."""

from __future__ import annotations

from typing import BinaryIO, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from annotation import access as door
from annotation.forms.corpora import ColumnsForm, TableForm
from annotation.selectors import corpora as library
from annotation.services import import_table
from annotation.services.corpora import remember_columns
from annotation.views.corpora import account, render_corpus
from corpus.exceptions import DomainError
from corpus.files import store_upload, visible_files
from corpus.formats.base import FormatError
from corpus.jobs import visible_jobs, workers_alive
from corpus.models import Corpus, Job, StoredFile
from corpus.tables import Header, guess_mapping, read_header

COUNTED = {
    "new": "new",
    "identical": "identical",
    "changed": "changed",
    "kept": "in use, kept as they are",
    "retired": "retired here, left alone",
}


@login_required
@require_http_methods(["GET", "POST"])
def upload_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a CSV or XLSX file."""
    corpus = door.get_editable_corpus(request.user, slug)
    form = TableForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            stored = store_upload(
                upload=form.cleaned_data["file"], owner=account(request)
            )
            _header(stored, "")
        except (DomainError, FormatError) as error:
            form.add_error("file", str(error))
        else:
            return redirect("annotation:map_columns", slug, stored.token)
    context = {"form": form, "is_worker_missing": not workers_alive()}
    return render_corpus(request, corpus, "annotation/upload_table.html", context)


def _header(stored: StoredFile, sheet: str) -> Header:
    with stored.file.open("rb") as file:
        return read_header(cast(BinaryIO, file), stored.name, sheet or None)


@login_required
@require_http_methods(["GET", "POST"])
def map_columns(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Ask which column is which, and begin the dry run."""
    corpus = door.get_editable_corpus(request.user, slug)
    stored = get_object_or_404(visible_files(request.user), token=token)
    sheet = request.GET.get("sheet", "")
    try:
        header = _header(stored, sheet)
    except FormatError as error:
        raise Http404(str(error)) from None
    form = ColumnsForm(
        request.POST or None, columns=header.columns, guess=_guess(corpus, header)
    )
    if form.is_valid():
        mapping = form.mapping()
        remember_columns(corpus=corpus, mapping=mapping, actor=account(request))
        job = import_table.start_check(
            corpus=corpus,
            file=stored,
            mapping=mapping,
            sheet=sheet,
            owner=account(request),
        )
        return _follow(job)
    context = {
        "form": form,
        "file": stored,
        "header": header,
        "sheet": sheet or next(iter(header.sheet_names), ""),
        "is_worker_missing": not workers_alive(),
    }
    return render_corpus(request, corpus, "annotation/map_columns.html", context)


def _guess(corpus: Corpus, header: Header) -> dict[str, str]:
    """The columns of last time where the file has them, else the likely ones."""
    remembered = {
        field: column
        for field, column in corpus.column_mapping.items()
        if column in header.columns
    }
    free = [c for c in header.columns if c not in remembered.values()]
    return guess_mapping(free) | remembered


def _follow(job: Job) -> HttpResponse:
    """Lead to what a job made if it is ready at once, else to its progress."""
    job.refresh_from_db()
    page = reverse("corpus:job", args=[job.token])
    return redirect(job.result.get("redirect") or page)


@login_required
@require_http_methods(["GET", "POST"])
def checked_table(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what a dry run found; confirming starts the import."""
    corpus = door.get_editable_corpus(request.user, slug)
    check = _own_job(request, corpus, token, import_table.CHECK)
    report = check.result["report"]
    if request.method == "POST" and not report["errors"]:
        return _follow(import_table.start_import(check=check))
    context = {
        "report": report,
        "counts": [(words, report[kind]) for kind, words in COUNTED.items()],
        "file": StoredFile.objects.get(pk=check.payload["file"]),
        "is_worker_missing": not workers_alive(),
    }
    return render_corpus(request, corpus, "annotation/checked_table.html", context)


@login_required
@require_GET
def imported_table(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what an import did, and what to do next."""
    corpus = door.get_editable_corpus(request.user, slug)
    job = _own_job(request, corpus, token, import_table.IMPORT)
    report = job.result["report"]
    context = {
        "counts": [(words, report[kind]) for kind, words in COUNTED.items()],
        "figures": library.figures(request.user, corpus),
        "projects": library.projects_of(request.user, corpus),
    }
    return render_corpus(request, corpus, "annotation/imported_table.html", context)


def _own_job(request: HttpRequest, corpus: Corpus, token: str, kind: str) -> Job:
    """Return a finished job of this corpus, else 404."""
    job = get_object_or_404(
        visible_jobs(request.user), token=token, kind=kind, state=Job.State.DONE
    )
    if job.payload["corpus"] != corpus.pk or "mapping" not in job.payload:
        raise Http404("This is no spreadsheet of this corpus.")
    return job
