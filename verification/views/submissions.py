"""Uploading predictions, and the page of a submission from upload to score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from corpus.downloads import send_file
from corpus.exceptions import DomainError
from corpus.jobs import job_progress, workers_alive
from corpus.models import User
from verification import access as door
from verification.access import SubmissionAccess
from verification.disclosure import Detail
from verification.forms.submissions import CorrectionForm, MetadataForm, UploadForm
from verification.models import Submission
from verification.selectors.scores import score_tables
from verification.selectors.submissions import (
    DESCRIBED,
    allowances,
    described_before,
    own_page,
    steps,
)
from verification.services import submissions as services
from verification.services.quota import QuotaExhaustedError
from verification.views.benchmarks import render_benchmark

State = Submission.State


@login_required
@require_http_methods(["GET", "POST"])
def new_submission(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a file of predictions and begin its dry run."""
    access = door.get_benchmark(request.user, slug)
    phase, person = access.phase(number), access.account
    form = UploadForm(
        request.POST or None, request.FILES or None, phase=phase, person=person
    )
    if form.is_valid():
        try:
            submission = services.receive(
                phase=phase,
                submitter=person,
                upload=form.cleaned_data["file"],
                team=form.cleaned_data.get("team"),
            )
        except DomainError as error:
            form.add_error("file", str(error))
        else:
            return redirect("verification:submission", submission.token)
    now = timezone.now()
    context = {
        "form": form,
        "phase": phase,
        "is_open": phase.is_open(now),
        "allowances": allowances(phase, person, person.teams.all(), now),
        "is_worker_missing": not workers_alive(),
    }
    return render_benchmark(
        request, access, "verification/submit_predictions.html", context
    )


@require_GET
@never_cache
def submission(request: HttpRequest, token: str) -> HttpResponse:
    """Show a submission; for htmx only the part that changes while work goes on."""
    access = door.get_submission(request.user, token)
    return _render(request, access)


@login_required
@require_POST
def submit(request: HttpRequest, token: str) -> HttpResponse:
    """Take a place in the quota and have the predictions scored."""
    access = door.get_submission(request.user, token)
    person = access.require_own()
    form = MetadataForm(request.POST)
    if not form.is_valid():
        return _render(request, access, form=form)
    metadata = form.metadata()
    try:
        services.submit(submission=access.submission, actor=person, metadata=metadata)
    except QuotaExhaustedError as error:
        # What was typed waits with the upload until the next day begins.
        services.describe(submission=access.submission, actor=person, metadata=metadata)
        return _render(request, access, form=form, refused=error)
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("verification:submission", token)


@login_required
@require_POST
def publish(request: HttpRequest, token: str) -> HttpResponse:
    """Put a scored entry on the board, or show the names of one that stands there."""
    is_anonymous = request.POST.get("is_anonymous") == "true"

    def act(access: SubmissionAccess, person: User) -> None:
        services.publish(
            submission=access.submission, actor=person, is_anonymous=is_anonymous
        )

    return _act(request, token, act)


@login_required
@require_POST
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Take an entry off the board; a tombstone stays."""

    def act(access: SubmissionAccess, person: User) -> None:
        services.withdraw(submission=access.submission, actor=person)

    return _act(request, token, act)


@login_required
@require_POST
def put_back(request: HttpRequest, token: str) -> HttpResponse:
    """Undo a withdrawal."""

    def act(access: SubmissionAccess, person: User) -> None:
        services.put_back(submission=access.submission, actor=person)

    return _act(request, token, act)


def _act(
    request: HttpRequest, token: str, act: Callable[[SubmissionAccess, User], None]
) -> HttpResponse:
    """Do something with an own submission; its page says what came of it."""
    access = door.get_submission(request.user, token)
    person = access.require_own()
    try:
        act(access, person)
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("verification:submission", token)


@login_required
@require_http_methods(["GET", "POST"])
def describe(request: HttpRequest, token: str) -> HttpResponse:
    """Correct what is said about the system."""
    access = door.get_submission(request.user, token)
    person, shown = access.require_own(), access.submission
    now = {name: getattr(shown, name) for name in DESCRIBED}
    form_class = MetadataForm if shown.submitted_at is None else CorrectionForm
    form = form_class(request.POST or None, initial=now)
    if form.is_valid():
        services.describe(submission=shown, actor=person, metadata=form.metadata())
        return redirect("verification:submission", token)
    context = {
        "form": form,
        "submission": shown,
        "is_benchmark_open": _is_benchmark_open(access),
    }
    return render_benchmark(
        request, access.benchmark, "verification/submission_description.html", context
    )


@login_required
@require_GET
def list_submissions(request: HttpRequest) -> HttpResponse:
    """List the reader's submissions to all benchmarks, and those of their teams."""
    page = own_page(door.own_submissions(request.user), request.GET.get("after"))
    context = {"page": page, "section": "benchmarks"}
    return render(request, "verification/submissions.html", context)


@login_required
@require_GET
def benchmark_submissions(request: HttpRequest, slug: str) -> HttpResponse:
    """List the reader's submissions to one benchmark, and those of their teams."""
    access = door.get_benchmark(request.user, slug)
    page = own_page(access.own_submissions(), request.GET.get("after"))
    now = timezone.now()
    context = {
        "page": page,
        "open_phases": [phase for phase in access.phases() if phase.is_open(now)],
        "tab": "submissions",
    }
    return render_benchmark(
        request, access, "verification/submissions_to_benchmark.html", context
    )


@require_GET
@never_cache
def download_predictions(request: HttpRequest, token: str) -> HttpResponseBase:
    """Send the uploaded file to its own people and to organisers."""
    access = door.get_submission(request.user, token)
    if not access.is_insider:
        raise PermissionDenied("Only whoever submitted this may do that.")
    return send_file(access.submission.file)


def _render(
    request: HttpRequest, access: SubmissionAccess, **also: Any
) -> HttpResponse:
    shown = access.submission
    context = {
        "submission": shown,
        "phase": shown.phase,
        "reader": access,
        "is_blind": access.detail is Detail.NOTHING,
        "is_whole": access.detail is Detail.EVERYTHING,
        "scores": score_tables(access),
        "is_benchmark_open": _is_benchmark_open(access),
        **(_work(access) if access.is_own else {}),
        **also,
    }
    template = "verification/submission.html"
    if getattr(request, "htmx", False):
        context |= {"access": access.benchmark, "benchmark": shown.phase.benchmark}
        return render(request, "verification/_submission.html", context)
    return render_benchmark(request, access.benchmark, template, context)


def _is_benchmark_open(access: SubmissionAccess) -> bool:
    """Whether the reader may open the benchmark itself."""
    visible = door.visible_benchmarks(access.benchmark.user)
    return visible.filter(pk=access.benchmark.benchmark.pk).exists()


def _work(access: SubmissionAccess) -> dict[str, Any]:
    """What its own people see of the work that goes on, and what comes next."""
    shown, now = access.submission, timezone.now()
    context: dict[str, Any] = {"steps": steps(shown)}
    if shown.is_under_way:
        context["progress"] = job_progress(shown.job) if shown.job else None
        context["is_worker_missing"] = not workers_alive()
    elif shown.state == State.RECEIVED:
        teams = [shown.team] if shown.team else []
        context |= {
            "form": MetadataForm(initial=described_before(shown)),
            "is_open": shown.phase.is_open(now),
            "allowances": allowances(shown.phase, shown.submitter, teams, now),
        }
    return context
