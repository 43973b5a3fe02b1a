"""Writing claims, and negating them."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import claims, negating, pair_writing

PROJECT = "projects/<slug:slug>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{PROJECT}write/", claims.write_claims, name="write_claims"),
    path(f"{PROJECT}write/<int:source_id>/", claims.write_source, name="write_source"),
    path(
        f"{PROJECT}write/<int:source_id>/check/",
        claims.check_claim_text,
        name="check_claim",
    ),
    path(
        f"{PROJECT}write/<int:source_id>/compare/",
        pair_writing.compare_pair,
        name="compare_pair",
    ),
    path(
        f"{PROJECT}write/<int:source_id>/skip/",
        claims.skip_source,
        name="skip_source",
    ),
    path(
        f"{PROJECT}write/<int:source_id>/withdraw/",
        claims.withdraw_claims,
        name="withdraw_claims",
    ),
    path(f"{PROJECT}negate/", negating.negate_claims, name="negate_claims"),
    path(
        f"{PROJECT}negate/<int:claim_id>/", negating.negate_claim, name="negate_claim"
    ),
    path(
        f"{PROJECT}negate/<int:claim_id>/check/",
        negating.check_negation,
        name="check_negation",
    ),
    path(
        f"{PROJECT}negate/<int:claim_id>/skip/",
        negating.skip_negation,
        name="skip_negation",
    ),
    path(
        f"{PROJECT}negations/<int:claim_id>/withdraw/",
        negating.withdraw_negation,
        name="withdraw_negation",
    ),
]
