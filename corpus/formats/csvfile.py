"""CSV as RFC 4180 has it: commas, doubled quotes, line ends inside quoted cells.

Another separator can be named, for a group's own tables.

The standard reader is not used: its cell limit is a global setting, and it
cannot say where an unclosed quote was opened. Cells are kept verbatim, CRLF
inside quotes included. Blank lines between rows are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from corpus.formats.base import FormatError, Problem, Read, Record
from corpus.formats.fields import Fields
from corpus.formats.lines import MAX_LINE_BYTES, Line, read_lines
from corpus.formats.problems import Problems

_NEEDS_QUOTES = frozenset('",\r\n')


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row; ``line`` is where it starts, ``position`` its end."""

    line: int
    position: int
    cells: tuple[str, ...]
    problems: Problems


def encode_row(cells: Sequence[str]) -> bytes:
    """Return one row; a cell is quoted only where it must be."""
    return (",".join(map(_quoted, cells)) + "\n").encode("utf-8")


def _quoted(cell: str) -> str:
    if _NEEDS_QUOTES.isdisjoint(cell):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def read_rows(
    file: BinaryIO, separator: str = ",", max_bytes: int = MAX_LINE_BYTES
) -> Iterator[Row]:
    """Yield the rows of a CSV file, the header included.

    ``FormatError`` is raised where reading cannot go on: a wrong encoding, a
    quote that is never closed, a line or row of more than ``max_bytes``.
    """
    lines = read_lines(file, max_bytes)
    for line in lines:
        if line.text.rstrip("\r\n"):
            yield _RowReader(line, lines, separator, max_bytes).read()


class _RowReader:
    """Reads one row, fetching further lines while a quote is open."""

    def __init__(
        self, line: Line, lines: Iterator[Line], separator: str, longest: int
    ) -> None:
        self._separator = separator
        self._longest = longest
        self._start = line.number
        self._line = line
        self._lines = lines
        self._at = 0
        self._length = len(line.text)
        self._problems = Problems(line.number)

    def read(self) -> Row:
        cells = [self._cell()]
        while self._line.text.startswith(self._separator, self._at):
            self._at += 1
            cells.append(self._cell())
        return Row(self._start, self._line.position, tuple(cells), self._problems)

    def _cell(self) -> str:
        quoted = self._line.text.startswith('"', self._at)
        cell = self._quoted_cell() if quoted else self._plain_cell()
        if "\0" in cell:
            message = "A cell holds a NUL character. Remove it."
            column = self._line.text.find("\0") + 1
            self._problems.error(
                message,
                value=cell,
                expected="text without NUL",
                column=column or None,
            )
        return cell

    def _plain_cell(self) -> str:
        end = self._line.text.find(self._separator, self._at)
        if end < 0:
            end = len(_without_line_end(self._line.text))
        cell = self._line.text[self._at : end]
        self._at = end
        return cell

    def _quoted_cell(self) -> str:
        opened = (self._line.number, self._at + 1)
        self._at += 1
        parts: list[str] = []
        while True:
            end = self._line.text.find('"', self._at)
            if end < 0:
                parts.append(self._line.text[self._at :])
                self._next_line(opened)
                continue
            parts.append(self._line.text[self._at : end])
            self._at = end + 1
            if not self._line.text.startswith('"', self._at):
                break
            parts.append('"')
            self._at += 1
        self._refuse_rest()
        return "".join(parts)

    def _next_line(self, opened: tuple[int, int]) -> None:
        line = next(self._lines, None)
        if line is None:
            raise FormatError(_unclosed(opened))
        self._line = line
        self._at = 0
        self._length += len(line.text)
        if self._length > self._longest:
            raise FormatError(_unclosed(opened))

    def _refuse_rest(self) -> None:
        column = self._at + 1
        rest = self._plain_cell()
        if rest:
            message = (
                f"There is text after the closing quote on line {self._line.number}. "
                "A quote inside a quoted cell must be doubled."
            )
            expected = "a separator or the line end"
            self._problems.error(message, value=rest, expected=expected, column=column)


def _unclosed(opened: tuple[int, int]) -> Problem:
    line, column = opened
    return Problem(
        f"The quote opened on line {line}, character {column}, is never closed.",
        line=line,
        column=column,
        value='"',
        expected="a closing quote",
    )


def _without_line_end(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")


def read_records(
    file: BinaryIO,
    columns: Sequence[str],
    parse: Callable[[Fields], Record | None],
) -> Iterator[Read[Record]]:
    """Yield what ``parse`` makes of each row, with all problems of the row.

    The header must have ``columns``, in any order; further ones are handed on.
    """
    position = 0
    try:
        for row, fields in read_fields(file, columns):
            position = row.position
            record = parse(fields) if fields else None
            if row.problems.has_errors:
                record = None
            yield Read(row.line, record, row.problems.found(), position)
    except FormatError as error:
        yield Read(error.problem.line or 1, None, (error.problem,), position)


def read_fields(
    file: BinaryIO, columns: Sequence[str], max_bytes: int = MAX_LINE_BYTES
) -> Iterator[tuple[Row, Fields | None]]:
    """Yield each row below the header, and its cells by column name.

    There are no fields where the row has not the header's number of cells; the
    row then holds the error.
    """
    rows = read_rows(file, max_bytes=max_bytes)
    names = _header(next(rows, None), columns)
    for row in rows:
        yield row, _fields(row, names)


def _header(row: Row | None, columns: Sequence[str]) -> tuple[str, ...]:
    if row is None:
        return tuple(columns)
    missing = [column for column in columns if column not in row.cells]
    repeated = {name for name in row.cells if row.cells.count(name) > 1}
    if not missing and not repeated:
        return row.cells
    shown = ",".join(row.cells)
    if repeated:
        message = f"The header names a column twice: {', '.join(sorted(repeated))}."
    else:
        message = f"The header lacks: {', '.join(missing)}.{_separator_hint(shown)}"
    expected = ",".join(columns)
    raise FormatError(
        Problem(message, line=row.line, value=shown[:200], expected=expected)
    )


def _separator_hint(header: str) -> str:
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator in header:
            return f" The cells seem to be separated by {name}; commas are needed."
    if "\r" in header:
        return " The lines seem to end in CR only; LF or CRLF is needed."
    return ""


def _fields(row: Row, names: tuple[str, ...]) -> Fields | None:
    if len(row.cells) == len(names):
        return Fields(dict(zip(names, row.cells, strict=True)), row.problems)
    message = (
        f"The row that starts on line {row.line} has {len(row.cells)} cells; "
        f"the header has {len(names)}. Is a comma or quote inside a cell that "
        "is not quoted?"
    )
    row.problems.error(
        message, value=",".join(row.cells)[:200], expected=f"{len(names)} cells"
    )
    return None
