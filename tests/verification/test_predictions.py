"""Compressed uploads: the same findings as the plain file, and bounded."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from functools import partial

import pytest

from verification.predictions import source_of
from verification.scoring.findings import Findings
from verification.scoring.reading import read_objects

LINES = b'{"id": 1, "evidence": {}}\n{"id": 2, "evidence": {}}\n'


def _read(content: bytes, limit: int = 1024 * 1024) -> tuple[list[object], list[str]]:
    source = source_of("p.jsonl.gz", lambda: io.BytesIO(content), limit)
    findings = Findings()
    ids = [values["id"] for values, _ in read_objects(source, findings)]
    return list(ids), [error.message for error in findings.errors]


def test_plain_and_compressed_files_read_the_same() -> None:
    assert _read(LINES) == _read(gzip.compress(LINES)) == ([1, 2], [])


def test_the_source_of_a_source_reads_the_same() -> None:
    content = gzip.compress(LINES)
    inner = source_of("p.jsonl.gz", lambda: io.BytesIO(content))
    found = read_objects(source_of("p.jsonl.gz", inner.open), Findings())
    assert [values["id"] for values, _ in found] == [1, 2]


@pytest.mark.parametrize("size", [1024 * 1024 + 1, 64 * 1024 * 1024])
def test_what_expands_too_far_is_refused(size: int) -> None:
    ids, errors = _read(gzip.compress(b" " * 1000 + b"\n" * size))
    assert ids == []
    assert errors == ["The compressed file expands to more than 1 MB, the limit."]


@pytest.mark.parametrize(
    "content",
    [gzip.compress(LINES * 500)[:-9], b"\x1f\x8b" + b"nonsense" * 9, b"\x1f\x8b"],
    ids=["cut off", "damaged", "nothing but the mark"],
)
def test_a_damaged_file_is_said_to_be_so(content: bytes) -> None:
    _, errors = _read(content)
    assert len(errors) == 1
    assert "damaged or cut off" in errors[0]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_file_of_too_many_lines_is_refused(pack: Callable[[bytes], bytes]) -> None:
    for ends, expected in [
        (8, []),
        (9, ["The file has more than 10 lines, the limit."]),
    ]:
        content = pack(LINES + b"\n" * ends)
        source = source_of("p.jsonl", partial(io.BytesIO, content), max_lines=10)
        findings = Findings()
        assert len(list(read_objects(source, findings))) == (0 if expected else 2)
        assert [error.message for error in findings.errors] == expected
