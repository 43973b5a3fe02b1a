"""Reviewing judgements."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.reviewing import ReviewForm
from annotation.forms.work import AnswerForm
from annotation.models import Judgement, Review, Stage
from annotation.review_reasons import JUDGEMENT_REASONS
from annotation.selectors import review_queue, threads, work
from annotation.selectors.judgements import others_for_reviewer
from annotation.services import judgement_reviews
from annotation.views.answers import answer_form
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
    stage=Stage.REVIEW,
    noun="judgement",
    list_page="review_judgements",
    item_page="review_judgement",
    next_page="review_next",
    reasons=JUDGEMENT_REASONS,
)
Decision = Review.Decision
NOT_YET = (
    "You may still judge this pair yourself, so you see what others said of it once "
    "you have, or once it needs nobody any more."
)


@login_required
@require_GET
@require_accepted_texts
def review_judgements(request: HttpRequest, slug: str) -> HttpResponse:
    """List the judgements that wait for review."""
    access = door.get_project(request.user, slug)
    rows = review_queue.judgement_queue(access)
    return show_queue(request, access, DESK, rows)


@login_required
@require_POST
@require_accepted_texts
def review_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin with the judgement that is next."""
    access = door.get_project(request.user, slug)
    access.require(Stage.REVIEW)
    return to_next(access, DESK)


@login_required
@require_http_methods(["GET", "POST"])
@require_accepted_texts
def review_judgement(
    request: HttpRequest, slug: str, judgement_id: int
) -> HttpResponse:
    """Decide on one judgement; ``?fix=1`` opens its answer for a correction."""
    access = door.get_project(request.user, slug)
    access.require(Stage.REVIEW)
    judgement = (
        access.judgements()
        .select_related(*work.JUDGEMENT_PARTS)
        .filter(pk=judgement_id)
        .first()
    )
    if judgement is None:
        return _not_yet(request, access, judgement_id)
    form = ReviewForm(
        request.POST or None,
        initial={"version": judgement.version},
        sentence_count=len(judgement.pair.document.sentences),
    )
    is_fix = _is_fix(request)
    fix_form = answer_form(request, judgement.pair, judgement) if is_fix else None
    if form.is_valid() and (fix_form is None or fix_form.is_valid()):
        try:
            _decide(judgement, access, form, fix_form)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            keep_time(access, DESK.stage, judgement.pk, form)
            return to_next(access, DESK, _last_decision(judgement, access))
    return render_project(
        request,
        access,
        "annotation/review_judgement.html",
        {
            **_page(access, judgement),
            **done_before(request, access),
            "form": form,
            "fix_form": fix_form,
        },
    )


def _not_yet(
    request: HttpRequest, access: ProjectAccess, judgement_id: int
) -> HttpResponse:
    """Say why a judgement of this project cannot be read; a notice may lead here."""
    known = Judgement.objects.filter(pair__project=access.project)
    get_object_or_404(known, pk=judgement_id)
    messages.info(request, NOT_YET)
    return redirect("annotation:review_judgements", access.project.slug)


def _is_fix(request: HttpRequest) -> bool:
    if request.method == "POST":
        return request.POST.get("decision") == Decision.FIX_AND_APPROVE
    return request.GET.get("fix") == "1"


def _page(access: ProjectAccess, judgement: Judgement) -> dict[str, Any]:
    thread = threads.judgement_thread(access, judgement)
    refusal = ""
    if judgement.state == Judgement.State.SUBMITTED:
        refusal = why_not(access, DESK, judgement)
    return {
        "desk": DESK,
        **keys_of_reviewer(access.account),
        "judgement": judgement,
        "pair": judgement.pair,
        "sentences": work.marked_sentences(judgement),
        "others": others_for_reviewer(access, judgement),
        "thread": thread,
        "comments": threads.comments_by_sentence(thread),
        "is_open": judgement.state == Judgement.State.SUBMITTED and not refusal,
        "refusal": refusal,
        "is_alone": is_alone(judgement, access.account.pk),
    }


def _last_decision(judgement: Judgement, access: ProjectAccess) -> Review | None:
    mine = Review.objects.filter(
        judgement_version__judgement=judgement, reviewer=access.account, undone_at=None
    )
    return mine.order_by("-pk").first()


def _decide(
    judgement: Judgement,
    access: ProjectAccess,
    form: ReviewForm,
    fix_form: AnswerForm | None,
) -> None:
    values = {
        "judgement": judgement,
        "reviewer": access.account,
        **form.explained(),
    }
    decision = form.cleaned_data["decision"]
    if fix_form is not None:
        answer = fix_form.answer()
        judgement_reviews.fix_and_approve_judgement(**values, answer=answer)
    elif decision == Decision.APPROVE:
        judgement_reviews.approve_judgement(**values)
    else:
        refuse = {
            Decision.REQUEST_CHANGES: judgement_reviews.request_judgement_changes,
            Decision.REJECT: judgement_reviews.reject_judgement,
        }[decision]
        refuse(**values, reason_code=form.cleaned_data["reason_code"])


@login_required
@require_POST
@require_accepted_texts
def undo_judgement_review(
    request: HttpRequest, slug: str, review_id: int
) -> HttpResponse:
    """Take an own decision back while nobody has acted on it."""
    access = door.get_project(request.user, slug)
    access.require(Stage.REVIEW)
    review = get_object_or_404(
        Review,
        pk=review_id,
        project=access.project,
        reviewer=access.account,
        judgement_version__isnull=False,
    )
    return take_back(request, access, DESK, review)
