"""Reading a text file line by line, with bounded memory and clear refusals.

Lines end at ``\n`` only. ``str.splitlines`` would also break at U+2028 and its
relatives, which are ordinary content of abstracts.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from corpus.formats.base import FormatError, Problem

MAX_LINE_BYTES = 64 * 1024 * 1024
"""The longest line that is read. A longer one is refused, never cut."""

_EXPECTED = "text in UTF-8"
_SAVE_AS = "Save the file as UTF-8 and import it again."
# UTF-32 first: its little-endian mark starts with that of UTF-16.
_FOREIGN_STARTS = (
    (codecs.BOM_UTF32_LE, f"The file is in UTF-32. {_SAVE_AS}"),
    (codecs.BOM_UTF32_BE, f"The file is in UTF-32. {_SAVE_AS}"),
    (codecs.BOM_UTF16_LE, f"The file is in UTF-16. {_SAVE_AS}"),
    (codecs.BOM_UTF16_BE, f"The file is in UTF-16. {_SAVE_AS}"),
    (b"\x1f\x8b", "The file is compressed with gzip. Unpack it first."),
    (b"PK\x03\x04", "The file is a ZIP archive or an Excel workbook, not plain text."),
)


class Line(NamedTuple):
    """One line with its line end, and the byte offset after it."""

    number: int
    text: str
    position: int


def read_lines(file: BinaryIO, max_bytes: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """Yield the lines of a UTF-8 file, blank ones included.

    A byte order mark at the start is dropped. ``FormatError`` is raised for
    another encoding, for bytes that are no UTF-8 and for a line of more than
    ``max_bytes``; it says where, and what to do.
    """
    for line in scan_lines(file, max_bytes):
        if isinstance(line, Problem):
            raise FormatError(line)
        yield line


def scan_lines(file: BinaryIO, max_bytes: int) -> Iterator[Line | Problem]:
    """Yield each line, or the problem that stands in its place, and go on.

    Memory stays bounded: the rest of a line that is too long is skipped in
    pieces. ``FormatError`` is raised only for a file in another encoding.
    """
    position = 0
    number = 0
    while data := file.readline(max_bytes + 1):
        number += 1
        position += len(data)
        if len(data) > max_bytes:
            yield _too_long(number, max_bytes)
            position += _skip_line(file, data, max_bytes)
            continue
        if number == 1:
            data = _without_mark(data)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            yield _not_utf8(error, data, number)
        else:
            yield Line(number, text, position)


def _too_long(number: int, max_bytes: int) -> Problem:
    megabytes = max_bytes // (1024 * 1024)
    message = (
        f"Line {number} is longer than {megabytes} MB. "
        "Is the whole file on one line? One record per line is needed."
    )
    expected = f"at most {megabytes} MB in a line"
    return Problem(message, line=number, expected=expected)


def _skip_line(file: BinaryIO, data: bytes, max_bytes: int) -> int:
    skipped = 0
    while data and not data.endswith(b"\n"):
        data = file.readline(max_bytes)
        skipped += len(data)
    return skipped


def _without_mark(data: bytes) -> bytes:
    for start, message in _FOREIGN_STARTS:
        if data.startswith(start):
            raise FormatError(Problem(message, line=1, column=1, expected=_EXPECTED))
    if data.startswith(b"\0\0\0\0"):
        message = "The file is binary, not text."
        raise FormatError(Problem(message, line=1, column=1, expected=_EXPECTED))
    if data[:4].count(0) >= 2:
        message = f"The file seems to be in UTF-16 or UTF-32. {_SAVE_AS}"
        raise FormatError(Problem(message, line=1, column=1, expected=_EXPECTED))
    return data.removeprefix(codecs.BOM_UTF8)


def _not_utf8(error: UnicodeDecodeError, data: bytes, number: int) -> Problem:
    column = len(data[: error.start].decode("utf-8")) + 1
    bad = data[error.start : error.end]
    message = (
        f"Line {number} is not UTF-8: the byte 0x{bad[0]:02X} at character "
        f"{column} does not belong there. The file seems to be in "
        f"{_likely_encoding(data)}. {_SAVE_AS}"
    )
    return Problem(
        message,
        line=number,
        column=column,
        value=" ".join(f"0x{byte:02X}" for byte in bad[:8]),
        expected=_EXPECTED,
    )


def _likely_encoding(data: bytes) -> str:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "another encoding, or damaged"
    return "Windows-1252 (“ANSI”, the default of older Excel and Notepad)"
