"""What every page that takes work tells the clock."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html

from annotation.access import ProjectAccess
from annotation.forms.work import SubmissionForm
from annotation.models import Stage, WorkSession
from annotation.seconds import Seconds
from annotation.services.work_time import record_time


def posted_seconds(request: HttpRequest) -> Seconds:
    """Return what the form's clock says; nothing where it says nonsense.

    A broken clock must never cost somebody their work.
    """
    return Seconds(
        _whole(request.POST.get("active_seconds")),
        _whole(request.POST.get("elapsed_seconds")),
    )


def _whole(text: str | None) -> int | None:
    is_number = text is not None and text.isascii() and text.isdigit()
    return int(text or "0") if is_number and len(text or "") < 10 else None


def keep_time(
    access: ProjectAccess, stage: Stage, item_id: int, form: SubmissionForm
) -> WorkSession | None:
    """Count what a submitted form took; return the work session that it opened."""
    return record_time(
        project=access.project,
        person=access.account,
        stage=stage,
        item_id=item_id,
        seconds=form.seconds(),
        submission_key=form.cleaned_data["submission_key"],
    )


def tell_of_session(request: HttpRequest, opened: WorkSession | None) -> None:
    """Say so if what was submitted has opened a work session."""
    if opened is not None:
        messages.info(request, opened_message(opened))


def opened_message(session: WorkSession) -> str:
    """Say that a work session has been opened, with a link to the day."""
    start = date_format(timezone.localtime(session.started_at), "H:i")
    return format_html(
        "A work session has counted your time since {}. Pause or stop it on "
        '<a href="{}">your day</a>.',
        start,
        reverse("annotation:my_day"),
    )
