"""Skipped sources, verifying pairs, and the list of claims."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import claim_records, judgements, sources

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "projects/<slug:slug>/skipped/",
        sources.skipped_sources,
        name="skipped_sources",
    ),
    path(
        "projects/<slug:slug>/skipped/<int:source_id>/reopen/",
        sources.reopen_source,
        name="reopen_source",
    ),
    path("projects/<slug:slug>/claims/", claim_records.claims, name="claims"),
    path(
        "projects/<slug:slug>/claims/<int:claim_id>/",
        claim_records.claim,
        name="claim",
    ),
    path(
        "projects/<slug:slug>/claims/<int:claim_id>/retire/",
        claim_records.retire_claim,
        name="retire_claim",
    ),
    path("projects/<slug:slug>/verify/", judgements.verify_pairs, name="verify_pairs"),
    path(
        "projects/<slug:slug>/verify/<int:pair_id>/",
        judgements.verify_pair,
        name="verify_pair",
    ),
]
