"""Addresses of evidence for claims: one claim, and batches of them."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import claim_batches, evidence

_BATCH = "evidence/batches/<str:token>"

urlpatterns: list[URLPattern] = [
    path("evidence/", evidence.find_evidence, name="find_evidence"),
    # "evidence/batches/" before the address of an answer.
    path("evidence/batches/", claim_batches.claim_batches, name="claim_batches"),
    path(
        "evidence/batches/new/", claim_batches.new_claim_batch, name="new_claim_batch"
    ),
    path(f"{_BATCH}/", claim_batches.claim_batch, name="claim_batch"),
    path(f"{_BATCH}/report.html", claim_batches.batch_report, name="batch_report"),
    path(f"{_BATCH}/report.jsonl", claim_batches.batch_lines, name="batch_lines"),
    path("evidence/<str:token>/", evidence.evidence_answer, name="evidence_answer"),
    path("evidence/<str:token>/keep/", evidence.keep_evidence, name="keep_evidence"),
    path(
        "evidence/<str:token>/release/",
        evidence.release_evidence,
        name="release_evidence",
    ),
    path("evidence/<str:token>/mark/", evidence.mark_evidence, name="mark_evidence"),
    path(
        "evidence/<str:token>/answer.json", evidence.evidence_json, name="evidence_json"
    ),
    path("evidence/<str:token>/answer.csv", evidence.evidence_csv, name="evidence_csv"),
]
