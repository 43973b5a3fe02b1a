"""What a person is told about their work."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotation.selectors.notices import count_unread, notices_of
from annotation.services.notices import read_all_notices, read_notice
from annotation.views.people import signed_in
from corpus.paging import keyset_page


@login_required
@require_GET
def notices(request: HttpRequest) -> HttpResponse:
    """List the reader's notices, the newest first."""
    user = signed_in(request)
    rows = notices_of(user)
    if only_new := request.GET.get("show") == "new":
        rows = rows.filter(read_at=None)
    page = keyset_page(rows, request.GET.get("after"), key="pk", newest_first=True)
    context = {"page": page, "only_new": only_new, "unread": count_unread(user)}
    return render(request, "annotation/notices.html", context)


@login_required
@require_POST
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to what a notice is about; it is no longer new."""
    notice = get_object_or_404(notices_of(signed_in(request)), pk=pk)
    read_notice(notice=notice)
    return redirect(notice.url or "annotation:notices")


@login_required
@require_POST
def read_notices(request: HttpRequest) -> HttpResponse:
    """Take everything as read."""
    read_all_notices(user=signed_in(request))
    messages.success(request, "Nothing is new now.")
    return redirect("annotation:notices")
