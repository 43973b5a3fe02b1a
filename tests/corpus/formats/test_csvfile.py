"""CSV cells are read verbatim, and broken rows are reported where they break."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import BytesIO, RawIOBase, StringIO
from itertools import islice
from typing import BinaryIO, cast

import pytest

from corpus.formats.base import Read
from corpus.formats.csvfile import encode_row, read_records, read_rows
from corpus.formats.fields import Fields
from corpus.records import Document, ExternalId
from tests.corpus.formats.helpers import HOSTILE_TEXTS, errors, read


def read_pairs(file: BinaryIO) -> Iterator[Read[Document]]:
    """Read the columns a and b as id and title."""

    def parse(fields: Fields) -> Document:
        return Document(ExternalId(fields.text("a")), fields.text("b"))

    return read_records(file, ("a", "b"), parse)


def pairs(data: bytes) -> list[tuple[str, str]]:
    return [(r.record.id.text, r.record.title) for r in read(read_pairs, data)]


@pytest.mark.parametrize(
    ("data", "expected", "why"),
    [
        (b"", [], "an empty file has no records"),
        (b"a,b\n", [], "a header alone"),
        (b"a,b\n1,x\n", [("1", "x")], "plain cells"),
        (b"a,b\n1,x", [("1", "x")], "a missing last line end"),
        (b"a,b\r\n1,x\r\n", [("1", "x")], "CRLF between rows"),
        (b"\xef\xbb\xbfa,b\n1,x\n", [("1", "x")], "a byte order mark"),
        (b'\xef\xbb\xbf"a",b\n1,x\n', [("1", "x")], "a mark before a quote"),
        (b"a,b\n\n1,x\n\r\n2,y\n\n", [("1", "x"), ("2", "y")], "blank lines"),
        (b'a,b\n1,"x, y"\n', [("1", "x, y")], "a comma in quotes"),
        (b'a,b\n1,"say ""x"""\n', [("1", 'say "x"')], "doubled quotes"),
        (b'a,b\n1,""""\n', [("1", '"')], "one quote"),
        (b'a,b\n1,""\n2,\n', [("1", ""), ("2", "")], "empty cells"),
        (b'a,b\n1,"x\r\ny"\r\n', [("1", "x\r\ny")], "CRLF in a cell stays"),
        (b'a,b\n1,"x\n\ny"\n2,z\n', [("1", "x\n\ny"), ("2", "z")], "a blank line"),
        (b"a,b\n1,5' 6\" tall\n", [("1", "5' 6\" tall")], "a quote inside a cell"),
        (b"b,a\nx,1\n", [("1", "x")], "columns in another order"),
        (b"a,b,c\n1,x,z\n", [("1", "x")], "a further column"),
        (b"a,b\n 1 , x \n", [(" 1 ", " x ")], "blanks are content"),
        ("a,b\n1,x\u2028y\x85z\n".encode(), [("1", "x\u2028y\x85z")], "U+2028"),
    ],
)
def test_a_file_is_accepted(
    data: bytes, expected: list[tuple[str, str]], why: str
) -> None:
    assert pairs(data) == expected, why


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a,b\n1\n", 2, None, "has 1 cells; the header has 2"),
        (b"a,b\n1,2,3\n", 2, None, "has 3 cells; the header has 2"),
        (b'a,b\n1,"x\ny"\n2\n', 4, None, "starts on line 4 has 1 cells"),
        (b'a,b\n1,x\n2,"y\n3,z\n', 3, 3, "opened on line 3, character 3"),
        (b'a,b\n1,"x" y\n', 2, 6, "text after the closing quote"),
        (b"a,b\n1,x\0y\n", 2, 4, "NUL"),
        (b'a,b\n1,"x\ny\0"\n', 2, 2, "NUL"),
        (b"a,c\n1,x\n", 1, None, "The header lacks: b"),
        (b"a,b,b\n1,x,y\n", 1, None, "names a column twice: b"),
        (b"a;b\n1;x\n", 1, None, "separated by semicolons"),
        (b"a\tb\n1\tx\n", 1, None, "separated by tabs"),
        (b"a,b\r1,x\r", 1, None, "end in CR only"),
        ("a,b\n1,x\n".encode("utf-16"), 1, 1, "UTF-16"),
        ("a,b\n1,é\n".encode("cp1252"), 2, 3, "Windows-1252"),
    ],
)
def test_a_broken_row_is_reported(
    data: bytes, line: int, column: int | None, words: str
) -> None:
    problem = errors(read_pairs, data)[0]
    assert (problem.line, problem.column) == (line, column)
    assert words in problem.message


def test_rows_after_a_broken_one_are_still_checked() -> None:
    found = read(read_pairs, b"a,b\n1\n2,x\n3,y,z\n4,w\n")
    assert [(r.line, r.record is not None) for r in found] == [
        (2, False),
        (3, True),
        (4, False),
        (5, True),
    ]


def test_a_cell_of_five_megabytes_is_read() -> None:
    cell = 'A "long", abstract\r\n' * 250_000
    assert pairs(b"a,b\n" + encode_row(["1", cell])) == [("1", cell)]


def test_the_global_cell_limit_of_the_standard_library_is_left_alone() -> None:
    assert csv.field_size_limit() == 131_072


def test_reading_is_lazy_on_an_endless_stream() -> None:
    class Endless(RawIOBase):
        def readline(self, size: int | None = -1, /) -> bytes:
            return b"a,b\n"

    rows = list(islice(read_rows(cast(BinaryIO, Endless())), 3))
    assert [row.position for row in rows] == [4, 8, 12]


def test_rows_are_quoted_as_the_standard_library_quotes_them() -> None:
    for text in HOSTILE_TEXTS:
        if "\r" in text.replace("\r\n", ""):
            continue  # the standard library leaves a lone CR unquoted
        buffer = StringIO(newline="")
        csv.writer(buffer, lineterminator="\n").writerow(["x", text])
        assert encode_row(["x", text]) == buffer.getvalue().encode()


def test_a_carriage_return_alone_is_quoted_too() -> None:
    assert encode_row(["x", "y\r"]) == b'x,"y\r"\n'


def test_hostile_cells_come_back_verbatim() -> None:
    data = b"a,b\n" + b"".join(encode_row(["1", text]) for text in HOSTILE_TEXTS)
    assert [title for _, title in pairs(data)] == HOSTILE_TEXTS


def test_the_standard_reader_agrees_on_hostile_cells() -> None:
    data = b"".join(encode_row(["1", text]) for text in HOSTILE_TEXTS)
    theirs = csv.reader(StringIO(data.decode(), newline=""))
    ours = read_rows(BytesIO(data))
    assert [row.cells for row in ours] == [tuple(row) for row in theirs]
