"""What the endpoints of benchmarks share: opening them, and exhausted quotas."""

from __future__ import annotations

import math
from typing import ClassVar

from django.utils import timezone
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from corpus.api import ApiView, Conflict, Scope
from verification import access as door
from verification.access import BenchmarkAccess, SubmissionAccess
from verification.services.quota import QuotaExhaustedError


class QuotaExhausted(APIException):
    """No place is left today; ``wait`` becomes the header ``Retry-After``."""

    status_code = 429

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = math.ceil(wait)


class BenchmarkView(ApiView):
    """A view of benchmarks or of what was submitted to them."""

    tag = "Benchmarks"
    write_scope: ClassVar[str] = Scope.SUBMIT

    def open_benchmark(self, slug: str) -> BenchmarkAccess:
        """Return what the user may do with it; 404 if they may not know of it."""
        return door.get_benchmark(self.request.user, slug)

    def open_submission(self, token: str) -> SubmissionAccess:
        """Return what the user may do with it; 404 if they may not know of it."""
        return door.get_submission(self.request.user, token)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 429 where waiting helps, and 409 where the phase's quota is gone."""
        return super().handle_exception(_told(exc))


def _told(error: Exception) -> Exception:
    if not isinstance(error, QuotaExhaustedError):
        return error
    if error.free_at is None:
        return Conflict(str(error))
    wait = (error.free_at - timezone.now()).total_seconds()
    return QuotaExhausted(str(error), max(wait, 1))
