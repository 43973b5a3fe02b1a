"""JSON Lines are read strictly, lazily and with bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO, RawIOBase
from itertools import islice
from typing import BinaryIO, cast

import pytest

from corpus.formats.base import Read
from corpus.formats.fields import Fields
from corpus.formats.jsonl import read_records
from corpus.formats.lines import MAX_LINE_BYTES
from corpus.formats.scifact import read_documents
from corpus.formats.strict_json import MAX_DEPTH
from corpus.records import Document, ExternalId
from tests.corpus.formats.helpers import errors, only_record, read


def read_titles(file: BinaryIO) -> Iterator[Read[Document]]:
    """Read any object as a document, so that only the lines are under test."""

    def parse(fields: Fields) -> Document:
        return Document(ExternalId("x"), fields.text("t", ""), extra=fields.values)

    return read_records(file, parse)


def titles(data: bytes) -> list[str]:
    return [result.record.title for result in read(read_titles, data)]


@pytest.mark.parametrize(
    ("data", "expected", "why"),
    [
        (b"", [], "an empty file has no records"),
        (b'{"t":"a"}', ["a"], "a missing last line end"),
        (b'{"t":"a"}\r\n{"t":"b"}\r\n', ["a", "b"], "CRLF"),
        (b'\xef\xbb\xbf{"t":"a"}\n', ["a"], "a byte order mark"),
        (b'\n \t\n{"t":"a"}\n\r\n\n', ["a"], "blank lines"),
        (b'    {"t":"a"}  \n', ["a"], "blanks around a line"),
        ('{"t":"a\u2028b\u2029\x85c"}\n'.encode(), ["a\u2028b\u2029\x85c"], "U+2028"),
        (b'{"t":"a\\r\\nb"}\n', ["a\r\nb"], "an escaped CRLF is content"),
        ('{"t":"\ufeffa"}\n'.encode(), ["\ufeffa"], "a mark inside text is content"),
        (b'{"t":"\\ud83d\\udca9 x"}\n', ["💩 x"], "an escaped surrogate pair"),
        ('{"t":"💩 x"}\n'.encode(), ["💩 x"], "a raw astral character"),
        (b'{"t":"\\\\u0000 \\\\ud800"}\n', ["\\u0000 \\ud800"], "backslashes"),
    ],
)
def test_a_line_is_accepted(data: bytes, expected: list[str], why: str) -> None:
    assert titles(data) == expected, why


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ('{"t": NaN}', None, "NaN is not a JSON number"),
        ('{"t": -Infinity}', None, "-Infinity is not a JSON number"),
        ('{"t": 1e999}', None, "1e999 is too large"),
        ('{"t": "a" "b"}', 11, "not valid JSON at character 11"),
        ('{"t": "a",}', 11, "not valid JSON at character 11"),
        ("{'t': 1}", 2, "not valid JSON at character 2"),
        ('   {"t": x}', 10, "not valid JSON at character 10"),
        ('{"t": "a', 7, "not valid JSON at character 7"),
        ('{"t": "💩" x}', 11, "not valid JSON at character 11"),
        ('{"t": "a", "t": "b"}', None, "The key t occurs twice"),
        ('{"a": {"k": 1, "k": 1}}', None, "The key k occurs twice"),
        ('{"t": "a\\u0000"}', 9, "NUL character at character 9"),
        ('{"t": "a\0"}', 9, "NUL character at character 9"),
        ('{"t": "\\ud800"}', 8, "half of a surrogate pair"),
        ('{"t": "\\udc00\\ud800"}', 8, "half of a surrogate pair"),
        ('{"t": "\\uD83Dx"}', 8, "half of a surrogate pair"),
        ('{"\\ud83d": 1}', 3, "half of a surrogate pair"),
        ("[1]", 1, "not JSON Lines"),
        ("{", 1, "not JSON Lines"),
        ("7", None, "expected an object, found a whole number"),
        ('"text"', None, "expected an object, found text"),
        ("null", None, "expected an object, found null"),
        ("[" * 100_000, 1, "not JSON Lines"),
        ('{"t": ' * 100_000, None, "nested more than 64 deep"),
        ('{"t": "a", "x": ' + "[" * 100_000, None, "nested more than 64 deep"),
        (
            '{"x": ' + "[" * 200 + "]" * 200 + "}",
            None,
            "nested more than 64 deep",
        ),
        ('{"t": ' + "9" * 5000 + "}", None, "too many digits"),
    ],
)
def test_a_line_is_refused(line: str, column: int | None, words: str) -> None:
    problem = errors(read_titles, line.encode() + b"\n")[0]
    assert (problem.line, problem.column) == (1, column)
    assert words in problem.message
    assert len(problem.value) <= 200


def test_every_bad_character_of_a_line_is_reported() -> None:
    found = errors(read_titles, b'{"a": "\\u0000", "b": "\\ud800", "b": 1}\n')
    assert [problem.column for problem in found] == [None, 8, 23]


def test_a_whole_number_of_4000_digits_is_read() -> None:
    record = only_record(read_titles, b'{"n": ' + b"9" * 4000 + b"}\n")
    assert record.extra["n"] == 10**4000 - 1


def test_nesting_up_to_the_limit_is_read() -> None:
    inner = MAX_DEPTH - 1
    line = '{"x": ' + "[" * inner + "]" * inner + "}"
    assert only_record(read_titles, line.encode()).id.text == "x"


def test_good_lines_after_a_bad_one_are_still_checked() -> None:
    found = read(read_titles, b'{"t": 1}\n{"t": "a"}\n{"t":\n{"t": "b"}\n')
    assert [(r.line, r.record.title if r.record else None) for r in found] == [
        (1, None),
        (2, "a"),
        (3, None),
        (4, "b"),
    ]


def test_line_numbers_count_blank_lines() -> None:
    found = read(read_titles, b'\n\n{"t": "a"}\n')
    assert [(result.line, result.position) for result in found] == [(3, 13)]


UTF8_ADVICE = "Save the file as UTF-8 and import it again."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('{"t": "a"}\n'.encode("utf-16"), f"UTF-16. {UTF8_ADVICE}"),
        (b"\xfe\xff" + '{"t": "a"}\n'.encode("utf-16-be"), f"UTF-16. {UTF8_ADVICE}"),
        ('{"t": "a"}\n'.encode("utf-16-le"), f"UTF-16 or UTF-32. {UTF8_ADVICE}"),
        ('{"t": "a"}\n'.encode("utf-16-be"), f"UTF-16 or UTF-32. {UTF8_ADVICE}"),
        ('{"t": "a"}\n'.encode("utf-32"), f"UTF-32. {UTF8_ADVICE}"),
        ('{"t": "naïve"}\n'.encode("cp1252"), "Windows-1252"),
        (b'{"t": "\x81\x8d"}\n', "another encoding, or damaged"),
        (b'{"t": "\xed\xa0\x80"}\n', "is not UTF-8"),
        (b'{"t": "\xc0\x80"}\n', "is not UTF-8"),
        (b"\x1f\x8b\x08\x00rest", "compressed with gzip"),
        (b"PK\x03\x04rest", "Excel workbook"),
    ],
)
def test_another_encoding_is_one_clear_problem(data: bytes, words: str) -> None:
    (problem,) = errors(read_titles, data)
    assert words in problem.message
    assert problem.line == 1
    assert problem.column is not None


def test_a_wrong_byte_is_reported_with_its_character_column() -> None:
    (problem,) = errors(read_titles, b'{"t": "a"}\n{"t": "\xc3\xa9\xe9"}\n{"t": "b"}\n')
    assert (problem.line, problem.column, problem.value) == (2, 9, "0xE9")


def test_reading_is_lazy_on_an_endless_stream() -> None:
    class Endless(RawIOBase):
        """A file without an end; reading it to the end would never return."""

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= MAX_LINE_BYTES + 1
            return b'{"t": "a"}\n'

    file = cast(BinaryIO, Endless())
    found = list(islice(read_titles(file), 3))
    assert [result.position for result in found] == [11, 22, 33]


def test_a_line_without_end_is_refused_at_the_limit() -> None:
    class OneLine(RawIOBase):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert size == MAX_LINE_BYTES + 1
            return b" " * size

    (result,) = read_titles(cast(BinaryIO, OneLine()))
    (problem,) = result.problems
    assert "Line 1 is longer than 64 MB" in problem.message


def test_a_line_of_50_megabytes_is_read() -> None:
    sentence = "An abstract of many words. " * 40_000  # 1.08 MB
    line = json.dumps(
        {"doc_id": 1, "title": "Long", "abstract": [sentence] * 47}
    ).encode()
    assert 50_000_000 < len(line) < MAX_LINE_BYTES
    (result,) = read_documents(BytesIO(line))
    assert result.record is not None
    assert result.record.sentences == (sentence,) * 47


def test_markup_in_an_error_stays_plain_text() -> None:
    script = "<script>alert(1)</script>"
    (problem,) = errors(read_documents, json.dumps({"doc_id": script}).encode())[:1]
    assert type(problem.message) is str
    (problem,) = errors(
        read_documents,
        json.dumps({"doc_id": 1, "title": "t", "abstract": script}).encode(),
    )
    assert problem.value == script
    assert type(problem.value) is str
    assert not hasattr(problem.value, "__html__")
