"""The queue's own pages: keeping an item, who holds what, and what was skipped."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from annotation import access as door
from annotation.models import Stage
from annotation.selectors.queue import ITEMS
from annotation.services.leases import LOST, renew_lease, take_item
from annotation.views.pages import require_accepted_texts
from corpus.exceptions import DomainError, StaleStateError


def queue_stage(value: str) -> Stage:
    """Return the stage of an address; 404 for one without a queue."""
    try:
        stage = Stage(value)
    except ValueError:
        stage = Stage.ADMIN
    if stage not in ITEMS:
        raise Http404("There is no such queue.")
    return stage


@login_required
@require_POST
@require_accepted_texts
def renew(request: HttpRequest, slug: str, stage: str, item_id: int) -> HttpResponse:
    """Keep an item in hand; 409 with words if somebody else has it by now."""
    access = door.get_project(request.user, slug)
    kind = queue_stage(stage)
    try:
        lease = renew_lease(
            user=access.account, project=access.project, stage=kind, item_id=item_id
        )
    except StaleStateError:
        # Lost, but perhaps nobody has taken it yet.
        try:
            lease = take_item(access=access, stage=kind, item_id=item_id)
        except DomainError:
            return JsonResponse({"message": LOST}, status=409)
    return JsonResponse({"expires_at": lease.expires_at})
