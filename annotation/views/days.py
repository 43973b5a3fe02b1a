"""A person's day and week, and the pay sheets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation import access as door
from annotation import work_hours
from annotation.forms.times import chosen_day, chosen_week
from annotation.models import Stage, WorkSession
from annotation.selectors import days
from annotation.selectors.pay_sheets import pay_sheet
from annotation.services.work_time import open_session
from annotation.views.people import signed_in
from corpus.models import User


def reader_zone(user: User) -> ZoneInfo:
    """Return the zone in which the reader's pages show times."""
    zone = timezone.get_current_timezone()
    return zone if isinstance(zone, ZoneInfo) else ZoneInfo(user.time_zone)


@login_required
@require_GET
def my_day(request: HttpRequest) -> HttpResponse:
    """Show one day: time, pieces of work, what came back, and the sessions."""
    user = signed_in(request)
    zone, now = reader_zone(user), timezone.now()
    today = timezone.localdate()
    day = chosen_day(request.GET.get("date"), today)
    window = work_hours.day_span(day, zone)
    sessions = days.sessions_in(WorkSession.objects.filter(person=user), window)
    running = open_session(user)
    context = {
        "section": "day",
        "day": days.days_of(user, [day], zone, sessions, now)[0],
        "is_today": day == today,
        "previous_day": day - timedelta(days=1),
        "next_day": day + timedelta(days=1) if day < today else None,
        "week": work_hours.week_name(day),
        "zone": zone.key,
        "rows": days.session_rows(sessions, window, now),
        "running": running if running and not running.is_forgotten(now) else None,
        "projects": days.projects_to_work_in(user),
        "returned": days.returned_now(user),
        "active_times": days.active_times(user, window),
        "idle_minutes": work_hours.IDLE_LIMIT.seconds // 60,
        "counted_minutes": work_hours.COUNTED_AFTER_LAST_ACTIVITY.seconds // 60,
    }
    return render(request, "annotation/my_day.html", context)


@login_required
@require_GET
def my_week(request: HttpRequest) -> HttpResponse:
    """Show the seven days of a week."""
    user = signed_in(request)
    zone, now = reader_zone(user), timezone.now()
    week = chosen_week(request.GET.get("week"), timezone.localdate())
    dates = work_hours.week_days(week)
    window = work_hours.days_span(dates, zone)
    sessions = days.sessions_in(WorkSession.objects.filter(person=user), window)
    found = days.days_of(user, dates, zone, sessions, now)
    columns = zip(*(day.cells for day in found), strict=True)
    context = {
        "section": "day",
        "week": week,
        "days": found,
        "kinds": days.KINDS,
        "seconds": sum(day.seconds for day in found),
        "totals": [sum(column) for column in columns],
        "came_back": sum(day.came_back for day in found),
        "previous_week": work_hours.week_name(dates[0] - timedelta(days=7)),
        "next_week": work_hours.week_name(dates[-1] + timedelta(days=1))
        if dates[-1] < timezone.localdate()
        else None,
        "zone": zone.key,
    }
    return render(request, "annotation/my_week.html", context)


@login_required
@require_GET
def my_week_csv(request: HttpRequest) -> HttpResponseBase:
    """Send the reader's own pay sheet of a week."""
    user = signed_in(request)
    return _pay_sheet(
        request, user, WorkSession.objects.filter(person=user), "work-time"
    )


@login_required
@require_GET
def project_week_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the pay sheet of all members of a project; for its admins."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    sessions = access.project.work_sessions.all()
    return _pay_sheet(request, access.account, sessions, f"work-time-{slug}")


def _pay_sheet(
    request: HttpRequest, user: User, sessions: Any, name: str
) -> HttpResponseBase:
    zone = reader_zone(user)
    week = chosen_week(request.GET.get("week"), timezone.localdate())
    window = work_hours.days_span(work_hours.week_days(week), zone)
    found = days.sessions_in(sessions, window)
    return StreamingHttpResponse(
        pay_sheet(found, week, zone, timezone.now()),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}-{week}.csv"',
            "Cache-Control": "no-store",
        },
    )
