"""Who holds what, what was left to others, and the way back from both."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.queue import SkipForm
from annotation.models import Stage
from annotation.selectors import holds as selectors
from annotation.services import leases
from annotation.views.pages import render_project, require_accepted_texts
from annotation.views.queue import queue_stage
from corpus.exceptions import DomainError
from corpus.models import Event, User
from corpus.paging import keyset_page
from corpus.text import row_key

# Where the next item of each kind of work is.
QUEUES = {
    Stage.WRITE: "write_claims",
    Stage.NEGATE: "negate_claims",
    Stage.VERIFY: "verify_pairs",
    Stage.PROOFREAD: "proofread_claims",
    Stage.REVIEW: "review_judgements",
    Stage.ADJUDICATE: "adjudicate_pairs",
}


@login_required
@require_GET
def holds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has which item in hand, since when and until when."""
    access = door.get_project(request.user, slug)
    rows = selectors.leases(access)
    page = keyset_page(rows, request.GET.get("after"), key="id")
    now = timezone.now()
    context = {
        "page": page,
        "holds": selectors.holds(page.items, now),
        "released": _released(access, request.GET.get("released", "")),
        "minutes": access.project.rules.lease_minutes,
    }
    return render_project(
        request, access, "annotation/holds.html", context, section="progress"
    )


def _released(access: ProjectAccess, key: str) -> tuple[Event, User] | None:
    """The release that an admin has just made, and from whom."""
    pk = row_key(key)
    if pk is None:
        return None
    event = selectors.releases(access).filter(pk=pk).first()
    if event is None:
        return None
    person = User.objects.filter(pk=event.payload["was"]["person_id"]).first()
    return (event, person) if person else None


@login_required
@require_POST
def release(request: HttpRequest, slug: str, lease_id: int) -> HttpResponse:
    """Take an item out of somebody's hands."""
    access = door.get_project(request.user, slug)
    lease = get_object_or_404(selectors.leases(access), pk=lease_id)
    event = leases.take_away(lease=lease, actor=access.account)
    address = reverse("annotation:holds", args=[slug])
    if event is None:
        messages.info(request, "It was finished or released in the meantime.")
        return redirect(address)
    return redirect(f"{address}?released={event.pk}")


@login_required
@require_POST
def restore(request: HttpRequest, slug: str, event_id: int) -> HttpResponse:
    """Give an item back to the person from whom it was released."""
    access = door.get_project(request.user, slug)
    event = get_object_or_404(selectors.releases(access), pk=event_id)
    was = event.payload["was"]
    person = get_object_or_404(User, pk=was["person_id"])
    try:
        leases.restore_lease(
            access=door.get_project(person, slug),
            stage=Stage(was["stage"]),
            item_id=was["item_id"],
            actor=access.account,
        )
    except (Http404, PermissionDenied):
        messages.warning(request, f"{person} may no longer do this work.")
    except DomainError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, f"{person} has it again.")
    return redirect("annotation:holds", slug)


@login_required
@require_GET
def skips(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the person left to others; to admins, what anybody did."""
    access = door.get_project(request.user, slug)
    page = keyset_page(
        selectors.skips(access),
        request.GET.get("after"),
        key="id",
        newest_first=True,
    )
    context = {"page": page, "skipped": selectors.skipped_items(page.items)}
    return render_project(request, access, "annotation/skips.html", context)


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str, skip_id: int) -> HttpResponse:
    """Let an item be served again to the person who left it to others."""
    access = door.get_project(request.user, slug)
    skip = get_object_or_404(selectors.skips(access), pk=skip_id)
    leases.unskip_item(skip=skip, actor=access.account)
    messages.success(request, "It is in the queue again.")
    return redirect("annotation:skips", slug)


@login_required
@require_POST
@require_accepted_texts
def skip(request: HttpRequest, slug: str, stage: str, item_id: int) -> HttpResponse:
    """Leave an item to others with a reason, and go on to the next one."""
    access = door.get_project(request.user, slug)
    kind = queue_stage(stage)
    form = SkipForm(request.POST, stage=stage)
    if not form.is_valid():
        messages.error(request, "Say why you leave this one to others.")
        return redirect(f"annotation:{QUEUES[kind]}", slug)
    try:
        leases.skip_item(
            access=access, stage=kind, item_id=item_id, reason=form.reason()
        )
    except DomainError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, "Left to others. You will not get this one again.")
    return redirect(f"annotation:{QUEUES[kind]}", slug)
