"""What every request of a signed-in person gets."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

GetResponse = Callable[[HttpRequest], HttpResponse]


def time_zone_middleware(get_response: GetResponse) -> GetResponse:
    """Show times in the zone that the person has chosen; UTC for everybody else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        name = getattr(request.user, "time_zone", "UTC")
        try:
            zone = ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            # A zone can vanish with an update of the system's list.
            zone = ZoneInfo("UTC")
        with timezone.override(zone):
            return get_response(request)

    return middleware
