"""Reading claims with everything that hangs on them, and retiring them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.forms.work import RetireForm
from annotation.models import Claim, Stage
from annotation.selectors import threads, work
from annotation.services.retiring import retire_claim as retire
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.paging import keyset_page


@login_required
@require_GET
def claims(request: HttpRequest, slug: str) -> HttpResponse:
    """List the claims that the user may see: all with oversight, else their own."""
    access = door.get_project(request.user, slug)
    state = request.GET.get("state", "")
    rows = work.claim_rows(access, state if state in Claim.State.values else "")
    context = {
        "page": keyset_page(rows, request.GET.get("after"), key="position"),
        "states": Claim.State.choices,
        "state": state,
    }
    return render_project(request, access, "annotation/claims.html", context)


@login_required
@require_GET
def claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Show a claim: its versions, pairs, judgements and history."""
    access = door.get_project(request.user, slug)
    found = get_object_or_404(
        access.claims().select_related("author", "source__citance__passage__article"),
        pk=claim_id,
    )
    context = {
        "claim": found,
        "parts": work.passage_parts(found.source) if found.source else None,
        "thread": threads.claim_thread(access, found),
        "pairs": work.pair_rows(access, found),
        "history": work.claim_history(found),
        "retire_form": RetireForm(),
    }
    return render_project(request, access, "annotation/claim.html", context)


@login_required
@require_POST
def retire_claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Take a claim out of the data set."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    found = get_object_or_404(access.claims(), pk=claim_id)
    form = RetireForm(request.POST)
    try:
        reason = form.cleaned_data["reason"] if form.is_valid() else ""
        retire(claim=found, actor=access.account, reason=reason)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The claim is retired. Nothing was deleted.")
    return redirect("annotation:claim", slug, claim_id)
