"""The addresses of benchmarks, submissions and boards; one module per area."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

from verification.urls import (
    benchmarks,
    boards,
    evidence,
    organising,
    submissions,
    teams,
)

app_name = "verification"
urlpatterns: list[URLPattern | URLResolver] = [
    # "benchmarks/new/" before the address of a benchmark.
    *organising.urlpatterns,
    *benchmarks.urlpatterns,
    *submissions.urlpatterns,
    *boards.urlpatterns,
    *teams.urlpatterns,
    *evidence.urlpatterns,
]
