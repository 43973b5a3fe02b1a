"""Reading and writing small files in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from corpus.formats.base import Problem, Read, Severity, WriteOptions, Written
from corpus.formats.registry import get_format
from tests.paths import shared_file

Reader = Callable[[BinaryIO], Iterator[Read[Any]]]

FOLDS = [
    f"data/scifact/cross_validation/fold_{k}/claims_{split}_{k}.jsonl"
    for k in range(1, 6)
    for split in ("train", "dev")
]
HOSTILE_TEXTS = [
    "",
    " ",
    "\t \u00a0",
    "𝛽-catenin 👩‍🚒 raised IL-6",
    "e\u0301 n\u0303 \u200d\ufe0f",
    "line\u2028separator\u2029and\u0085next",
    "first\r\nsecond\rthird\nfourth",
    "\ufeffmark",
    "<img src=x onerror=alert(1)>",
    "p<0.05 and a&lt;b </script>",
    "say \"yes\", 'no' and “maybe”",
    '"',
    '""',
    ",",
    "\\u0041 \\n \\",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "x\r",
    "x\n",
    "\u202eright to left",
    "\ufffd\uffff\U0010ffff",
    "\x01\x1f\x7f",
]


def jsonl(*values: object) -> bytes:
    """Return one line of JSON for each value."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def read(reader: Reader, data: bytes) -> list[Any]:
    """Read bytes, and check that a record is missing exactly with an error."""
    found = list(reader(BytesIO(data)))
    for result in found:
        errors = [p for p in result.problems if p.severity is Severity.ERROR]
        assert (result.record is None) == bool(errors)
    return found


def only_record(reader: Reader, data: bytes) -> Any:
    """Return the one record of a file without errors."""
    (result,) = read(reader, data)
    assert result.record is not None, result.problems
    return result.record


def problems(reader: Reader, data: bytes) -> list[Problem]:
    """Return all problems of a file."""
    return [problem for result in read(reader, data) for problem in result.problems]


def errors(reader: Reader, data: bytes) -> list[Problem]:
    """Return the errors of a file."""
    return [p for p in problems(reader, data) if p.severity is Severity.ERROR]


@cache
def _reads(format_name: str, kind: str, path: Path) -> tuple[Any, ...]:
    with path.open("rb") as file:
        return tuple(getattr(get_format(format_name), f"read_{kind}")(file))


def reads(format_name: str, kind: str, path: Path) -> list[Any]:
    """Read a published file, once in all tests, with a reader of a format."""
    return list(_reads(format_name, kind, path))


def records(format_name: str, kind: str, relative: str) -> list[Any]:
    """Return the records of a published file, which has no errors."""
    found = reads(format_name, kind, shared_file(relative))
    refused = [
        problem
        for result in found
        for problem in result.problems
        if problem.severity is Severity.ERROR
    ]
    assert refused == []
    return [result.record for result in found]


def claims_reader(name: str) -> Reader:
    """Return the claims reader of a format."""
    reader = get_format(name).read_claims
    assert reader
    return reader


def documents_reader(name: str) -> Reader:
    """Return the documents reader of a format."""
    reader = get_format(name).read_documents
    assert reader
    return reader


def write_claim(name: str, claim: Any, options: WriteOptions | None = None) -> Written:
    """Return what a format makes of one claim, without a header."""
    writer = get_format(name).write_claims
    assert writer
    return list(writer([claim], options or WriteOptions()))[-1]


def severities(result: Written) -> list[str]:
    """Return the severities of what was reported, and check the bytes."""
    found = [problem.severity.value for problem in result.problems]
    assert (result.data == b"") == ("error" in found)
    return found
