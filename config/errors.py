"""Error pages that say what to do, each with the id of the request."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from structlog.contextvars import get_contextvars


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read."""
    return _error_page(request, "400.html", 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a person who may not do this; the view's reason is shown."""
    return _error_page(request, "403.html", 403, reason=str(exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that does not exist or is not open to this person."""
    return _error_page(request, "404.html", 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after a fault of ours; must work without a database."""
    if request.path.startswith("/api/v1/"):
        words = "Something went wrong here. It has been noted; please try again."
        return JsonResponse({"message": words, "errors": {}}, status=500)
    return _error_page(request, "500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid token."""
    return _error_page(request, "403_csrf.html", 403, reason=reason)


def _error_page(
    request: HttpRequest, template: str, status: int, reason: str = ""
) -> HttpResponse:
    """Render a page of ``error.html``, which asks for no user and no project."""
    context = {"reason": reason, "request_id": get_contextvars().get("request_id")}
    return render(request, template, context, status=status)
