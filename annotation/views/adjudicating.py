"""Deciding about pairs whose judgements disagree."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.adjudication_keys import adjudication_keys
from annotation.forms.adjudicating import AdjudicationForm
from annotation.forms.work import AnswerForm
from annotation.models import Adjudication, Pair, Stage
from annotation.selectors import adjudicating as selectors
from annotation.selectors.adjudicating import Comparison
from annotation.services import adjudications
from annotation.services.keys import key_settings
from annotation.services.leases import take_item, take_next
from annotation.views.answers import answer_form, show_late_answer
from annotation.views.clock import keep_time
from annotation.views.pages import render_project, require_accepted_texts
from corpus.exceptions import DomainError
from corpus.text import row_key

SHOWN = 50
NEW = "new"
NOT_WAITING = "This pair does not wait for a decision now."


@login_required
@require_GET
@require_accepted_texts
def adjudicate_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """List the pairs that wait for a decision, the most informative first."""
    access = door.get_project(request.user, slug)
    rows = selectors.dispute_rows(access, SHOWN)
    context = {
        "rows": rows,
        "total": selectors.disputed_pairs(access).count(),
        **_done_before(request, access),
    }
    return render_project(request, access, "annotation/adjudicate_pairs.html", context)


@login_required
@require_POST
@require_accepted_texts
def adjudicate_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin with the pair that is next."""
    return _to_next(door.get_project(request.user, slug))


def _to_next(access: ProjectAccess, done: Adjudication | None = None) -> HttpResponse:
    slug = access.project.slug
    query = f"?done={done.pk}" if done else ""
    lease = take_next(access=access, stage=Stage.ADJUDICATE)
    if lease is None:
        return redirect(reverse("annotation:adjudicate_pairs", args=[slug]) + query)
    item = reverse("annotation:adjudicate_pair", args=[slug, lease.item_id])
    return redirect(item + query)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def adjudicate_pair(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Decide about one pair; ``?from=A`` opens A's answer, ``?from=new`` a new one."""
    access = door.get_project(request.user, slug)
    pair = selectors.readable_pairs(access).filter(pk=pair_id).first()
    if pair is None:
        return _gone(request, access, pair_id)
    found = selectors.comparison(pair)
    form = AdjudicationForm(request.POST or None, initial={"seen": found.seen})
    origin = _origin(request, found)
    editor = _editor(request, pair, found, origin)
    if form.is_valid() and (editor is None or editor.is_valid()):
        try:
            done = _decide(access, pair, found, form, editor)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            keep_time(access, Stage.ADJUDICATE, pair.pk, form)
            return _to_next(access, done)
    context = {
        **_page(access, pair, found),
        **_done_before(request, access),
        "form": form,
        "editor": editor,
        "origin": origin,
    }
    return render_project(request, access, "annotation/adjudicate_pair.html", context)


def _gone(request: HttpRequest, access: ProjectAccess, pair_id: int) -> HttpResponse:
    """Show what was sent about a pair that waits no more; there is nothing to open."""
    pairs = access.pairs().select_related("claim", "document")
    pair = get_object_or_404(pairs, pk=pair_id)
    if request.method == "GET":
        raise Http404("This pair does not wait for a decision.")
    return show_late_answer(
        request, access, pair, why=NOT_WAITING, section="adjudicate_pairs"
    )


def _origin(request: HttpRequest, found: Comparison) -> str:
    """Return what an opened answer started from; empty where none is open.

    What was sent stays an answer, a new one, even if its side is there no more.
    """
    sent = request.POST if request.method == "POST" else request.GET
    origin = sent.get("from", "")
    if origin == NEW or found.side(origin) is not None:
        return origin
    return NEW if origin and request.method == "POST" else ""


def _editor(
    request: HttpRequest, pair: Pair, found: Comparison, origin: str
) -> AnswerForm | None:
    if not origin:
        return None
    side = found.side(origin)
    return answer_form(request, pair, side.judgement if side else None)


def _decide(
    access: ProjectAccess,
    pair: Pair,
    found: Comparison,
    form: AdjudicationForm,
    editor: AnswerForm | None,
) -> Adjudication:
    side = found.side(form.cleaned_data["side"])
    ruling = adjudications.Ruling(
        taken=side.judgement if side else None,
        answer=editor.answer() if editor else None,
        seen=form.cleaned_data["seen"],
        note=form.cleaned_data["note"],
    )
    return adjudications.adjudicate_pair(
        pair=pair,
        adjudicator=access.account,
        ruling=ruling,
        submission_key=form.cleaned_data["submission_key"],
    )


def _page(access: ProjectAccess, pair: Pair, found: Comparison) -> dict[str, Any]:
    keys = {}
    if key_settings(access.account).is_on:
        keys = adjudication_keys([side.letter for side in found.sides])
    refusal = _why_not(access, pair)
    return {
        "pair": pair,
        "comparison": found,
        "refusal": refusal,
        "is_open": not refusal,
        "keys": keys,
        "keys_json": json.dumps(keys),
    }


def _why_not(access: ProjectAccess, pair: Pair) -> str:
    """Take a pair for the adjudicator; say in words why it cannot be, or nothing."""
    if pair.state != Pair.State.DISPUTED:
        return NOT_WAITING
    try:
        take_item(access=access, stage=Stage.ADJUDICATE, item_id=pair.pk)
    except DomainError as error:
        return str(error)
    return ""


def _done_before(request: HttpRequest, access: ProjectAccess) -> dict[str, Any]:
    done = selectors.last_decision(access, row_key(request.GET.get("done")))
    return {"done": done} if done else {}


@login_required
@require_POST
@require_accepted_texts
def undo_adjudicate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an own decision back, and open its pair again."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADJUDICATE)
    decision = get_object_or_404(
        Adjudication.objects.select_related("pair"),
        pk=pk,
        pair__project=access.project,
        adjudicator=access.account,
    )
    try:
        adjudications.undo_adjudication(
            adjudication=decision, adjudicator=access.account
        )
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("annotation:adjudicate_pairs", slug)
    messages.success(request, "Taken back. You can decide anew.")
    return redirect("annotation:adjudicate_pair", slug, decision.pair_id)
