"""Published data sets in: upload, dry run, confirmation, import."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation import access as door
from annotation.forms.transfers import ClaimsImportForm, ImportForm
from annotation.models import Stage
from annotation.views.corpora import account, render_corpus
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.files import store_upload
from corpus.jobs import start_job, start_job_once, visible_jobs, workers_alive
from corpus.models import Job, StoredFile, User

CHANGES = ("new", "changed")
CORPUS_IMPORTS = {
    "documents": (
        "Import a data set's abstracts",
        "A file of abstracts in a published format. You see what would change first.",
    ),
    "articles": (
        "Import citing articles",
        "One article on each line, with its paragraphs and citances.",
    ),
}


@login_required
@require_http_methods(["GET", "POST"])
def import_documents(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of abstracts and begin its dry run."""
    return _upload_to_corpus(request, slug, "documents")


@login_required
@require_http_methods(["GET", "POST"])
def import_articles(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of citing articles and begin its dry run."""
    return _upload_to_corpus(request, slug, "articles")


def _upload_to_corpus(request: HttpRequest, slug: str, noun: str) -> HttpResponse:
    corpus = door.get_editable_corpus(request.user, slug)
    form = ImportForm(request.POST or None, request.FILES or None, reads=f"read_{noun}")
    if form.is_valid():
        payload = {"corpus": corpus.pk, "next": f"annotation:import_of_{noun}"}
        job = _start_check(form, account(request), noun, payload)
        if job is not None:
            return follow(job)
    title, lead = CORPUS_IMPORTS[noun]
    context = _upload_context(form, title, lead)
    return render_corpus(request, corpus, "annotation/import_to_corpus.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def import_claims(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of claims and begin its dry run."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = ClaimsImportForm(
        request.POST or None,
        request.FILES or None,
        reads="read_claims",
        initial={"format": access.project.protocol},
    )
    if form.is_valid():
        payload = {
            "project": access.project.pk,
            "split": form.cleaned_data["split"],
            "next": "annotation:import_of_claims",
        }
        job = _start_check(form, access.account, "claims", payload, access.project.pk)
        if job is not None:
            return follow(job)
    lead = (
        "Claims with their evidence. The abstracts that they name must be in the "
        f"corpus “{access.project.corpus}”, unless the format brings them along."
    )
    context = _upload_context(form, "Import claims", lead)
    return render_project(request, access, "annotation/import_claims.html", context)


def _start_check(
    form: ImportForm,
    owner: User,
    noun: str,
    payload: dict[str, Any],
    project_id: int | None = None,
) -> Job | None:
    """Keep the file and begin its dry run; None with an error in the form."""
    try:
        stored = store_upload(
            upload=form.cleaned_data["file"], owner=owner, project_id=project_id
        )
    except DomainError as error:
        form.add_error("file", str(error))
        return None
    payload |= {"file": stored.pk, "format": form.cleaned_data["format"]}
    return start_job(
        kind=f"check_{noun}", owner=owner, payload=payload, project_id=project_id
    )


def _upload_context(form: ImportForm, title: str, lead: str) -> dict[str, Any]:
    return {
        "form": form,
        "title": title,
        "lead": lead,
        "is_worker_missing": not workers_alive(),
    }


def follow(job: Job) -> HttpResponse:
    """Lead to what a job made if it is ready at once, else to its progress."""
    job.refresh_from_db()
    page = reverse("corpus:job", args=[job.token])
    return redirect(job.result.get("redirect") or page)


@login_required
@require_http_methods(["GET", "POST"])
def import_of_documents(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what a dry run or an import of abstracts found; confirm a dry run."""
    return _import_into_corpus(request, slug, token, "documents")


@login_required
@require_http_methods(["GET", "POST"])
def import_of_articles(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what a dry run or an import of articles found; confirm a dry run."""
    return _import_into_corpus(request, slug, token, "articles")


def _import_into_corpus(
    request: HttpRequest, slug: str, token: str, noun: str
) -> HttpResponse:
    corpus = door.get_editable_corpus(request.user, slug)
    job = _finished_job(request, token, noun, {"corpus": corpus.pk})
    if request.method == "POST" and _can_be_confirmed(job):
        return follow(_start_import(job, noun))
    context = _import_context(job, noun)
    return render_corpus(request, corpus, "annotation/import_of_corpus.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def import_of_claims(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what a dry run or an import of claims found; confirm a dry run."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    job = _finished_job(request, token, "claims", {"project": access.project.pk})
    if request.method == "POST" and _can_be_confirmed(job):
        return follow(_start_import(job, "claims"))
    context = _import_context(job, "claims")
    return render_project(request, access, "annotation/import_of_claims.html", context)


def _finished_job(
    request: HttpRequest, token: str, noun: str, belongs: dict[str, int]
) -> Job:
    """Return a person's own finished dry run or import of one place, else 404."""
    kinds = (f"check_{noun}", f"import_{noun}")
    jobs = visible_jobs(request.user).filter(kind__in=kinds, state=Job.State.DONE)
    job = get_object_or_404(jobs, token=token)
    if not belongs.items() <= job.payload.items() or "format" not in job.payload:
        raise Http404("This import belongs elsewhere.")
    return job


def _is_check(job: Job) -> bool:
    return job.kind.startswith("check_")


def _can_be_confirmed(job: Job) -> bool:
    return _is_check(job) and not job.result["report"]["errors"]


def _start_import(check: Job, noun: str) -> Job:
    return start_job_once(
        kind=f"import_{noun}",
        owner=check.owner,
        payload=check.payload,
        project_id=check.project_id,
    )


def _import_context(job: Job, noun: str) -> dict[str, Any]:
    report = job.result["report"]
    documents = report.get("documents", {})
    return {
        "is_check": _is_check(job),
        "noun": noun,
        "report": report,
        "counts": list(job.result["counts"].items()),
        "changes_anything": any(
            counts.get(kind) for counts in (report, documents) for kind in CHANGES
        ),
        "file": StoredFile.objects.get(pk=job.payload["file"]),
        "is_worker_missing": not workers_alive(),
    }
