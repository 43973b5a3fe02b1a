"""Is the site alive, and can it do its work? For people, supervisors and Prometheus."""

from __future__ import annotations

from celery import current_app
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView

BROKER_SECONDS = 2
LOCAL_ADDRESSES = {"127.0.0.1", "::1"}


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer as long as this process can answer at all."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Say part by part what works; 503 while anything does not."""
    problems = {"database": database_problem(), "broker": broker_problem()}
    if not problems["database"]:
        problems["migrations"] = migrations_problem()
    body = {name: problem or "ok" for name, problem in problems.items()}
    return JsonResponse(body, status=503 if any(problems.values()) else 200)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Show Prometheus metrics to this machine and to staff."""
    if not (is_local(request) or getattr(request.user, "is_staff", False)):
        return HttpResponseForbidden("Only for staff and from this machine.")
    response: HttpResponse = ExportToDjangoView(request)
    return response


def is_local(request: HttpRequest) -> bool:
    """Return True for a direct request; what a proxy passed on is from elsewhere."""
    return (
        request.META.get("REMOTE_ADDR") in LOCAL_ADDRESSES
        and "HTTP_X_FORWARDED_FOR" not in request.META
        and "HTTP_FORWARDED" not in request.META
    )


def database_problem() -> str:
    """Return why the database cannot be asked, or nothing."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"cannot be reached: {type(error).__name__}"
    return ""


def migrations_problem() -> str:
    """Return how many migrations are missing, or nothing."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(plan)} not applied; run manage.py migrate" if plan else ""


def broker_problem() -> str:
    """Return why no task can be queued, or nothing."""
    broker = current_app.connection_for_write(
        connect_timeout=BROKER_SECONDS,
        transport_options={"socket_connect_timeout": BROKER_SECONDS},
    )
    try:
        with broker:
            broker.connect()
    except (OSError, *broker.connection_errors) as error:  # type: ignore[misc]
        return f"cannot be reached: {type(error).__name__}"
    return ""
