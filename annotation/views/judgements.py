"""Verifying pairs: the next one, submitting, taking back, leaving to others."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.judging import JudgeForm
from annotation.models import Judgement, Pair, Stage
from annotation.selectors import verifying, work
from annotation.selectors.dashboard import waiting_elsewhere
from annotation.services.judgement_withdrawals import (
    withdraw_judgement,
    withdraw_last,
)
from annotation.services.judgements import examine
from annotation.services.leases import take_next
from annotation.services.next_work import next_work
from annotation.services.verifying import submit_answer
from annotation.views.answers import show_late_answer
from annotation.views.holding import hold
from annotation.views.judging import (
    GONE,
    help_keys,
    is_piece,
    item_context,
    judge_form,
    page_context,
    refuse,
    show_pair,
)
from annotation.views.pages import render_project, require_accepted_texts
from corpus.exceptions import DomainError
from corpus.templatetags.claimdesk import word_of
from corpus.text import row_key


@never_cache
@login_required
@require_GET
@require_accepted_texts
def verify_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to returned work, else to the next open pair."""
    access = door.get_project(request.user, slug)
    access.require(Stage.VERIFY)
    found = next_work(access, Stage.VERIFY)
    if found.returned is not None:
        return redirect("annotation:revise_judgement", slug, found.returned.pk)
    if found.lease is not None:
        return redirect("annotation:verify_pair", slug, found.lease.item_id)
    context = {
        "notice": found.notice,
        "waiting": waiting_elsewhere(access, "verify_pairs"),
        **page_context(access),
    }
    return render_project(request, access, "annotation/verify_pairs.html", context)


@never_cache
@login_required
@require_GET
@require_accepted_texts
def next_pair(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the piece of the pair after ``besides``, to be shown when it is done.

    204 with the address of the page that comes instead: returned work, or the page
    that says that nothing waits.
    """
    access = door.get_project(request.user, slug)
    access.require(Stage.VERIFY)
    besides = row_key(request.GET.get("besides"))
    if not work.returned_judgements(access).exists():
        lease = take_next(access=access, stage=Stage.VERIFY, besides=besides)
        pair = verifying.open_pair(access, lease.item_id) if lease else None
        if pair is not None:
            return _piece(request, access, pair, besides)
    response = HttpResponse(status=204)
    response["X-Next-Page"] = reverse("annotation:verify_pairs", args=[slug])
    return response


def _piece(
    request: HttpRequest,
    access: ProjectAccess,
    pair: Pair,
    besides: int | None = None,
) -> HttpResponse:
    context = item_context(access, pair, besides=besides)
    return render(request, "annotation/judging/_item.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def verify_pair(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Judge one pair; one that the reader has judged is shown as it is."""
    access = door.get_project(request.user, slug)
    judgement = verifying.own_judgement(access, pair_id)
    if request.method == "GET" and judgement is not None:
        return _show_judged(request, access, judgement)
    pair = judgement.pair if judgement else verifying.open_pair(access, pair_id)
    if pair is None:
        return _gone(request, access, pair_id)
    if request.method == "POST":
        return _submit(request, access, pair)
    if not hold(request, access, Stage.VERIFY, pair.pk):
        return redirect("annotation:verify_pairs", slug)
    return show_pair(request, access, pair)


def _show_judged(
    request: HttpRequest, access: ProjectAccess, judgement: Judgement
) -> HttpResponse:
    context = {"judged": verifying.judged(judgement), "pair": judgement.pair}
    return render_project(request, access, "annotation/judged_pair.html", context)


def _gone(request: HttpRequest, access: ProjectAccess, pair_id: int) -> HttpResponse:
    """Refuse a pair; an answer that came too late is shown, so that it is not lost.

    The texts of the pair stand beside it only for those who may read them by now: the
    pair may be one that the reader never had in front of them.
    """
    if request.method != "POST" or is_piece(request):
        return refuse(request, access.project.slug, GONE)
    pair = access.pairs().select_related("claim", "document").filter(pk=pair_id).first()
    return show_late_answer(request, access, pair, why=GONE, section="verify_pairs")


def _submit(request: HttpRequest, access: ProjectAccess, pair: Pair) -> HttpResponse:
    form = judge_form(access, pair, sent=request.POST)
    if form.is_valid():
        try:
            submit_answer(
                pair=pair,
                annotator=access.account,
                answer=form.answer(),
                submission_key=form.cleaned_data["submission_key"],
                seconds=form.seconds(),
                taken=form.taken(),
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return _submitted(request, access, pair, form)
    if is_piece(request):
        words = "\n".join(str(e) for errors in form.errors.values() for e in errors)
        return HttpResponse(words, status=422, content_type="text/plain; charset=utf-8")
    return show_pair(request, access, pair, form)


def _submitted(
    request: HttpRequest, access: ProjectAccess, pair: Pair, form: JudgeForm
) -> HttpResponse:
    answer = form.answer()
    context: dict[str, Any] = {
        "word": word_of(access.project.labels, answer.label),
        "warnings": examine(pair, answer).warnings,
        "project": access.project,
        "help_keys": help_keys(access.account),
    }
    if is_piece(request):
        return render(request, "annotation/judging/_submitted.html", context)
    messages.success(request, "Submitted.")
    for warning in context["warnings"]:
        messages.warning(request, warning)
    return redirect("annotation:verify_pairs", access.project.slug)


@login_required
@require_POST
@require_accepted_texts
def undo_last(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back the newest own answer, and have its pair at hand again."""
    access = door.get_project(request.user, slug)
    access.require(Stage.VERIFY)
    try:
        judgement = withdraw_last(project=access.project, annotator=access.account)
    except DomainError as error:
        return refuse(request, slug, str(error))
    return _at_hand_again(request, access, judgement)


@login_required
@require_POST
@require_accepted_texts
def withdraw(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Take back the own answer to one pair."""
    access = door.get_project(request.user, slug)
    judgement = verifying.own_judgement(access, pair_id)
    if judgement is None:
        return refuse(request, slug, "There is nothing of yours to take back here.")
    try:
        withdraw_judgement(judgement=judgement, annotator=access.account)
    except DomainError as error:
        return refuse(request, slug, str(error))
    return _at_hand_again(request, access, judgement)


def _at_hand_again(
    request: HttpRequest, access: ProjectAccess, judgement: Judgement
) -> HttpResponse:
    slug, pair_id = access.project.slug, judgement.pair_id
    if is_piece(request):
        pair = verifying.open_pair(access, pair_id)
        if pair is not None:
            return _piece(request, access, pair)
    messages.success(request, "Taken back. Change your answer and submit it again.")
    return redirect("annotation:verify_pair", slug, pair_id)
