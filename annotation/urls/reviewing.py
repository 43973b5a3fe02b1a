"""Proofreading, reviewing and adjudicating, and answering reviewers."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from annotation.views import adjudicating, proofreading, returned, reviewing

PROJECT = "projects/<slug:slug>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        f"{PROJECT}proofread/", proofreading.proofread_claims, name="proofread_claims"
    ),
    path(
        f"{PROJECT}proofread/<int:claim_id>/",
        proofreading.proofread_claim,
        name="proofread_claim",
    ),
    path(
        f"{PROJECT}proofread/next/", proofreading.proofread_next, name="proofread_next"
    ),
    path(
        f"{PROJECT}proofread/undo/<int:review_id>/",
        proofreading.undo_claim_review,
        name="undo_claim_review",
    ),
    path(
        f"{PROJECT}claims/<int:claim_id>/disagree/",
        returned.disagree_about_claim,
        name="disagree_about_claim",
    ),
    path(
        f"{PROJECT}judgements/<int:judgement_id>/disagree/",
        returned.disagree_about_judgement,
        name="disagree_about_judgement",
    ),
    path(
        f"{PROJECT}judgements/<int:judgement_id>/",
        returned.judgement,
        name="judgement",
    ),
    path(
        f"{PROJECT}claims/<int:claim_id>/revise/",
        returned.revise_claim,
        name="revise_claim",
    ),
    path(
        f"{PROJECT}claims/<int:claim_id>/revise/check/",
        returned.check_revision,
        name="check_revision",
    ),
    path(
        f"{PROJECT}judgements/<int:judgement_id>/revise/",
        returned.revise_judgement,
        name="revise_judgement",
    ),
    path(f"{PROJECT}review/", reviewing.review_judgements, name="review_judgements"),
    path(f"{PROJECT}review/next/", reviewing.review_next, name="review_next"),
    path(
        f"{PROJECT}review/undo/<int:review_id>/",
        reviewing.undo_judgement_review,
        name="undo_judgement_review",
    ),
    path(
        f"{PROJECT}review/<int:judgement_id>/",
        reviewing.review_judgement,
        name="review_judgement",
    ),
    path(
        f"{PROJECT}adjudicate/", adjudicating.adjudicate_pairs, name="adjudicate_pairs"
    ),
    path(
        f"{PROJECT}adjudicate/next/",
        adjudicating.adjudicate_next,
        name="adjudicate_next",
    ),
    path(
        f"{PROJECT}adjudicate/undo/<int:pk>/",
        adjudicating.undo_adjudicate,
        name="undo_adjudicate",
    ),
    path(
        f"{PROJECT}adjudicate/<int:pair_id>/",
        adjudicating.adjudicate_pair,
        name="adjudicate_pair",
    ),
]
