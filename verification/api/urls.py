"""The addresses of benchmarks and submissions below ``/api/v1/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.api import benchmarks, evidence, submissions

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
    path("systems", evidence.SystemList.as_view(), name="systems"),
    path("evidence", evidence.ClaimList.as_view(), name="evidence"),
    path("evidence/<str:token>", evidence.ClaimDetail.as_view(), name="claim_evidence"),
    path(
        "evidence/<str:token>/keep",
        evidence.ClaimKeep.as_view(),
        name="keep_evidence",
    ),
    path(
        "evidence/<str:token>/marks",
        evidence.ClaimMarks.as_view(),
        name="evidence_marks",
    ),
    path("claim-batches", evidence.BatchList.as_view(), name="claim_batches"),
    path(
        "claim-batches/<str:token>", evidence.BatchDetail.as_view(), name="claim_batch"
    ),
    path(
        "claim-batches/<str:token>/answers",
        evidence.BatchAnswers.as_view(),
        name="batch_answers",
    ),
]
