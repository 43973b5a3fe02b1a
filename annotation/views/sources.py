"""Sources that somebody has skipped: why, and back into the queue."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.models import Stage
from annotation.selectors import work
from annotation.services import sources
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.paging import keyset_page


@login_required
@require_GET
def skipped_sources(request: HttpRequest, slug: str) -> HttpResponse:
    """List the skipped sources with who skipped them and why."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    rows = work.skipped_sources(access)
    page = keyset_page(rows, request.GET.get("after"), key="position")
    return render_project(
        request, access, "annotation/skipped_sources.html", {"page": page}
    )


@login_required
@require_POST
def reopen_source(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Bring a skipped source back into the writers' queue."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    source = get_object_or_404(work.skipped_sources(access), pk=source_id)
    try:
        sources.reopen_source(source=source, actor=access.account)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "It waits for a writer again.")
    return redirect("annotation:skipped_sources", slug)
