"""Showing a model's suggestion to the annotator of a pair."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.judging import JudgeForm
from annotation.models import Pair
from annotation.selectors import verifying
from annotation.services.suggestions import offer_suggestion
from annotation.views.judging import (
    GONE,
    help_keys,
    is_piece,
    judge_form,
    refuse,
    show_pair,
    shown_suggestion,
)
from annotation.views.pages import require_accepted_texts
from corpus.exceptions import DomainError


@never_cache
@login_required
@require_POST
@require_accepted_texts
def show_suggestion(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Keep what the reader has chosen so far, and show what the model suggests.

    204 to the page's module where there is nothing to show, whatever the reason.
    """
    access = door.get_project(request.user, slug)
    pair = verifying.open_pair(access, pair_id)
    if pair is None:
        return refuse(request, slug, GONE)
    form = judge_form(access, pair, sent=request.POST)
    words = _offer(access, pair, form)
    if is_piece(request):
        return _piece(request, access, pair, words)
    if words:
        messages.warning(request, words)
    # What was filled in stays, without being told off for what is still missing.
    filled = judge_form(access, pair, initial=request.POST.dict())
    return show_pair(request, access, pair, filled)


def _offer(access: ProjectAccess, pair: Pair, form: JudgeForm) -> str:
    """Make the offer; return why not, in words."""
    choice = form.first_choice()
    if form.has_error("as_user"):
        return str(form.errors["as_user"][0])
    try:
        offer_suggestion(pair=pair, annotator=access.account, **choice)
    except DomainError as error:
        return str(error)
    return ""


def _piece(
    request: HttpRequest, access: ProjectAccess, pair: Pair, words: str
) -> HttpResponse:
    if words:
        return HttpResponse(words, status=422, content_type="text/plain; charset=utf-8")
    shown = shown_suggestion(access, pair)
    if shown is None:
        return HttpResponse(status=204)
    context = {
        "suggestion": shown,
        "keys": help_keys(access.account),
        "has_rationales": access.project.rules.has_rationales,
    }
    return render(request, "annotation/judging/_suggestion.html", context)
