"""Proofreading claims."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.claim_checks import check_claim
from annotation.forms.reviewing import ProofreadForm
from annotation.models import Claim, Review, Stage
from annotation.review_reasons import CLAIM_REASONS
from annotation.selectors import review_queue, threads, work
from annotation.services import claim_reviews
from annotation.views.clock import keep_time
from annotation.views.deciding import (
    Desk,
    done_before,
    is_alone,
    keys_of_reviewer,
    show_queue,
    take_back,
    to_next,
    why_not,
)
from annotation.views.pages import render_project, require_accepted_texts
from corpus.exceptions import DomainError

DESK = Desk(
    stage=Stage.PROOFREAD,
    noun="claim",
    list_page="proofread_claims",
    item_page="proofread_claim",
    next_page="proofread_next",
    reasons=CLAIM_REASONS,
)
Decision = Review.Decision


@login_required
@require_GET
@require_accepted_texts
def proofread_claims(request: HttpRequest, slug: str) -> HttpResponse:
    """List the claims that wait for proofreading."""
    access = door.get_project(request.user, slug)
    rows = review_queue.claim_queue(access)
    return show_queue(request, access, DESK, rows)


@login_required
@require_POST
@require_accepted_texts
def proofread_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin with the claim that is next."""
    access = door.get_project(request.user, slug)
    access.require(Stage.PROOFREAD)
    return to_next(access, DESK)


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def proofread_claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Decide on one claim."""
    access = door.get_project(request.user, slug)
    access.require(Stage.PROOFREAD)
    claim = get_object_or_404(
        access.claims().select_related("author", "negates", "project"), pk=claim_id
    )
    initial = {"text": claim.text, "version": claim.version}
    form = ProofreadForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            _decide(claim, access, form)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            keep_time(access, DESK.stage, claim.pk, form)
            return to_next(access, DESK, _last_decision(claim, access))
    context = {**_page(access, claim), **done_before(request, access), "form": form}
    return render_project(request, access, "annotation/proofread_claim.html", context)


def _page(access: ProjectAccess, claim: Claim) -> dict[str, Any]:
    refusal = ""
    if claim.state == Claim.State.SUBMITTED:
        refusal = why_not(access, DESK, claim)
    parts = work.passage_parts(claim.source) if claim.source else None
    return {
        "desk": DESK,
        **keys_of_reviewer(access.account),
        "claim": claim,
        "parts": parts,
        "warnings": check_claim(
            claim.text,
            source_text=parts.citance if parts else "",
            max_words=access.project.rules.max_claim_words,
        ),
        "thread": threads.claim_thread(access, claim),
        "is_open": claim.state == Claim.State.SUBMITTED and not refusal,
        "refusal": refusal,
        "is_alone": is_alone(claim, access.account.pk),
    }


def _last_decision(claim: Claim, access: ProjectAccess) -> Review | None:
    mine = Review.objects.filter(
        claim_version__claim=claim, reviewer=access.account, undone_at=None
    )
    return mine.order_by("-pk").first()


def _decide(claim: Claim, access: ProjectAccess, form: ProofreadForm) -> None:
    values = {"claim": claim, "reviewer": access.account, **form.explained()}
    data = form.cleaned_data
    if data["decision"] in {Decision.APPROVE, Decision.FIX_AND_APPROVE}:
        claim_reviews.fix_and_approve_claim(**values, text=data["text"])
        return
    refuse = {
        Decision.REQUEST_CHANGES: claim_reviews.request_claim_changes,
        Decision.REJECT: claim_reviews.reject_claim,
    }[data["decision"]]
    refuse(**values, reason_code=data["reason_code"])


@login_required
@require_POST
@require_accepted_texts
def undo_claim_review(request: HttpRequest, slug: str, review_id: int) -> HttpResponse:
    """Take an own decision back while nobody has acted on it."""
    access = door.get_project(request.user, slug)
    access.require(Stage.PROOFREAD)
    review = get_object_or_404(
        Review,
        pk=review_id,
        project=access.project,
        reviewer=access.account,
        claim_version__isnull=False,
    )
    return take_back(request, access, DESK, review)
