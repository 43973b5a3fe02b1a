"""Batches of claims: uploading, watching, and the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.views.corpora import account
from corpus import live
from corpus.exceptions import DomainError
from corpus.paging import keyset_page
from verification import access as door
from verification.forms.evidence import BatchForm
from verification.models import ClaimBatch, FactCheck
from verification.selectors.claim_batches import (
    batch_page,
    batch_progress,
    plausibility_for,
    reported_checks,
    with_counts,
)
from verification.selectors.evidence import check_page
from verification.selectors.evidence_files import answer_line
from verification.services.claim_batches import make_batch
from verification.views.evidence import SECTION, WORDS, Response, not_indexed


@login_required
@require_GET
def claim_batches(request: HttpRequest) -> HttpResponse:
    """List the reader's batches, the newest first."""
    rows = with_counts(door.own_batches(request.user))
    page = keyset_page(rows, request.GET.get("after"), key="pk", newest_first=True)
    context = {"page": page, "section": SECTION}
    return render(request, "verification/claim_batches.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_claim_batch(request: HttpRequest) -> HttpResponse:
    """Take a list of claims and begin to check them."""
    form = BatchForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            batch = make_batch(
                owner=account(request),
                name=wanted["name"],
                corpus=wanted["corpus"],
                system=wanted["system"],
                claims=form.listed,
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("verification:claim_batch", batch.token)
    context = {
        "form": form,
        "section": SECTION,
        "is_ml_worker_missing": not live.workers_alive(live.ML_QUEUE),
    }
    return render(request, "verification/new_claim_batch.html", context)


@login_required
@require_GET
@never_cache
@not_indexed
def claim_batch(request: HttpRequest, token: str) -> HttpResponse:
    """Show a batch; a poll gets its progress, and the whole page at the end."""
    batch = door.get_batch(token)
    progress = batch_progress(batch)
    context = {"batch": batch, "progress": progress, "section": SECTION, "words": WORDS}
    if getattr(request, "htmx", False):
        if not progress.is_finished:
            return render(request, "verification/_batch_progress.html", context)
        response = HttpResponse()
        response["HX-Refresh"] = "true"
        return response
    return render(
        request, "verification/claim_batch.html", context | _rows(request, batch)
    )


def _rows(request: HttpRequest, batch: ClaimBatch) -> dict[str, Any]:
    page, rows = batch_page(batch, request.user, request.GET.get("after"))
    plausibility = plausibility_for(request.user, batch)
    return {"page": page, "rows": rows, "plausibility": plausibility}


@login_required
@require_GET
@not_indexed
def batch_report(request: HttpRequest, token: str) -> HttpResponse:
    """Send the answers as one page that needs nothing else, to be printed or kept."""
    batch = door.get_batch(token)
    context = {
        "batch": batch,
        "pages": (check_page(check, None) for check in reported_checks(batch)),
        "progress": batch_progress(batch),
        "plausibility": plausibility_for(request.user, batch),
        "words": WORDS,
    }
    report = render_to_string("verification/batch_report.html", context)
    return _download(HttpResponse(report), f"evidence-{token}.html")


@login_required
@require_GET
@not_indexed
def batch_lines(request: HttpRequest, token: str) -> HttpResponseBase:
    """Send the answers as JSON Lines."""
    batch = door.get_batch(token)
    lines = StreamingHttpResponse(_lines(reported_checks(batch)))
    return _download(lines, f"evidence-{token}.jsonl")


def _lines(checks: Iterator[FactCheck]) -> Iterator[bytes]:
    for check in checks:
        yield answer_line(check)


def _download(response: Response, name: str) -> Response:
    """Let a browser save what it gets, and never show it as a page of this site."""
    response["Content-Type"] = "application/octet-stream"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
