"""Pages of jobs, and downloads of private files."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from corpus import jobs
from corpus.downloads import send_file
from corpus.exceptions import DomainError
from corpus.files import visible_files
from corpus.models import Job


@require_safe
@never_cache
@login_required
def job(request: HttpRequest, token: str) -> HttpResponse:
    """Show a job; for htmx only its progress, and the way on once it has ended."""
    shown = get_object_or_404(jobs.visible_jobs(request.user), token=token)
    if not getattr(request, "htmx", False):
        return render(request, "corpus/job.html", _context(shown))
    if not shown.is_finished:
        context = _context(shown) | {"is_partial": True}
        return render(request, "corpus/_job_progress.html", context)
    response = HttpResponse()
    target = shown.result.get("redirect")
    if target:
        response["HX-Redirect"] = target
    else:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@login_required
def cancel_job(request: HttpRequest, token: str) -> HttpResponse:
    """Cancel a job, or ask its worker to stop."""
    shown = get_object_or_404(jobs.visible_jobs(request.user), token=token)
    try:
        jobs.cancel_job(job=shown)
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("corpus:job", token=token)


@require_safe
@never_cache
@login_required
def download_file(request: HttpRequest, token: str) -> FileResponse:
    """Send a private file to its owner; never shown by the browser itself."""
    stored = get_object_or_404(visible_files(request.user), token=token)
    return send_file(stored)


def _context(shown: Job) -> dict[str, Any]:
    progress = jobs.job_progress(shown)
    url = reverse("corpus:job", kwargs={"token": shown.token})
    return {
        "job": shown,
        "progress": progress,
        "title": shown.kind.replace("_", " ").capitalize(),
        "message": _message(shown, progress),
        "unit": "bytes" if _reads_a_file(shown.kind) else "",
        "job_url": url,
        "counts": list(shown.result.get("counts", {}).items()),
        "problems": shown.result.get("problems", []),
        "is_worker_missing": jobs.is_worker_missing(shown),
    }


def _reads_a_file(kind: str) -> bool:
    """Whether progress is counted in bytes; jobs with models count items."""
    return kind.startswith(("check_", "import_")) and kind not in settings.JOB_QUEUES


def _message(shown: Job, progress: jobs.JobProgress) -> str:
    """Return in words what the job is doing."""
    if progress.is_cancelling:
        return "stopping …"
    if shown.state == Job.State.RUNNING:
        return progress.phase or "running"
    return "waiting to start" if not shown.is_finished else shown.get_state_display()
