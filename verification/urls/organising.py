"""Addresses of what organisers do."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import gold, organising, runs

_PHASE = "benchmarks/<slug:slug>/phases/<int:number>"

urlpatterns: list[URLPattern] = [
    path("benchmarks/new/", gold.new_benchmark, name="new_benchmark"),
    path(
        "benchmarks/new/<str:task>/",
        gold.create_benchmark,
        name="create_benchmark",
    ),
    path("benchmarks/<slug:slug>/organise/", organising.organise, name="organise"),
    path(
        "benchmarks/<slug:slug>/edit/", organising.edit_benchmark, name="edit_benchmark"
    ),
    path("benchmarks/<slug:slug>/gold/new/", gold.new_gold, name="new_gold"),
    path("benchmarks/<slug:slug>/phases/new/", organising.new_phase, name="new_phase"),
    path(
        f"{_PHASE}/edit/",
        organising.edit_phase,
        name="edit_phase",
    ),
    path(
        f"{_PHASE}/opening/",
        organising.move_opening,
        name="move_opening",
    ),
    path(
        f"{_PHASE}/deadline/",
        organising.move_deadline,
        name="move_deadline",
    ),
    path(f"{_PHASE}/submissions/", runs.phase_submissions, name="phase_submissions"),
    path(f"{_PHASE}/runs.zip", runs.download_runs, name="download_runs"),
    path(f"{_PHASE}/score-again/", runs.score_again, name="score_again"),
    path(
        "benchmarks/<slug:slug>/submissions/<str:token>/disqualify/",
        runs.disqualify,
        name="disqualify",
    ),
    path("benchmarks/<slug:slug>/announce/", organising.announce, name="announce"),
    path(
        "benchmarks/<slug:slug>/organisers/",
        organising.invite_organiser,
        name="invite_organiser",
    ),
    path(
        "benchmarks/organisers/join/<str:token>/",
        organising.join_organisers,
        name="join_organisers",
    ),
    path(
        "benchmarks/organisers/join/<str:token>/accept/",
        organising.accept_organising,
        name="accept_organising",
    ),
    path(
        "benchmarks/<slug:slug>/organisers/<int:pk>/remove/",
        organising.remove_organiser,
        name="remove_organiser",
    ),
]
