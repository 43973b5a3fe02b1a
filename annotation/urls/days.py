"""Working time: days, weeks, sessions and pay sheets."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import days, sessions

urlpatterns: list[URLPattern | URLResolver] = [
    path("me/day/", days.my_day, name="my_day"),
    path("me/week/", days.my_week, name="my_week"),
    path("me/week.csv", days.my_week_csv, name="my_week_csv"),
    path("me/work/new/", sessions.enter_work, name="enter_work"),
    path("me/work/<int:pk>/pause/", sessions.pause_work, name="pause_work"),
    path("me/work/<int:pk>/resume/", sessions.resume_work, name="resume_work"),
    path("me/work/<int:pk>/stop/", sessions.stop_work, name="stop_work"),
    path("me/work/<int:pk>/correct/", sessions.correct_work, name="correct_work"),
    path(
        "me/work/<int:pk>/measured/",
        sessions.withdraw_correction,
        name="withdraw_correction",
    ),
    path("projects/<slug:slug>/work/start/", sessions.start_work, name="start_work"),
    path(
        "projects/<slug:slug>/guideline/<int:guideline_id>/reading/",
        sessions.clock_reading,
        name="clock_reading",
    ),
    path(
        "projects/<slug:slug>/work-time.csv",
        days.project_week_csv,
        name="project_week_csv",
    ),
]
