"""The table of all claims and pairs: filters, kept filters, and bulk actions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.items import (
    BulkForm,
    ItemFilterForm,
    SaveFilterForm,
    bulk_words,
)
from annotation.models import BulkAction, Stage
from annotation.selectors import items as selectors
from annotation.services import saved_filters
from annotation.services.bulk import MOST, act_on_many, undo_many
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.text import row_key


def _admin(request: HttpRequest, slug: str) -> ProjectAccess:
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    return access


@login_required
@require_GET
def items(request: HttpRequest, slug: str) -> HttpResponse:
    """List claims or pairs by a filter."""
    access = _admin(request, slug)
    form = ItemFilterForm(request.GET, project=access.project)
    return _table(request, access, form, BulkForm())


def _table(
    request: HttpRequest,
    access: ProjectAccess,
    form: ItemFilterForm,
    bulk_form: BulkForm,
    ticked: frozenset[int] = frozenset(),
) -> HttpResponse:
    now = timezone.now()
    rows = selectors.matching(access.project, form.noun, form.wanted, now)
    page = selectors.item_page(rows, form.noun, request.GET.get("after"))
    saved = selectors.saved_filters(access.project, access.account)
    context = {
        "form": form,
        "noun": form.noun,
        "bulk_form": bulk_form,
        "save_form": SaveFilterForm(),
        "rows": selectors.item_rows(page.items, form.noun, now),
        "ticked": ticked,
        "next_url": _url(access, form, after=page.next_after)
        if page.next_after
        else "",
        "total": rows.count(),
        "most": MOST,
        "query": urlencode(form.fields_for_links),
        "undo_fields": [("query", urlencode(form.fields_for_links))],
        "saved": [(kept, urlencode(_texts(kept.query))) for kept in saved],
        "bulks": [
            (bulk, bulk_words(bulk))
            for bulk in selectors.last_bulk_actions(access.project)
        ],
    }
    return render_project(request, access, "annotation/items.html", context)


def _url(access: ProjectAccess, form: ItemFilterForm, **more: str) -> str:
    query = urlencode([*form.fields_for_links, *more.items()])
    return f"{reverse('annotation:items', args=[access.project.slug])}?{query}"


def _texts(query: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in query.items()} if isinstance(query, dict) else {}


def _sent_filter(request: HttpRequest, access: ProjectAccess) -> ItemFilterForm:
    """The filter that stands in the hidden fields of a form on the page."""
    query = QueryDict(request.POST.get("query", ""))
    return ItemFilterForm(query, project=access.project)


@login_required
@require_POST
def change_items(request: HttpRequest, slug: str) -> HttpResponse:
    """Do one thing to the ticked rows, or, after showing how many, to all."""
    access = _admin(request, slug)
    form = _sent_filter(request, access)
    bulk_form = BulkForm(request.POST)
    ticked = _ticked(request)
    if not bulk_form.is_valid():
        return _table(request, access, form, bulk_form, frozenset(ticked))
    data = bulk_form.cleaned_data
    if data["scope"] == "all":
        rows = selectors.matching(
            access.project, form.noun, form.wanted, timezone.now()
        )
        total = rows.count()
        if total and data["confirmed"] != total:
            return _confirm(request, access, form, data, total)
        ticked = list(rows.order_by("pk").values_list("pk", flat=True)[: MOST + 1])
    try:
        bulk = act_on_many(
            access=access,
            noun=form.noun,
            item_ids=ticked,
            action=data["action"],
            reason=data["reason"],
            priority=data["priority"] or 0,
        )
    except DomainError as error:
        bulk_form.add_error(None, str(error))
        return _table(request, access, form, bulk_form, frozenset(ticked))
    messages.success(request, bulk_words(bulk))
    return redirect(_url(access, form))


def _ticked(request: HttpRequest) -> list[int]:
    values = request.POST.getlist("item")
    return [key for value in values if (key := row_key(value)) is not None]


def _confirm(
    request: HttpRequest,
    access: ProjectAccess,
    form: ItemFilterForm,
    data: dict[str, Any],
    total: int,
) -> HttpResponse:
    """Show how many match before anything happens to all of them."""
    hidden = {**data, "scope": "all", "confirmed": total}
    context = {
        "noun": form.noun,
        "total": total,
        "most": MOST,
        "action": dict(BulkForm.base_fields["action"].choices)[data["action"]],  # type: ignore[attr-defined]
        "fields": [(k, v) for k, v in hidden.items() if v not in (None, "")],
        "query": urlencode(form.fields_for_links),
        "has_changed": data["confirmed"] is not None,
        "wanted": [
            (form.fields[name].label, value) for name, value in _words(form).items()
        ],
        "back": _url(access, form),
    }
    return render_project(request, access, "annotation/change_all_items.html", context)


def _words(form: ItemFilterForm) -> dict[str, str]:
    """The filter with the words of its choices."""
    shown = {}
    for name, value in form.wanted.items():
        choices = dict(getattr(form.fields[name], "choices", ()))
        shown[name] = str(choices.get(value, value))
    return shown


@login_required
@require_POST
def undo_change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Undo what was done to many items."""
    access = _admin(request, slug)
    bulk = get_object_or_404(BulkAction, project=access.project, pk=pk)
    try:
        count = undo_many(access=access, bulk=bulk)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Undone for {count} {bulk.get_noun_display()}.")
    return redirect(_url(access, _sent_filter(request, access)))


@login_required
@require_POST
def save_filter(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the filter under a name."""
    access = _admin(request, slug)
    form = _sent_filter(request, access)
    save_form = SaveFilterForm(request.POST)
    if not save_form.is_valid():
        messages.error(request, "Give the filter a name of at most 80 characters.")
        return redirect(_url(access, form))
    saved = saved_filters.save_filter(
        project=access.project,
        owner=access.account,
        query=dict(form.fields_for_links),
        **save_form.cleaned_data,
    )
    messages.success(request, f"Kept as “{saved}”.")
    return redirect(_url(access, form))


@login_required
@require_POST
def delete_filter(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Forget an own filter."""
    access = _admin(request, slug)
    saved = get_object_or_404(
        access.project.saved_filters.filter(owner=access.account), pk=pk
    )
    saved_filters.delete_filter(saved=saved, owner=access.account)
    messages.success(request, "The filter is forgotten.")
    return redirect(_url(access, _sent_filter(request, access)))
