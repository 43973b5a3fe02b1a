"""Addresses of boards and their downloads."""

from __future__ import annotations

from django.urls import URLPattern, path

from verification.views import boards

_PHASE = "benchmarks/<slug:slug>/phases/<int:number>"

urlpatterns: list[URLPattern] = [
    path("benchmarks/scorer.pyz", boards.download_scorer, name="download_scorer"),
    path("benchmarks/<slug:slug>/board/", boards.board, name="board"),
    path(f"{_PHASE}/board/", boards.phase_board, name="phase_board"),
    path(f"{_PHASE}/board/<str:token>/", boards.cite_entry, name="cite_entry"),
    path(f"{_PHASE}/baselines/", boards.make_baselines, name="make_baselines"),
    path(f"{_PHASE}/systems/", boards.run_system, name="run_system"),
    path(f"{_PHASE}/board.csv", boards.board_csv, name="board_csv"),
    path(f"{_PHASE}/board.json", boards.board_json, name="board_json"),
]
