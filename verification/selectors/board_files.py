"""The board as files. They hold what its page shows, and nothing else. Pure."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from corpus.formats.csvfile import encode_row
from corpus.text import csv_safe
from verification.board_rows import Row, Value
from verification.selectors.boards import Board

_TEXTS = (
    "system",
    "by",
    "behind",
    "setting",
    "model_size",
    "external_data",
    "description",
    "paper_url",
    "code_url",
    "standing",
    "reason",
    "signature",
)


def board_csv(board: Board) -> bytes:
    """Return a table with a row for each entry; values are fractions.

    No cell is run as a formula by a spreadsheet.
    """
    header = ["place", *board.measures]
    intervals = [f"{board.primary} {end}" for end in ("low", "high")]
    names = [*header, *intervals, "n_claims", "predicted", "unjudged", "tie"]
    lines = [(*names, "is_baseline", "token", *_TEXTS)]
    lines += [tuple(_cells(board, row)) for row in board.rows]
    return b"".join(encode_row([csv_safe(cell) for cell in line]) for line in lines)


def _cells(board: Board, row: Row) -> list[str]:
    primary = row.values.get(board.primary, Value())
    numbers = [row.values.get(name, Value()).value for name in board.measures]
    cells = [row.place, *numbers, primary.low, primary.high]
    cells += [row.n_claims, row.predicted, row.unjudged]
    texts = [str(getattr(row, name)) for name in _TEXTS]
    plain = [str(row.tie or ""), "yes" if row.is_baseline else "no", row.token]
    return [*("" if c is None else str(c) for c in cells), *plain, *texts]


def board_json(board: Board) -> dict[str, Any]:
    """Return the board as an object; values are fractions, ``null`` is undefined."""
    phase, benchmark = board.phase, board.phase.benchmark
    closes_at = phase.closes_at
    return {
        "benchmark": benchmark.slug,
        "name": benchmark.name,
        "task": benchmark.task,
        "profile": benchmark.profile,
        "phase": {
            "number": phase.number,
            "name": phase.name,
            "closes_at": closes_at.astimezone(UTC).isoformat() if closes_at else None,
        },
        "shows": board.detail.name.lower(),
        "primary_metric": board.primary,
        "slice": board.slice_name or None,
        "entries": [_entry(row) for row in board.rows],
    }


def _entry(row: Row) -> dict[str, Any]:
    return {
        "token": row.token,
        "place": row.place,
        "metrics": {name: _value(value) for name, value in row.values.items()},
        "n_claims": row.n_claims,
        "predicted_abstracts": row.predicted,
        "unjudged_abstracts": row.unjudged,
        "tie": str(row.tie) if row.tie else None,
        "is_baseline": row.is_baseline,
        "earlier_scores": [
            {"scorer_version": version, "value": value}
            for version, value in row.earlier
        ],
        **{name: getattr(row, name) for name in _TEXTS},
    }


def _value(value: Value) -> dict[str, float | None]:
    return {"value": value.value, "low": value.low, "high": value.high}
