"""The drafts of forms, for the module that keeps them (``static/js/drafts.js``)."""

from __future__ import annotations

import json
import re
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import access as door
from annotation.models import Draft, Project
from annotation.selectors import drafts as selectors
from annotation.services.drafts import DraftConflictError, own_draft, save_draft
from corpus.exceptions import DomainError
from corpus.models import User


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def draft(request: HttpRequest, slug: str, kind: str, item_id: int) -> JsonResponse:
    """Give the reader's own draft of an item, or keep a new version of it."""
    access = door.get_project(request.user, slug)
    if kind not in selectors.ITEMS:
        raise Http404("There is no such kind of draft.")
    access.require(*selectors.ITEMS[kind][0])
    if item_id >= 2**63 or not selectors.may_keep(access, kind, item_id):
        raise Http404("There is no such item, or it is not yours to work on.")
    if request.method == "GET":
        return JsonResponse(_shape(own_draft(access.account, kind, item_id)))
    return _save(request, access.account, access.project, kind, item_id)


def _save(
    request: HttpRequest, user: User, project: Project, kind: str, item_id: int
) -> JsonResponse:
    """409 with the other version on a conflict, 400 for what cannot be kept.

    A page that was opened by one person is not kept for another who signed in since.
    """
    if request.POST.get("user", str(user.pk)) != str(user.pk):
        words = "Somebody else has signed in since this page was opened."
        return JsonResponse({"error": words}, status=403)
    try:
        sent = _read(request)
        kept = save_draft(
            user=user,
            project=project,
            kind=kind,
            item_id=item_id,
            content=sent["content"],
            expected_version=sent["version"],
        )
    except DraftConflictError as conflict:
        shape = {"error": str(conflict), **_shape(conflict.current)}
        return JsonResponse(shape, status=409)
    except DomainError as error:
        return JsonResponse({"error": str(error)}, status=400)
    return JsonResponse({"version": kept.version})


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return the sent draft; ``DomainError`` for anything else."""
    try:
        content = json.loads(request.POST.get("content", ""))
    except (ValueError, RecursionError):
        raise DomainError("A draft is sent as JSON.") from None
    version = request.POST.get("version", "")
    if not re.fullmatch(r"[0-9]{1,9}", version):
        raise DomainError("The version of a draft is a whole number.")
    return {"content": content, "version": int(version)}


def _shape(kept: Draft | None) -> dict[str, Any]:
    if kept is None:
        return {"version": 0, "content": None, "updated_at": None}
    return {
        "version": kept.version,
        "content": kept.content,
        "updated_at": kept.updated_at,
    }
