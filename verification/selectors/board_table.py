"""The board as its page draws it: headings with links, cells with bars. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from verification.board_rows import Bar, Row, Value, bar_of
from verification.selectors.boards import Board


@dataclass(frozen=True, slots=True)
class Column:
    """A heading: what a click on it asks for, and how the board is sorted now."""

    key: str
    title: str
    is_number: bool
    next_order: str
    aria_sort: str

    @property
    def arrow(self) -> str:
        """A mark for the column that the board is sorted by."""
        return {"ascending": "▲", "descending": "▼"}.get(self.aria_sort, "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A measure in words: a percentage, its interval and its bar."""

    words: str
    interval: str = ""
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """An entry and its measures, the primary one apart from the others."""

    entry: Row
    primary: Cell
    others: list[Cell]
    unjudged: str
    earlier: list[tuple[str, str]]


def columns_of(board: Board) -> dict[str, Column | list[Column]]:
    """Return the headings by name; ``others`` are the further measures."""
    titles = {
        "system": "System",
        "by": "By",
        "setting": "Setting",
        "model_size": "Model size",
        "n_claims": "Claims",
        "unjudged": "Unjudged abstracts",
    }
    measures = [_column(board, name, _words(name), True) for name in board.measures]
    plain: dict[str, Column | list[Column]] = {
        key: _column(board, key, title, key in {"n_claims", "unjudged"})
        for key, title in titles.items()
    }
    return plain | {"primary": measures[0], "others": measures[1:]}


def _column(board: Board, key: str, title: str, is_number: bool) -> Column:
    order = board.order
    if order.key != key:
        return Column(key, title, is_number, "desc" if is_number else "asc", "")
    now = "descending" if order.is_descending else "ascending"
    return Column(key, title, is_number, "asc" if order.is_descending else "desc", now)


def _words(measure: str) -> str:
    return measure.replace("_", " ").replace(".", ": ")


def table_rows(board: Board) -> list[TableRow]:
    """Return the rows in the order of the board."""
    digits = 1 if board.is_rounded else 2
    return [_row(board, row, digits) for row in board.rows]


def _row(board: Board, row: Row, digits: int) -> TableRow:
    primary, *others = [row.values.get(name, Value()) for name in board.measures]
    return TableRow(
        entry=row,
        primary=_cell(primary, digits, with_bar=True),
        others=[_cell(value, digits) for value in others],
        unjudged=_unjudged(row),
        earlier=[(version, percent(value, digits)) for version, value in row.earlier],
    )


def _cell(value: Value, digits: int, *, with_bar: bool = False) -> Cell:
    bar = bar_of(value) if with_bar else None
    if value.low is None or value.high is None:
        return Cell(percent(value.value, digits), "", bar)
    interval = f"{percent(value.low, digits)}–{percent(value.high, digits)}"
    return Cell(percent(value.value, digits), interval, bar)


def percent(value: float | None, digits: int) -> str:
    """Write a fraction as a percentage without its sign; a dash for ``None``."""
    return "–" if value is None else f"{value * 100:.{digits}f}"


def _unjudged(row: Row) -> str:
    if row.unjudged is None:
        return "–"
    share = row.unjudged_share
    return f"{row.unjudged}" if share is None else f"{row.unjudged} ({share:.0%})"
