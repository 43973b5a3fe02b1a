"""Negating approved claims: the queue, the page, skipping and taking back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.negating import NegationForm, SkipNegationForm
from annotation.models import Claim, Stage
from annotation.models import Draft as KeptDraft
from annotation.negation_diff import compare
from annotation.selectors import negations as selectors
from annotation.selectors import queue, work
from annotation.selectors.dashboard import waiting_elsewhere
from annotation.services import leases, negations, withdrawals
from annotation.services.drafts import drop_draft
from annotation.views.clock import keep_time, tell_of_session
from annotation.views.pages import render_project, require_accepted_texts
from annotation.views.writing_parts import negation_check
from corpus.exceptions import DomainError


@login_required
@require_GET
@require_accepted_texts
def negate_claims(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to returned negations, else to the next claim without a negation."""
    access = door.get_project(request.user, slug)
    access.require(Stage.NEGATE)
    if returned := work.returned_negations(access).first():
        return redirect("annotation:revise_claim", slug, returned.pk)
    if lease := leases.take_next(access=access, stage=Stage.NEGATE):
        return redirect("annotation:negate_claim", slug, lease.item_id)
    context = {
        "rules": access.project.rules,
        "last": selectors.last_negation(access),
        "notice": queue.why_nothing(access, Stage.NEGATE),
        "waiting": waiting_elsewhere(access, "negate_claims"),
    }
    return render_project(request, access, "annotation/negate_claims.html", context)


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def negate_claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Write the negation of one claim."""
    access = door.get_project(request.user, slug)
    access.require(Stage.NEGATE)
    original = _original(request, access, claim_id)
    form = NegationForm(request.POST or None, initial=_initial(request, original))
    if request.method == "GET":
        try:
            leases.take_item(access=access, stage=Stage.NEGATE, item_id=original.pk)
        except DomainError as error:
            messages.info(request, str(error))
            return redirect("annotation:negate_claims", slug)
    elif form.is_valid() and _submit(request, access, original, form):
        return redirect("annotation:negate_claims", slug)
    text = str(form["text"].value() or "")
    context = {
        "claim": original,
        "source": original.source,
        "parts": work.passage_parts(original.source) if original.source else None,
        "form": form,
        "skip_form": SkipNegationForm(),
        "comparison": compare(original.text, text),
        "last": selectors.last_negation(access),
        "left": queue.left_for(access, Stage.NEGATE),
        "draft_kind": KeptDraft.Kind.NEGATE,
    }
    return render_project(request, access, "annotation/negate_claim.html", context)


def _original(request: HttpRequest, access: ProjectAccess, claim_id: int) -> Claim:
    """An original of the project, approved as long as nothing is sent.

    Who wrote it does not matter.
    """
    claims = work.sendable_originals(access)
    if request.method == "GET":
        claims = claims.filter(state=Claim.State.APPROVED)
    return get_object_or_404(claims, pk=claim_id)


def _initial(request: HttpRequest, original: Claim) -> dict[str, str]:
    """Start from the original; after an undo, from what was taken back."""
    again = request.GET.get("again", "")
    if again.isdecimal() and len(again) < 19:
        taken = original.negations.filter(
            pk=int(again), author=request.user.pk, state=Claim.State.WITHDRAWN
        ).first()
        if taken:
            reason = selectors.trigger_reason(taken)
            return {"text": taken.text, "trigger_reason": reason}
    return {"text": original.text}


def _submit(
    request: HttpRequest, access: ProjectAccess, original: Claim, form: NegationForm
) -> bool:
    data = form.cleaned_data
    try:
        negations.negate_claim(
            original=original,
            author=access.account,
            text=data["text"],
            submission_key=data["submission_key"],
            trigger_reason=data["trigger_reason"],
        )
    except DomainError as error:
        form.add_error(None, str(error))
        return False
    opened = keep_time(access, Stage.NEGATE, original.pk, form)
    tell_of_session(request, opened)
    messages.success(request, "Submitted: the negation waits for proofreading.")
    return True


@login_required
@require_POST
@require_accepted_texts
def check_negation(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Compare what somebody is typing with the original; nothing is kept."""
    access = door.get_project(request.user, slug)
    access.require(Stage.NEGATE)
    original = _original(request, access, claim_id)
    return negation_check(request, original.text)


@login_required
@require_POST
@require_accepted_texts
def skip_negation(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Leave a claim without a negation, with a reason."""
    access = door.get_project(request.user, slug)
    access.require(Stage.NEGATE)
    original = _original(request, access, claim_id)
    form = SkipNegationForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say why there is no negation.")
        return redirect("annotation:negate_claim", slug, claim_id)
    try:
        leases.skip_item(
            access=access,
            stage=Stage.NEGATE,
            item_id=original.pk,
            reason=form.reason(),
        )
    except DomainError as error:
        messages.error(request, str(error))
    else:
        drop_draft(user=access.account, kind=KeptDraft.Kind.NEGATE, item_id=original.pk)
        messages.success(request, "Skipped. An admin sees why, and can bring it back.")
    return redirect("annotation:negate_claims", slug)


@login_required
@require_POST
@require_accepted_texts
def withdraw_negation(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Take back an own negation that nobody has acted on; its text comes back."""
    access = door.get_project(request.user, slug)
    access.require(Stage.NEGATE)
    own = access.project.claims.filter(author=access.account, negates__isnull=False)
    negation = get_object_or_404(own, pk=claim_id)
    try:
        withdrawals.withdraw_negation(negation=negation, author=access.account)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("annotation:negate_claims", slug)
    messages.success(request, "Taken back. Change it and submit it again.")
    url = reverse("annotation:negate_claim", args=[slug, negation.negates_id])
    return redirect(f"{url}?again={negation.pk}")
