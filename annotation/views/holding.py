"""What the pages of single items share: holding the item while it is open."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest

from annotation.access import ProjectAccess
from annotation.models import Lease, Stage
from annotation.services.leases import take_item
from corpus.exceptions import DomainError


def hold(
    request: HttpRequest, access: ProjectAccess, stage: Stage, item_id: int
) -> Lease | None:
    """Take the item that a page opens; None, and a message, if it cannot be had."""
    try:
        return take_item(access=access, stage=stage, item_id=item_id)
    except DomainError as error:
        messages.warning(request, str(error))
        return None
