"""The list of benchmarks, a benchmark's own page, and its public files."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from corpus.downloads import send_file
from corpus.paging import keyset_page
from verification import access as door
from verification.access import BenchmarkAccess
from verification.benchmark_tasks import TASKS
from verification.selectors.benchmarks import phase_rows
from verification.selectors.changes import changes
from verification.services.scoring import gold_files

ANNOUNCEMENTS = 50


@require_GET
def list_benchmarks(request: HttpRequest) -> HttpResponse:
    """List every benchmark that the visitor may open."""
    page = keyset_page(
        door.visible_benchmarks(request.user), request.GET.get("after"), key="pk"
    )
    context = {"page": page, "section": "benchmarks"}
    return render(request, "verification/benchmarks.html", context)


@require_GET
def benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a benchmark is, its phases with their deadlines, and its files."""
    access = door.get_benchmark(request.user, slug)
    announcements = access.benchmark.announcements.select_related("author")
    context = {
        "phases": phase_rows(access, timezone.now()),
        "announcements": announcements.order_by("-pk")[:ANNOUNCEMENTS],
        "changes": changes(access),
        "task_words": TASKS[access.benchmark.task],
        "tab": "about",
    }
    return render_benchmark(request, access, "verification/benchmark.html", context)


@require_GET
def download_file(request: HttpRequest, slug: str, token: str) -> HttpResponseBase:
    """Send a public file: claims, corpus, and gold that is not hidden."""
    access = door.get_benchmark(request.user, slug)
    gold_sets = [phase.gold_set for phase in access.phases()]
    files = [stored for gold_set in gold_sets for stored in gold_files(gold_set)]
    stored = next((stored for stored in files if stored.token == token), None)
    if stored is None:
        raise Http404("There is no such file.")
    return send_file(stored)


def render_benchmark(
    request: HttpRequest,
    access: BenchmarkAccess,
    template: str,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    """Render a page of a benchmark with what its navigation needs."""
    shared = {
        "access": access,
        "benchmark": access.benchmark,
        "section": "benchmarks",
    }
    return render(request, template, shared | context, status=status)
