"""The addresses of benchmarks and submissions below ``/api/v1/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.api import benchmarks, submissions

app_name = "verification_api"

urlpatterns: list[URLPattern] = [
    path("benchmarks", benchmarks.BenchmarkList.as_view(), name="benchmarks"),
    path(
        "benchmarks/<slug:slug>", benchmarks.BenchmarkDetail.as_view(), name="benchmark"
    ),
    path(
        "benchmarks/<slug:slug>/files/<str:token>",
        benchmarks.BenchmarkFile.as_view(),
        name="benchmark_file",
    ),
    path(
        "benchmarks/<slug:slug>/phases/<int:number>/board",
        benchmarks.PhaseBoard.as_view(),
        name="board",
    ),
    path(
        "benchmarks/<slug:slug>/phases/<int:number>/submissions",
        submissions.PhaseSubmissions.as_view(),
        name="phase_submissions",
    ),
    path("submissions", submissions.SubmissionList.as_view(), name="submissions"),
    path(
        "submissions/<str:token>",
        submissions.SubmissionDetail.as_view(),
        name="submission",
    ),
    path(
        "submissions/<str:token>/submit",
        submissions.SubmissionSubmit.as_view(),
        name="submit",
    ),
    path(
        "submissions/<str:token>/publish",
        submissions.SubmissionPublication.as_view(),
        name="publish",
    ),
    path(
        "submissions/<str:token>/withdraw",
        submissions.SubmissionWithdrawal.as_view(),
        name="withdraw",
    ),
]
