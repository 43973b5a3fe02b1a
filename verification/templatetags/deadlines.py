"""A moment as all readers understand it: AoE, UTC and their own zone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils import timezone

from verification.deadlines import ANYWHERE_ON_EARTH, AOE, clock_time, time_left

register = template.Library()


@register.inclusion_tag("verification/_moment.html")
def moment(at: datetime, counts_to: str = "") -> dict[str, Any]:
    """Show a moment on three clocks, and the time left if ``counts_to`` names it.

    ``counts_to`` says what comes then, as in "4 h 05 min until it closes".
    """
    now = timezone.now()
    others = {"UTC": UTC, timezone.get_current_timezone_name(): None}
    return {
        "at": at,
        "now": now,
        "counts_to": counts_to,
        "left": time_left(at, now),
        "aoe": clock_time(at, ANYWHERE_ON_EARTH, AOE),
        "others": [
            clock_time(at, zone or timezone.get_current_timezone(), name)
            for name, zone in others.items()
        ],
    }
