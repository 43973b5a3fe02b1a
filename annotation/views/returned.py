"""Answering reviewers, and reading what was decided about own judgements."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.reviewing import DisagreeForm
from annotation.forms.work import AnswerForm, ReviseClaimForm
from annotation.models import Claim, Disagreement, Judgement, Stage
from annotation.negation_diff import Comparison, compare
from annotation.selectors import threads, work
from annotation.selectors.negations import answering_stage, trigger_reason
from annotation.services import claims, disagreements, judgements
from annotation.services.notices import read_notices_of_page
from annotation.services.review_notices import answer_page_of
from annotation.views.answers import answer_form
from annotation.views.clock import keep_time
from annotation.views.pages import render_project, require_accepted_texts
from annotation.views.writing_parts import negation_check
from corpus.exceptions import DomainError
from corpus.reading import Change, word_diff

DISAGREED = "Sent to another reviewer, with your answer."


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def revise_claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Answer requested changes to an own claim with another wording."""
    access, claim = _own_claim(request, slug, claim_id)
    form = _revise_form(request.POST or None, claim)
    if form.is_valid():
        try:
            claims.revise_claim(
                claim=claim,
                author=access.account,
                text=form.cleaned_data["text"],
                expected_version=form.cleaned_data["version"],
                submission_key=form.cleaned_data["submission_key"],
                trigger_reason=form.cleaned_data.get("trigger_reason", ""),
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            _take_as_read(access, claim)
            keep_time(access, Stage.WRITE, claim.pk, form)
            messages.success(request, "Sent back for proofreading.")
            return redirect(f"annotation:{_page_of(claim)}", slug)
    disagree_form = DisagreeForm(initial={"version": claim.version})
    return _claim_page(request, access, claim, form, disagree_form)


@login_required
@require_POST
@require_accepted_texts
def disagree_about_claim(
    request: HttpRequest, slug: str, claim_id: int
) -> HttpResponse:
    """Answer requested changes to an own claim once with "I disagree"."""
    access, claim = _own_claim(request, slug, claim_id)
    form = DisagreeForm(request.POST)
    if form.is_valid():
        try:
            disagreements.disagree_with_claim_review(
                claim=claim,
                author=access.account,
                text=form.cleaned_data["because"],
                expected_version=form.cleaned_data["version"],
                submission_key=form.cleaned_data["submission_key"],
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            _take_as_read(access, claim)
            messages.success(request, DISAGREED)
            return redirect(f"annotation:{_page_of(claim)}", slug)
    return _claim_page(request, access, claim, _revise_form(None, claim), form)


def _revise_form(data: QueryDict | None, claim: Claim) -> ReviseClaimForm:
    initial = {
        "text": claim.text,
        "version": claim.version,
        "trigger_reason": trigger_reason(claim) if claim.negates else "",
    }
    return ReviseClaimForm(data, initial=initial, is_negation=claim.negates is not None)


def _take_as_read(access: ProjectAccess, item: Claim | Judgement) -> None:
    """Whoever has answered, by whatever way they came, knows what came back."""
    read_notices_of_page(user=access.account, url=answer_page_of(item))


def _page_of(claim: Claim) -> str:
    """The page on which such a claim is written, and where the next one waits."""
    is_negated = answering_stage(claim) is Stage.NEGATE
    return "negate_claims" if is_negated else "write_claims"


def _own_claim(
    request: HttpRequest, slug: str, claim_id: int
) -> tuple[ProjectAccess, Claim]:
    access = door.get_project(request.user, slug)
    access.require(Stage.WRITE, Stage.NEGATE)
    own = access.project.claims.filter(author=access.account)
    return access, get_object_or_404(
        own.select_related("project", "negates"), pk=claim_id
    )


def _claim_page(
    request: HttpRequest,
    access: ProjectAccess,
    claim: Claim,
    form: ReviseClaimForm,
    disagree_form: DisagreeForm,
) -> HttpResponse:
    context = {
        "claim": claim,
        "form": form,
        "disagree_form": disagree_form,
        "may_disagree": not Disagreement.objects.filter(claim=claim).exists(),
        "is_returned": claim.state == Claim.State.CHANGES_REQUESTED,
        "thread": threads.claim_thread(access, claim),
        "parts": work.passage_parts(claim.source) if claim.source else None,
        "other_words": _other_words(claim, form),
        "comparison": _comparison(claim, form),
    }
    return render_project(
        request,
        access,
        "annotation/revise_claim.html",
        context,
        section=_page_of(claim),
    )


def _comparison(claim: Claim, form: ReviseClaimForm) -> Comparison | None:
    """A negation as it stands in its box, against its original."""
    if claim.negates is None:
        return None
    return compare(claim.negates.text, str(form["text"].value() or ""))


@login_required
@require_POST
@require_accepted_texts
def check_revision(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """Compare a returned negation, while it is typed, with its original."""
    _, claim = _own_claim(request, slug, claim_id)
    if claim.negates is None:
        raise Http404("This claim is no negation.")
    return negation_check(request, claim.negates.text)


def _other_words(claim: Claim, form: ReviseClaimForm) -> list[Change]:
    """What was sent meanwhile, from another tab perhaps, against what was sent now.

    Empty where nothing was sent but this.
    """
    seen = form.cleaned_data.get("version") if form.is_bound else None
    if seen is None or seen == claim.version:
        return []
    return word_diff(claim.text, form.cleaned_data.get("text", ""))


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def revise_judgement(
    request: HttpRequest, slug: str, judgement_id: int
) -> HttpResponse:
    """Answer requested changes to an own judgement with another answer."""
    access, judgement = _own_judgement(request, slug, judgement_id)
    form = answer_form(request, judgement.pair, judgement)
    if form.is_valid():
        try:
            judgements.revise_judgement(
                judgement=judgement,
                annotator=access.account,
                answer=form.answer(),
                expected_version=form.cleaned_data["version"] or 0,
                submission_key=form.cleaned_data["submission_key"],
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            _take_as_read(access, judgement)
            keep_time(access, Stage.VERIFY, judgement.pair_id, form)
            messages.success(request, "Sent back for review.")
            return redirect("annotation:verify_pairs", slug)
    disagree_form = DisagreeForm(initial={"version": judgement.version})
    return _judgement_page(request, access, judgement, form, disagree_form)


@login_required
@require_POST
@require_accepted_texts
def disagree_about_judgement(
    request: HttpRequest, slug: str, judgement_id: int
) -> HttpResponse:
    """Answer requested changes to an own judgement once with "I disagree"."""
    access, judgement = _own_judgement(request, slug, judgement_id)
    form = DisagreeForm(request.POST)
    if form.is_valid():
        try:
            disagreements.disagree_with_judgement_review(
                judgement=judgement,
                author=access.account,
                text=form.cleaned_data["because"],
                expected_version=form.cleaned_data["version"],
                submission_key=form.cleaned_data["submission_key"],
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            _take_as_read(access, judgement)
            messages.success(request, DISAGREED)
            return redirect("annotation:verify_pairs", slug)
    revise_form = answer_form(None, judgement.pair, judgement)
    return _judgement_page(request, access, judgement, revise_form, form)


def _own_judgement(
    request: HttpRequest, slug: str, judgement_id: int
) -> tuple[ProjectAccess, Judgement]:
    access = door.get_project(request.user, slug)
    access.require(Stage.VERIFY)
    return access, get_object_or_404(work.own_judgements(access), pk=judgement_id)


def _judgement_page(
    request: HttpRequest,
    access: ProjectAccess,
    judgement: Judgement,
    form: AnswerForm,
    disagree_form: DisagreeForm,
) -> HttpResponse:
    context: dict[str, Any] = {
        "pair": judgement.pair,
        "judgement": judgement,
        "form": form,
        "disagree_form": disagree_form,
        "may_disagree": not Disagreement.objects.filter(judgement=judgement).exists(),
        "is_returned": judgement.state == Judgement.State.CHANGES_REQUESTED,
        "thread": threads.judgement_thread(access, judgement),
    }
    return render_project(
        request,
        access,
        "annotation/revise_judgement.html",
        context,
        section="verify_pairs",
    )


@login_required
@require_GET
@require_accepted_texts
def judgement(request: HttpRequest, slug: str, judgement_id: int) -> HttpResponse:
    """Read a judgement with everything that was said about it."""
    access = door.get_project(request.user, slug)
    found = get_object_or_404(
        access.judgements().select_related(*work.JUDGEMENT_PARTS), pk=judgement_id
    )
    is_own = found.annotator_id == access.account.pk
    state = Judgement.State(found.state)
    context = {
        "judgement": found,
        "state": state.told if is_own else state,
        "pair": found.pair,
        "sentences": work.marked_sentences(found),
        "thread": threads.judgement_thread(access, found),
        "is_returned": is_own and found.state == Judgement.State.CHANGES_REQUESTED,
    }
    return render_project(request, access, "annotation/judgement.html", context)
