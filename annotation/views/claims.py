"""Writing claims."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.work import ReasonForm, WriteClaimsForm
from annotation.models import Source, Stage
from annotation.protocols import NegationStep
from annotation.selectors import queue, work, writing
from annotation.selectors.dashboard import waiting_elsewhere
from annotation.services import claims, leases, withdrawals
from annotation.services.sources import skip_source as put_aside
from annotation.views.clock import keep_time, tell_of_session
from annotation.views.hypotheses import hypothesis_page, proposed_text
from annotation.views.pages import render_project, require_accepted_texts
from annotation.views.pair_writing import write_pair
from annotation.views.writing_parts import remarks, source_page, take_source
from corpus.exceptions import DomainError


@login_required
@require_GET
@require_accepted_texts
def write_claims(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to returned work, else to the next open source."""
    access = door.get_project(request.user, slug)
    access.require(Stage.WRITE)
    if returned := work.returned_claims(access).first():
        return redirect("annotation:revise_claim", slug, returned.pk)
    if lease := leases.take_next(access=access, stage=Stage.WRITE):
        return redirect("annotation:write_source", slug, lease.item_id)
    context = {
        "last": writing.last_written(access),
        "notice": queue.why_nothing(access, Stage.WRITE),
        "waiting": waiting_elsewhere(access, "write_claims"),
    }
    return render_project(request, access, "annotation/write_claims.html", context)


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def write_source(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Write the claims of one source."""
    access = door.get_project(request.user, slug)
    is_sent = request.method == "POST"
    sources = work.sendable_sources(access) if is_sent else work.own_sources(access)
    source = get_object_or_404(sources, pk=source_id)
    if access.project.rules.negation is NegationStep.AT_ONCE:
        return write_pair(request, access, source)
    again = writing.taken_back(access, source, request.GET.get("again", ""))
    form = WriteClaimsForm(
        request.POST or None,
        rules=access.project.rules,
        initial=proposed_text(source)
        | {
            f"{name}_{number}": value
            for number, claim in enumerate(again, start=1)
            for name, value in (("text", claim.text), ("kind", claim.kind))
        },
    )
    if not is_sent:
        if not take_source(request, access, source):
            return redirect("annotation:write_claims", slug)
    elif form.is_valid() and _submit(request, access, source, form):
        return redirect("annotation:write_claims", slug)
    context = source_page(access, source) | hypothesis_page(access, source)
    context |= {"form": form, "boxes": _boxes(source, form)}
    return render_project(request, access, "annotation/write_source.html", context)


def _submit(
    request: HttpRequest, access: ProjectAccess, source: Source, form: WriteClaimsForm
) -> bool:
    key = form.cleaned_data["submission_key"]
    try:
        written = claims.write_claims(
            source=source,
            author=access.account,
            drafts=form.drafts(),
            submission_key=key,
        )
    except DomainError as error:
        form.add_error(None, str(error))
        return False
    opened = keep_time(access, Stage.WRITE, source.pk, form)
    tell_of_session(request, opened)
    messages.success(request, f"Submitted: {len(written)} for proofreading.")
    return True


def _boxes(source: Source, form: WriteClaimsForm) -> list[dict[str, object]]:
    return [
        {
            "number": number,
            "field": field,
            "kind": kind,
            "warnings": remarks(
                source, str(field.value() or ""), str(kind.value() if kind else "")
            ),
        }
        for number, field, kind in form.boxes()
    ]


@login_required
@require_POST
@require_accepted_texts
def check_claim_text(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Say what is unusual about what somebody is typing; nothing is kept."""
    access = door.get_project(request.user, slug)
    source = get_object_or_404(work.own_sources(access), pk=source_id)
    box = request.POST.get("box", "")
    number = box if box.isdecimal() and len(box) < 4 else "1"
    text = request.POST.get(f"text_{number}", "")
    kind = request.POST.get(f"kind_{number}", "")
    context = {"warnings": remarks(source, text, kind), "number": number}
    return render(request, "annotation/_claim_warnings.html", context)


@login_required
@require_POST
@require_accepted_texts
def skip_source(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Put a source aside with a reason."""
    access = door.get_project(request.user, slug)
    source = get_object_or_404(work.sources_to_write(access), pk=source_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say why this one is skipped.")
        return redirect("annotation:write_source", slug, source_id)
    try:
        put_aside(
            source=source, actor=access.account, reason=form.cleaned_data["reason"]
        )
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Skipped. An admin sees why, and can reopen it.")
    return redirect("annotation:write_claims", slug)


@login_required
@require_POST
@require_accepted_texts
def withdraw_claims(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Take back what was written from a source; the texts come back."""
    access = door.get_project(request.user, slug)
    access.require(Stage.WRITE)
    own = access.sources().filter(closed_by=access.account)
    source = get_object_or_404(own, pk=source_id)
    try:
        taken = withdrawals.withdraw_from_source(source=source, author=access.account)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("annotation:write_claims", slug)
    messages.success(request, "Taken back. Change it and submit it again.")
    url = reverse("annotation:write_source", args=[slug, source.pk])
    return redirect(f"{url}?again={min(claim.pk for claim in taken)}")
