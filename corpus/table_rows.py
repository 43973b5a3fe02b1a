"""The rows of a spreadsheet, whether it comes as CSV or as XLSX.

CSV may be UTF-8 (with or without a byte order mark), UTF-16 or Windows-1252, and
separated by commas, semicolons or tabs. Of a workbook only cell values are read:
no formula is run, no macro, no link. What could fill the memory is refused: a
workbook is unpacked up to ``MAX_UNPACKED_BYTES`` and read up to ``MAX_ROWS``.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO
from xml.etree.ElementTree import ParseError

from corpus.formats import csvfile
from corpus.formats.base import FormatError, Problem

if TYPE_CHECKING:
    from openpyxl import Workbook

MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_ROWS = 200_000
MAX_COLUMNS = 256

_SEPARATORS = (",", ";", "\t")
_CHUNK = 1024 * 1024
_ZIP_START = b"PK\x03\x04"
_OLD_EXCEL_START = b"\xd0\xcf\x11\xe0"
# What openpyxl raises for a damaged or foreign file.
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, ParseError, EOFError),
    *(KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError),
    *(NotImplementedError, RuntimeError),
)
_CONTROL_ESCAPE = re.compile(r"_x00(0[9AaDd])_")


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row as text; ``position`` is for progress bars."""

    line: int
    cells: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    position: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """An opened spreadsheet. ``rows`` begins with the header and streams."""

    rows: Iterator[TableRow]
    sheet_names: tuple[str, ...] = ()
    encoding: str = ""
    separator: str = ""


def open_table(stream: BinaryIO, filename: str, sheet: str | None = None) -> Table:
    """Open a spreadsheet that can be sought in; ``sheet`` is for workbooks only.

    What the file is, is told by its first bytes, not by its name. ``FormatError``
    is raised for anything that cannot be read, here or while reading rows.
    """
    stream.seek(0)
    start = stream.read(8)
    stream.seek(0)
    if start.startswith(_OLD_EXCEL_START):
        raise _refusal(
            f"“{filename}” is an old Excel file (.xls) or a workbook with a password.",
            "Save it as .xlsx without a password, or as CSV UTF-8.",
        )
    if start.startswith(_ZIP_START):
        return _open_workbook(stream, filename, sheet)
    return _open_csv(stream, filename)


def _refusal(found: str, advice: str, line: int | None = None) -> FormatError:
    return FormatError(Problem(f"{found} {advice}", line=line, expected="CSV or XLSX"))


# --- CSV -----------------------------------------------------------------------


def _open_csv(stream: BinaryIO, filename: str) -> Table:
    encoding = _encoding(stream, filename)
    separator = _named_separator(stream, encoding) or _separator(stream, encoding)
    return Table(_csv_rows(stream, encoding, separator), (), encoding, separator)


def _encoding(stream: BinaryIO, filename: str) -> str:
    """Find the encoding by the byte order mark, else by what decodes."""
    start = stream.read(1024)
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise _refusal(f"“{filename}” is in UTF-32.", "Save it as CSV UTF-8.")
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        candidates: tuple[str, ...] = ("utf-16",)
    elif start[1::2].count(0) > len(start) // 4:
        candidates = ("utf-16-le",)
    elif start[::2].count(0) > len(start) // 4:
        candidates = ("utf-16-be",)
    else:
        candidates = ("utf-8", "cp1252")
    for encoding in candidates:
        if _decodes(stream, encoding):
            return encoding
    tried = " or ".join(candidates)
    raise _refusal(f"“{filename}” is no text in {tried}.", "Save it as CSV UTF-8.")


def _decodes(stream: BinaryIO, encoding: str) -> bool:
    stream.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := stream.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


