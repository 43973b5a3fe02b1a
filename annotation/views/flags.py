"""Personal flags, and the keys that somebody uses."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.forms.judging import FlagForm
from annotation.models import Flag
from annotation.selectors import verifying
from annotation.services.flags import flag_pair as keep_flag
from annotation.services.flags import settle_flag
from annotation.views.pages import render_project
from corpus.paging import keyset_page

STATES = (("open", "Open"), ("settled", "Settled"), ("all", "All"))


@login_required
@require_GET
def flags(request: HttpRequest, slug: str) -> HttpResponse:
    """List the reader's own flags."""
    access = door.get_project(request.user, slug)
    state = request.GET.get("state", "open")
    query = request.GET.get("q", "").strip()
    rows = verifying.flags(access, state, query)
    context = {
        "page": keyset_page(rows, request.GET.get("after"), key="id"),
        "states": STATES,
        "state": state,
        "query": query,
    }
    return render_project(request, access, "annotation/flags.html", context)


@login_required
@require_POST
def flag_pair(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Flag a pair, or change the note."""
    access = door.get_project(request.user, slug)
    pair = get_object_or_404(verifying.flaggable_pairs(access), pk=pair_id)
    form = FlagForm(request.POST)
    is_piece = request.headers.get("HX-Request") == "true"
    if not form.is_valid():
        words = "\n".join(str(e) for errors in form.errors.values() for e in errors)
        if is_piece:
            return HttpResponse(words, status=422, content_type="text/plain")
        messages.error(request, words)
        return redirect("annotation:verify_pair", slug, pair.pk)
    keep_flag(user=access.account, pair=pair, note=form.cleaned_data["note"])
    if is_piece:
        return HttpResponse("Flagged for you.", content_type="text/plain")
    messages.success(request, "Flagged for you. Your flags are on a page of their own.")
    return redirect("annotation:verify_pair", slug, pair.pk)


@login_required
@require_POST
def change_flag(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Settle one of the reader's own flags, or open it again."""
    access = door.get_project(request.user, slug)
    access.require_member()
    rows = Flag.objects.filter(user=access.account, project=access.project)
    flag = get_object_or_404(rows, pk=pk)
    settle_flag(flag=flag, is_settled=request.POST.get("settled") != "no")
    messages.success(request, "Settled." if flag.resolved_at else "The flag is open.")
    return redirect("annotation:flags", slug)
