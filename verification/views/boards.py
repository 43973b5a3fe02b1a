"""The board of a benchmark, for each phase, and its downloads."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.views.transfers import follow
from corpus.exceptions import DomainError
from verification import access as door
from verification.access import BenchmarkAccess
from verification.models import Phase
from verification.scorer_file import scorer_file
from verification.selectors import board_files
from verification.selectors.board_cites import cited
from verification.selectors.board_table import columns_of, table_rows
from verification.selectors.boards import Board, board_of, default_phase
from verification.services.baselines import offers, start_baselines
from verification.services.system_runs import start_system_run, system_offers
from verification.views.benchmarks import render_benchmark


@require_GET
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first board with scores that the reader may see, else the latest."""
    access = door.get_benchmark(request.user, slug)
    phase = default_phase(access, timezone.now())
    if phase is None:
        context = {"tab": "board"}
        return render_benchmark(request, access, "verification/board.html", context)
    return _page(request, access, phase)


@require_GET
def phase_board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the board of a phase, sorted as asked."""
    access = door.get_benchmark(request.user, slug)
    return _page(request, access, access.phase(number))


@require_GET
def board_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the board as a table."""
    found = _asked(request, *_phase_of(request, slug, number))
    response = HttpResponse(
        board_files.board_csv(found), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = (
        f'attachment; filename="{slug}-{number}-board.csv"'
    )
    return response


@require_GET
def board_json(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the board as JSON."""
    access, phase = _phase_of(request, slug, number)
    return JsonResponse(board_files.board_json(_asked(request, access, phase)))


@require_GET
def cite_entry(
    request: HttpRequest, slug: str, number: int, token: str
) -> HttpResponse:
    """Show an entry as BibTeX and as a row of a LaTeX table."""
    access, phase = _phase_of(request, slug, number)
    found = board_of(access, phase, timezone.now())
    standing = (row for row in found.rows if not row.is_tombstone)
    row = next((row for row in standing if row.token == token), None)
    if row is None:
        raise Http404("There is no such entry on this board.")
    url = request.build_absolute_uri(reverse("verification:submission", args=[token]))
    context = {
        "phase": phase,
        "row": row,
        "texts": cited(found, row, url),
        "tab": "board",
    }
    return render_benchmark(request, access, "verification/board_cite.html", context)


@login_required
@require_POST
def make_baselines(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Begin to make the baselines that the phase's board lacks."""
    access, phase = _phase_of(request, slug, number)
    organiser = access.require_organiser()
    try:
        job = start_baselines(phase=phase, organiser=organiser)
    except DomainError as error:
        messages.info(request, str(error))
        return redirect("verification:phase_board", slug, number)
    return follow(job)


@login_required
@require_POST
def run_system(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Begin to run an installed system on the phase's claims."""
    access, phase = _phase_of(request, slug, number)
    organiser = access.require_organiser()
    name = request.POST.get("system", "")
    try:
        job = start_system_run(phase=phase, organiser=organiser, name=name)
    except DomainError as error:
        messages.info(request, str(error))
        return redirect("verification:phase_board", slug, number)
    return follow(job)


@require_GET
def download_scorer(request: HttpRequest) -> HttpResponseBase:
    """Send the scorer as one file, the same that scores here."""
    return FileResponse(
        scorer_file().open("rb"),
        as_attachment=True,
        filename="claimdesk-scorer.pyz",
        content_type="application/octet-stream",
    )


def _phase_of(
    request: HttpRequest, slug: str, number: int
) -> tuple[BenchmarkAccess, Phase]:
    access = door.get_benchmark(request.user, slug)
    return access, access.phase(number)


def _asked(request: HttpRequest, access: BenchmarkAccess, phase: Phase) -> Board:
    """Return the board with the columns and the slice of the address."""
    asked = request.GET
    order = {"asc": False, "desc": True}
    return board_of(
        access,
        phase,
        timezone.now(),
        sort=asked.get("sort", ""),
        is_descending=order.get(asked.get("order", "")),
        slice_name=asked.get("slice", ""),
    )


def _page(request: HttpRequest, access: BenchmarkAccess, phase: Phase) -> HttpResponse:
    found = _asked(request, access, phase)
    context = {
        "board": found,
        "columns": columns_of(found),
        "rows": table_rows(found),
        "phases": access.phases(),
        "offers": offers(phase) if access.is_organiser else [],
        "systems": system_offers(phase) if access.is_organiser else [],
        "tab": "board",
    }
    return render_benchmark(request, access, "verification/board.html", context)
