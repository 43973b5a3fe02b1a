"""Benchmarks: what they are, their phases, and their public files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import FileResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import values_of
from corpus.api_schema import listing, operation
from corpus.downloads import send_file
from corpus.models import User
from verification import access as door
from verification.access import BenchmarkAccess
from verification.api import shapes
from verification.api.base import BenchmarkView
from verification.selectors.benchmarks import phase_rows, public_file
from verification.selectors.board_files import board_json
from verification.selectors.boards import board_of


class BenchmarkList(BenchmarkView):
    """All benchmarks that the user may open."""

    is_public = True

    @listing("list_benchmarks", shapes.BenchmarkShape)
    def get(self, request: Request) -> Response:
        """List the benchmarks that you may open."""
        return self.page(door.visible_benchmarks(request.user), shapes.BenchmarkShape)


class BenchmarkDetail(BenchmarkView):
    """One benchmark."""

    is_public = True

    @operation("get_benchmark", gives=shapes.BenchmarkDetailShape)
    def get(self, request: Request, slug: str) -> Response:
        """Read what a benchmark scores, its phases, and what is left of your quota."""
        access = self.open_benchmark(slug)
        return Response(shapes.BenchmarkDetailShape(_values(access)).data)


def _values(access: BenchmarkAccess) -> dict[str, Any]:
    user = access.user
    teams = list(user.teams.order_by("name")) if isinstance(user, User) else []
    return {
        **values_of(access.benchmark, shapes.BenchmarkShape),
        "is_organiser": access.is_organiser,
        "phases": _phases(access, timezone.now()),
        "teams": teams,
    }


def _phases(access: BenchmarkAccess, now: datetime) -> list[dict[str, Any]]:
    names = ("number", "kind", "name", "shows", "opens_at", "closes_at")
    return [
        {name: getattr(row.phase, name) for name in names}
        | {
            "is_open": row.is_open,
            "n_claims": row.phase.gold_set.n_claims,
            "files": row.files,
            "quota": row.quota,
        }
        for row in phase_rows(access, now)
    ]


class BenchmarkFile(BenchmarkView):
    """A public file of a benchmark."""

    is_public = True

    @operation(
        "download_benchmark_file",
        gives=OpenApiTypes.BINARY,
        media="application/octet-stream",
    )
    def get(self, request: Request, slug: str, token: str) -> FileResponse:
        """Download claims, a corpus, or gold that is not hidden."""
        access = self.open_benchmark(slug)
        return send_file(public_file(access, token, timezone.now()))


class PhaseBoard(BenchmarkView):
    """The board of a phase."""

    is_public = True

    @operation("get_board", query=shapes.BoardQuery, gives=shapes.BoardShape)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Read a phase's board: published entries, and tombstones of others."""
        access, asked = self.open_benchmark(slug), self.query(shapes.BoardQuery)
        board = board_of(
            access,
            access.phase(number),
            timezone.now(),
            sort=asked["sort"],
            is_descending=asked["order"] == "desc" if "order" in asked else None,
            slice_name=asked["slice"],
        )
        return Response(shapes.BoardShape(board_json(board)).data)