class _Utf8View(io.BufferedIOBase):
    """A text file in another encoding, read line by line as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        super().__init__()
        # The file stays open for its owner: nothing here closes it.
        reader = codecs.getreader(encoding)(stream)
        self._lines = _lines_of(reader)

    def readline(self, size: int | None = -1, /) -> bytes:
        return next(self._lines, "").encode("utf-8", "surrogatepass")


def _lines_of(reader: codecs.StreamReader) -> Iterator[str]:
    """Yield lines that end at LF only, as ``corpus.formats.lines`` has them."""
    parts: list[str] = []
    while text := reader.read(_CHUNK):
        *whole, rest = text.split("\n")
        for line in whole:
            yield "".join([*parts, line, "\n"])
            parts = []
        parts.append(rest)
    yield "".join(parts)


def _raw_rows(stream: BinaryIO, encoding: str, separator: str) -> Iterator[csvfile.Row]:
    stream.seek(0)
    view: BinaryIO = stream
    if encoding != "utf-8":
        view = _Utf8View(stream, encoding)  # type: ignore[assignment]
    return csvfile.read_rows(view, separator)


def _named_separator(stream: BinaryIO, encoding: str) -> str:
    """Return the separator that Excel names in a first line “sep=;”."""
    first = next(_raw_rows(stream, encoding, "\0"), None)
    name = first.cells[0].casefold() if first else ""
    return name[4:] if name[:4] == "sep=" and name[4:] in _SEPARATORS else ""


def _separator(stream: BinaryIO, encoding: str) -> str:
    """Return the separator that parts the header into most cells."""

    def columns(separator: str) -> int:
        try:
            header = next(_raw_rows(stream, encoding, separator), None)
        except FormatError:
            return 0
        usable = header and not header.problems.has_errors
        return len(header.cells) if header and usable else 0

    return max(_SEPARATORS, key=columns)


def _csv_rows(stream: BinaryIO, encoding: str, separator: str) -> Iterator[TableRow]:
    for row in _raw_rows(stream, encoding, separator):
        if row.line == 1 and "".join(row.cells).casefold() in ("sep=", "sep=;"):
            continue
        if row.line == 1 and any("\r" in cell for cell in row.cells):
            raise _refusal(
                "The lines end in CR only, as on old Macs.", "Save it as CSV UTF-8.", 1
            )
        yield TableRow(row.line, row.cells, row.problems.found(), stream.tell())


# --- XLSX ----------------------------------------------------------------------


def _open_workbook(stream: BinaryIO, filename: str, sheet: str | None) -> Table:
    # Here, since every start of the site would wait for it.
    from openpyxl import load_workbook

    _refuse_bomb(stream, filename)
    try:
        workbook = load_workbook(
            stream, read_only=True, data_only=True, keep_links=False
        )
        names = tuple(sheet.title for sheet in workbook.worksheets)
    except _UNREADABLE:
        raise _not_a_workbook(filename) from None
    if not names:
        raise _refusal(f"“{filename}” has no sheet with cells.", "Add one.")
    if sheet is not None and sheet not in names:
        listed = ", ".join(f"“{name}”" for name in names)
        raise _refusal(f"There is no sheet “{sheet}”.", f"The sheets are: {listed}.")
    size = stream.seek(0, io.SEEK_END)
    rows = _sheet_rows(workbook, sheet or names[0], filename, size)
    return Table(rows, names)


def _refuse_bomb(stream: BinaryIO, filename: str) -> None:
    try:
        with zipfile.ZipFile(stream) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
    except _UNREADABLE:
        raise _not_a_workbook(filename) from None
    finally:
        stream.seek(0)
    if unpacked > MAX_UNPACKED_BYTES:
        limit = MAX_UNPACKED_BYTES // (1024 * 1024)
        raise _refusal(
            f"“{filename}” unpacks to {unpacked // (1024 * 1024):,} MB; the limit "
            f"is {limit} MB.",
            "Save it as CSV UTF-8, which may be larger.",
        )


def _not_a_workbook(filename: str) -> FormatError:
    return _refusal(
        f"“{filename}” is no Excel workbook (.xlsx), or it is damaged.",
        "Save it as .xlsx or as CSV UTF-8.",
    )


def _sheet_rows(
    workbook: Workbook, name: str, filename: str, size: int
) -> Iterator[TableRow]:
    sheet = workbook[name]
    stated = sheet.max_row or MAX_ROWS
    # The size that a file states may be a lie: only the cells count.
    sheet.reset_dimensions()
    values = sheet.iter_rows(max_col=MAX_COLUMNS + 1, values_only=True)
    line = filled = 0
    while (row := _next_row(values, filename)) is not None:
        line += 1
        width = _filled_width(row)
        # A stray format far below makes Excel save many rows without a value.
        if not width:
            continue
        filled += 1
        _refuse_excess(line, filled, width)
        cells = tuple(_cell_text(value) for value in row[:width])
        position = min(size, size * line // max(stated, line))
        yield TableRow(line, cells, (), position)


def _next_row(
    values: Iterator[Sequence[object]], filename: str
) -> Sequence[object] | None:
    try:
        return next(values, None)
    except _UNREADABLE:
        raise _not_a_workbook(filename) from None


def _filled_width(row: Sequence[object]) -> int:
    if row.count(None) == len(row):
        return 0
    return next(n for n in range(len(row), 0, -1) if row[n - 1] is not None)


def _refuse_excess(line: int, filled: int, width: int) -> None:
    if filled > MAX_ROWS:
        raise _refusal(
            f"The sheet has more than {MAX_ROWS:,} rows.", "Save it as CSV.", line
        )
    if width > MAX_COLUMNS:
        raise _refusal(
            f"The sheet has more than {MAX_COLUMNS} columns.", "Remove some.", line
        )


def _cell_text(value: object) -> str:
    """Return a cell as a reader of the sheet would type it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _CONTROL_ESCAPE.sub(lambda m: chr(int(m[1], 16)), value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        whole_day = value.time() == time()
        return value.date().isoformat() if whole_day else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def first_rows(table: Table, count: int) -> list[TableRow]:
    """Return up to ``count`` rows that are not blank."""
    rows = (row for row in table.rows if any(cell.strip() for cell in row.cells))
    return list(islice(rows, count))
