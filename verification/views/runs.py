"""What organisers see and do with the submissions of a phase."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import slugify
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation.views.transfers import follow
from corpus.exceptions import DomainError
from corpus.jobs import workers_alive
from corpus.paging import keyset_page
from verification.forms.benchmarks import DisqualifyForm
from verification.scoring.signature import VERSION
from verification.selectors.runs import phase_submissions as rows_of
from verification.selectors.runs import zip_of_runs
from verification.services.rescoring import start_scoring_again, to_score_again
from verification.services.submissions import disqualify as take_off
from verification.views.benchmarks import render_benchmark
from verification.views.organising import as_organiser, done, form_page


@login_required
@require_GET
def phase_submissions(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """List every submission of a phase, the newest first."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    rows, waiting = rows_of(access, phase), to_score_again(phase).count()
    context = {
        "phase": phase,
        "page": keyset_page(
            rows, request.GET.get("after"), key="pk", newest_first=True
        ),
        "to_score_again": waiting,
        "version": VERSION,
        "is_worker_missing": waiting and not workers_alive(),
        "tab": "organise",
    }
    return render_benchmark(
        request, access, "verification/phase_submissions.html", context
    )


@login_required
@require_GET
def download_runs(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Send everything that was submitted in a phase, with a table."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    name = f"{slug}-{slugify(phase.name) or number}-runs.zip"
    return StreamingHttpResponse(
        zip_of_runs(rows_of(access, phase)),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        },
    )


@login_required
@require_POST
def score_again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Have a phase scored again with the scorer of today."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    try:
        job = start_scoring_again(phase=phase, organiser=access.account)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("verification:phase_submissions", slug, number)
    return follow(job)


@login_required
@require_http_methods(["GET", "POST"])
def disqualify(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Take an entry off the board, with a reason that everybody reads."""
    access = as_organiser(request, slug)
    submissions = access.all_submissions().select_related("phase")
    submission = get_object_or_404(submissions, token=token.replace("\0", ""))
    form = DisqualifyForm(request.POST or None)
    if form.is_valid() and done(
        form,
        lambda: take_off(
            submission=submission,
            organiser=access.account,
            reason=form.cleaned_data["reason"],
        ),
    ):
        messages.success(request, f"“{submission}” is disqualified.")
        return redirect("verification:phase_submissions", slug, submission.phase.number)
    return form_page(request, access, form, f"Disqualify “{submission}”", "Disqualify")
