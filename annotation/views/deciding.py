"""What the pages of proofreading and of reviewing share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.forms.reviewing import QueueForm
from annotation.models import Claim, Judgement, Review, Stage
from annotation.review_keys import REVIEW_KEYS
from annotation.selectors import review_queue, second_opinions
from annotation.services.keys import key_settings
from annotation.services.leases import take_item, take_next
from annotation.services.review_undo import can_undo, undo_review
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.paging import sorted_page
from corpus.text import row_key


@dataclass(frozen=True, slots=True)
class Desk:
    """One kind of reviewing: its permission, its pages and its reasons."""

    stage: Stage
    noun: str
    list_page: str
    item_page: str
    next_page: str
    reasons: dict[str, str]


def show_queue(
    request: HttpRequest, access: ProjectAccess, desk: Desk, rows: QuerySet[Any]
) -> HttpResponse:
    """List what waits for a reviewer, as they want it filtered and sorted."""
    authors = review_queue.queue_authors(rows) if access.shows_authors else None
    form = QueueForm(request.GET or None, reasons=desk.reasons, authors=authors)
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    column, backwards, parse = review_queue.SORTS[wanted.get("sort") or "oldest"]
    page = sorted_page(
        review_queue.filtered(rows, wanted),
        request.GET.get("after"),
        column=column,
        parse=parse,
        backwards=backwards,
    )
    context = {
        "desk": desk,
        "form": form,
        "page": page,
        "counts": review_queue.queue_counts(access, rows, desk.stage),
        "names": dict(authors or ()),
        **done_before(request, access),
    }
    return render_project(request, access, "annotation/review_queue.html", context)


def to_next(
    access: ProjectAccess, desk: Desk, done: Review | None = None
) -> HttpResponse:
    """Lead to the next item, which is the reviewer's from then on."""
    slug = access.project.slug
    query = f"?done={done.pk}" if done else ""
    lease = take_next(access=access, stage=desk.stage)
    if lease is None:
        return redirect(reverse(f"annotation:{desk.list_page}", args=[slug]) + query)
    item = reverse(f"annotation:{desk.item_page}", args=[slug, lease.item_id])
    return redirect(item + query)


def keys_of_reviewer(user: User) -> dict[str, Any]:
    """Return the single keys for the page and its module; none if switched off."""
    keys = REVIEW_KEYS if key_settings(user).is_on else {}
    return {"keys": keys, "keys_json": json.dumps(keys)}


def why_not(access: ProjectAccess, desk: Desk, item: Claim | Judgement) -> str:
    """Take an item for the reviewer; say in words why it cannot be, or nothing."""
    if second_opinions.is_held_back(item, access.account):
        return second_opinions.ANOTHER_DECIDES
    if not access.can_now(desk.stage):
        return "This project is archived: it can only be read."
    try:
        take_item(access=access, stage=desk.stage, item_id=item.pk)
    except DomainError as error:
        return str(error)
    return ""


def is_alone(item: Claim | Judgement, reviewer_id: int) -> bool:
    """Whether a reviewer gives the second opinion on their own first one."""
    noun = "claim" if isinstance(item, Claim) else "judgement"
    return Review.objects.filter(
        disagreement__state="open",
        reviewer=reviewer_id,
        **{f"disagreement__{noun}": item},
    ).exists()


def done_before(request: HttpRequest, access: ProjectAccess) -> dict[str, Any]:
    """Return the decision that the reader has just taken, if it can be undone."""
    key = row_key(request.GET.get("done"))
    if key is None:
        return {}
    review = (
        Review.objects.filter(pk=key, reviewer=access.account, project=access.project)
        .select_related("claim_version__claim", "judgement_version__judgement__pair")
        .first()
    )
    if review is None or not can_undo(review):
        return {}
    return {"done": review}


def take_back(
    request: HttpRequest, access: ProjectAccess, desk: Desk, review: Review
) -> HttpResponse:
    """Undo a decision and open its item again."""
    slug = access.project.slug
    try:
        item = undo_review(review=review, reviewer=access.account)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect(f"annotation:{desk.list_page}", slug)
    messages.success(request, "Taken back. You can decide anew.")
    return redirect(f"annotation:{desk.item_page}", slug, item.pk)
