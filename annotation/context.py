"""What the frame of every page shows of this app."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from annotation.selectors.notices import count_unread
from corpus.models import User


def notices(request: HttpRequest) -> dict[str, Any]:
    """Return how many notices are new: one query, asked for by pages that show it."""

    def count() -> int:
        return count_unread(request.user) if isinstance(request.user, User) else 0

    return {"unread_notices": SimpleLazyObject(count)}
