"""The rows of an uploaded table of questions and studies. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.study_cells import READ, SHOWN, from_cell
from corpus.formats.base import FormatError, Problem, Severity
from corpus.formats.problems import shown
from corpus.table_rows import TableRow, open_table
from corpus.text import bad_character, normalise_newlines

MAX_ROWS = 50_000
MAX_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class TableFile:
    """An uploaded file that stays open and can be sought in."""

    file: BinaryIO
    name: str
    size: int = 0
    sha256: str = ""

    @classmethod
    def of(cls, file: BinaryIO, name: str) -> TableFile:
        """Measure a file."""
        digest, size = hashlib.sha256(), 0
        file.seek(0)
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
        return cls(file, name, size, digest.hexdigest())


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the file: the cells by column that it has."""

    number: int
    cells: dict[str, str]
    places: dict[str, int]

    def problem(self, message: str, column: str, expected: str = "") -> Problem:
        """Return what is wrong in one cell."""
        return Problem(
            message,
            line=self.number,
            column=self.places.get(column),
            field=column,
            value=shown(self.cells.get(column, "")),
            expected=expected,
        )


def read_lines(table: TableFile) -> Iterator[Line | Problem]:
    """Yield the rows of a table; ``FormatError`` if it is no table of studies."""
    rows = iter(open_table(table.file, table.name).rows)
    header = next(rows, None)
    names = [cell.strip().lower() for cell in header.cells] if header else []
    if "study" not in names or not {"question", "question_id"} & set(names):
        raise FormatError(
            Problem(
                "This is no table of questions and studies: it has no columns "
                "“study” and “question” or “question_id”.",
                line=1,
                expected=", ".join(READ),
            )
        )
    places = {name: place for place, name in enumerate(names, start=1)}
    if len(places) < len(names):
        raise FormatError(Problem("Two columns have the same heading.", line=1))
    for name in names:
        if name not in {*READ, *SHOWN}:
            yield Problem(
                f"The column “{name}” is not read.",
                line=1,
                column=places[name],
                severity=Severity.WARNING,
            )
    for count, row in enumerate(rows):
        if count == MAX_ROWS:
            raise FormatError(Problem(f"More than {MAX_ROWS:,} rows.", line=row.line))
        if any(cell.strip() for cell in row.cells):
            yield from _line(row, places)


def _line(row: TableRow, places: dict[str, int]) -> Iterator[Line | Problem]:
    yield from row.problems
    if any(problem.severity is Severity.ERROR for problem in row.problems):
        return
    cells = {}
    for name, place in places.items():
        cell = row.cells[place - 1] if place <= len(row.cells) else ""
        if bad := bad_character(cell):
            yield Problem(
                f"Character {bad[0] + 1} is {bad[1]}, which cannot be kept.",
                line=row.line,
                column=place,
                field=name,
            )
        cells[name] = normalise_newlines(from_cell(cell)).strip()
        if len(cells[name]) > MAX_TEXT:
            yield Problem(
                f"{len(cells[name])} characters; {MAX_TEXT} are the most.",
                line=row.line,
                column=place,
                field=name,
            )
    extra = len(row.cells) - len(places)
    if extra > 0 and any(row.cells[len(places) :]):
        yield Problem(
            f"This row has {extra} cells more than the header.",
            line=row.line,
            column=len(places) + 1,
        )
    yield Line(row.line, cells, places)
