"""What the page of one item needs of the queue: keep it in hand, or leave it."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse

from annotation.forms.queue import SkipForm

register = template.Library()


@register.inclusion_tag("annotation/_lease.html", takes_context=True)
def keep_item(context: Context, stage: str, item_id: int) -> dict[str, Any]:
    """Keep an item in hand while there is activity on the page."""
    slug = context["project"].slug
    url = reverse("annotation:renew_lease", args=[slug, stage, item_id])
    return {"lease_url": url}


@register.inclusion_tag("annotation/_leave.html", takes_context=True)
def leave_item(context: Context, stage: str, item_id: int) -> dict[str, Any]:
    """Offer to leave an item to others, with a reason."""
    slug = context["project"].slug
    return {
        "form": SkipForm(stage=stage),
        "url": reverse("annotation:skip_item", args=[slug, stage, item_id]),
        "list_url": reverse("annotation:skips", args=[slug]),
        "csrf_token": context.get("csrf_token"),
    }
