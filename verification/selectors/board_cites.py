"""An entry as it is cited: what its reader may know, and nothing else."""

from __future__ import annotations

from verification.board_rows import Row, Value
from verification.citing import Citation, bibtex, latex, latex_row
from verification.selectors.board_table import percent
from verification.selectors.boards import Board


def cited(board: Board, row: Row, url: str) -> list[tuple[str, str]]:
    """Return BibTeX and, where scores are shown, a row for a LaTeX table."""
    benchmark = board.phase.benchmark
    citation = Citation(
        key=f"{benchmark.slug}-{row.token}",
        system=row.system or "unnamed",
        by=row.by,
        benchmark=benchmark.name,
        phase=board.phase.name,
        year=row.year,
        url=url,
        signature=row.signature,
    )
    texts = [("BibTeX", bibtex(citation))]
    return texts if board.is_blind else [*texts, ("LaTeX row", _row(board, row))]


def _row(board: Board, row: Row) -> str:
    """Return the row below a comment that names its columns."""
    digits = 1 if board.is_rounded else 2
    values = [row.values.get(name, Value()) for name in board.measures]
    names = [board.primary, "95 % interval", *board.measures[1:]]
    first, *others = [percent(value.value, digits) for value in values]
    interval = f"{percent(values[0].low, digits)}–{percent(values[0].high, digits)}"
    heading = "% system & " + " & ".join(map(latex, names))
    cells = [first, interval, *others]
    return f"{heading}\n{latex_row(row.system or 'unnamed', cells, row.signature)}"
