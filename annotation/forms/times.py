"""Forms about working time: the day shown, and corrections."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from annotation import work_hours
from annotation.forms.fields import LongTextField
from annotation.models import Project, WorkSession


class _Minute(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class SessionForm(forms.Form):
    """From when to when somebody worked, without breaks, and why it is written down."""

    started_at = forms.DateTimeField(label="From", widget=_Minute)
    ended_at = forms.DateTimeField(label="Until", widget=_Minute)
    break_minutes = forms.IntegerField(
        label="Breaks in minutes", min_value=0, max_value=24 * 60, initial=0
    )
    reason = LongTextField(
        label="Reason",
        rows=2,
        max_length=500,
        help_text="Whoever reads the pay sheet sees it.",
    )

    def values(self) -> dict[str, Any]:
        """The cleaned values as the services take them."""
        data = self.cleaned_data
        return {
            "started_at": data["started_at"],
            "ended_at": data["ended_at"],
            "break_length": timedelta(minutes=data["break_minutes"]),
            "reason": data["reason"],
        }


class NewSessionForm(SessionForm):
    """Work that nothing has measured, in one of the person's projects."""

    field_order = ("project", "started_at", "ended_at", "break_minutes", "reason")
    project = forms.ModelChoiceField(Project.objects.none(), empty_label=None)

    def __init__(self, *args: Any, projects: list[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["project"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = Project.objects.filter(
                pk__in=[project.pk for project in projects]
            )


def session_times(session: WorkSession) -> dict[str, Any]:
    """What a correction starts from: the times that count now."""
    now = timezone.now()
    start = session.corrected_started_at or session.started_at
    end = session.corrected_ended_at or session.measured_end(now)
    worked = work_hours.total_seconds(session.spans(now))
    pause = work_hours.Span(start, end).seconds - worked
    return {
        "started_at": start,
        "ended_at": end,
        "break_minutes": round(pause / 60),
        "reason": session.correction_reason,
    }


def chosen_day(text: str | None, today: date) -> date:
    """Return the day that an address asks for; today if it names none."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return today
    return day if 2000 <= day.year <= 2200 else today


def chosen_week(text: str | None, today: date) -> str:
    """Return the week that an address asks for; this one if it names none."""
    try:
        return work_hours.week_name(work_hours.week_days(text or "")[0])
    except ValueError:
        return work_hours.week_name(today)
