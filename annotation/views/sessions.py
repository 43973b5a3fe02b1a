"""Starting, pausing, stopping and correcting own work sessions; reading time."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access as door
from annotation.forms.times import NewSessionForm, SessionForm, session_times
from annotation.models import Guideline, TaskTime, WorkSession
from annotation.selectors.days import projects_to_work_in
from annotation.services import work_sessions
from annotation.services.work_time import record_reading
from annotation.views.clock import opened_message, posted_seconds
from annotation.views.people import signed_in
from corpus.exceptions import DomainError


def _own_session(request: HttpRequest, pk: int) -> WorkSession:
    """One of the reader's own sessions; 404 for those of anybody else."""
    return get_object_or_404(
        WorkSession.objects.select_related("project", "person"),
        person=signed_in(request),
        pk=pk,
    )


@login_required
@require_POST
def start_work(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a work session in a project."""
    access = door.get_project(request.user, slug)
    access.require_worker()
    session = work_sessions.start_session(project=access.project, person=access.account)
    messages.success(request, f"You are working in {session.project}.")
    return redirect("annotation:my_day")


def _change(
    request: HttpRequest, pk: int, change: Callable[..., WorkSession], words: str
) -> HttpResponse:
    session = _own_session(request, pk)
    try:
        change(session=session)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, words)
    return redirect("annotation:my_day")


@login_required
@require_POST
def pause_work(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop the clock for a break."""
    words = "The clock is stopped for your break."
    return _change(request, pk, work_sessions.pause_session, words)


@login_required
@require_POST
def resume_work(request: HttpRequest, pk: int) -> HttpResponse:
    """Go on after a break."""
    return _change(request, pk, work_sessions.resume_session, "The clock runs again.")


@login_required
@require_POST
def stop_work(request: HttpRequest, pk: int) -> HttpResponse:
    """End a work session."""
    words = "Your work session has ended."
    return _change(request, pk, work_sessions.stop_session, words)


@login_required
@require_POST
def withdraw_correction(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the measured time count again."""
    words = "The measured time counts again."
    return _change(request, pk, work_sessions.withdraw_correction, words)


@login_required
@require_http_methods(["GET", "POST"])
def correct_work(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a work session with a reason."""
    session = _own_session(request, pk)
    form = SessionForm(request.POST or None, initial=session_times(session))
    if form.is_valid():
        try:
            work_sessions.correct_session(session=session, **form.values())
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Corrected. What was measured stays beside it.")
            return _to_day(form)
    now = timezone.now()
    context = {
        "form": form,
        "session": session,
        "measured_end": session.measured_end(now),
    }
    return render(request, "annotation/correct_work.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def enter_work(request: HttpRequest) -> HttpResponse:
    """Enter work that nothing has measured."""
    user = signed_in(request)
    form = NewSessionForm(request.POST or None, projects=projects_to_work_in(user))
    if form.is_valid():
        try:
            work_sessions.enter_session(
                project=form.cleaned_data["project"], person=user, **form.values()
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Entered, with your reason.")
            return _to_day(form)
    return render(request, "annotation/enter_work.html", {"form": form})


def _to_day(form: SessionForm) -> HttpResponse:
    day = timezone.localtime(form.cleaned_data["started_at"]).date()
    return redirect(f"{reverse('annotation:my_day')}?date={day.isoformat()}")


@login_required
@require_POST
def clock_reading(request: HttpRequest, slug: str, guideline_id: int) -> HttpResponse:
    """Count a stretch of reading the guideline as work."""
    access = door.get_project(request.user, slug)
    access.require_worker()
    guideline = get_object_or_404(
        Guideline.objects.filter(project=access.project), pk=guideline_id
    )
    opened = record_reading(
        project=access.project,
        person=access.account,
        kind=TaskTime.Kind.GUIDELINE,
        item_id=guideline.pk,
        seconds=posted_seconds(request),
    )
    if opened is not None:
        messages.info(request, opened_message(opened))
    return HttpResponse(status=204)
