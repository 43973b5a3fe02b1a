"""Addresses of uploads, submissions and their pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import claims, submissions

urlpatterns: list[URLPattern] = [
    path(
        "benchmarks/<slug:slug>/phases/<int:number>/submit/",
        submissions.new_submission,
        name="new_submission",
    ),
    path(
        "benchmarks/<slug:slug>/submissions/",
        submissions.benchmark_submissions,
        name="benchmark_submissions",
    ),
    path("submissions/", submissions.list_submissions, name="submissions"),
    path("submissions/<str:token>/", submissions.submission, name="submission"),
    path("submissions/<str:token>/submit/", submissions.submit, name="submit"),
    path("submissions/<str:token>/publish/", submissions.publish, name="publish"),
    path("submissions/<str:token>/withdraw/", submissions.withdraw, name="withdraw"),
    path("submissions/<str:token>/put-back/", submissions.put_back, name="put_back"),
    path("submissions/<str:token>/describe/", submissions.describe, name="describe"),
    path(
        "submissions/<str:token>/file/",
        submissions.download_predictions,
        name="download_predictions",
    ),
    path(
        "submissions/<str:token>/claims/",
        claims.submission_claims,
        name="submission_claims",
    ),
    path("submissions/<str:token>/claims/tag/", claims.tag_claim, name="tag_claim"),
    path("submissions/<str:token>/compare/", claims.compare, name="compare_runs"),
]
