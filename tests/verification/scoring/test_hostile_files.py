"""Hostile files end in a clear error, in seconds and in bounded memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable, Iterator
from io import BufferedReader, RawIOBase
from typing import BinaryIO, cast

import pytest

from tests.verification.scoring.files import (
    claim,
    errors_of,
    prediction,
    refused,
    request,
    scored,
    source,
)
from verification.scoring.reading import MAX_LINE_BYTES, Source
from verification.scoring.service import score
from verification.scoring.tasks import Request

PIPELINE = "scifact_pipeline"
GOLD = [claim(1, d11=[([0], "SUPPORT")])]
GOOD = json.dumps(prediction(1, d11=([0], "SUPPORT")))
LINE = '{"id": 1, "evidence": {"11": {"sentences": [0], "label": "SUPPORT"}}%s}'


def with_field(text: str) -> bytes:
    return (LINE % f', "note": {text}').encode()


HOSTILE = [
    ("nesting 100,000 deep", with_field("[" * 100_000 + "]" * 100_000), "nested"),
    ("nesting never closed", b"[" * 100_000, "JSON"),
    ("objects nested deep", with_field('{"a":' * 9_000 + "1" + "}" * 9_000), "nested"),
    ("a line of 50 MB", b'{"id": "' + b"x" * 50_000_000 + b'"}', "longer than 1 MB"),
    ("NaN", with_field("NaN"), "NaN is not a JSON number"),
    ("Infinity", with_field("-Infinity"), "-Infinity is not"),
    ("a number too large", with_field("1e999"), "too large"),
    ("a number too long", with_field("9" * 5_000), "too many digits"),
    ("a key twice", b'{"id": 1, "id": 2, "evidence": {}}', "occurs twice"),
    ("a document twice", b'{"id": 1, "evidence": {"1": {}, "1": {}}}', "occurs twice"),
    ("half a character", with_field('"\\ud83d"'), "half of a surrogate"),
    ("NUL", with_field('"\\u0000"'), "NUL"),
    ("UTF-16", GOOD.encode("utf-16"), "UTF-16"),
    ("UTF-16 without a mark", GOOD.encode("utf-16-le"), "UTF-16"),
    ("UTF-32", GOOD.encode("utf-32"), "UTF-32"),
    ("Windows-1252", GOOD.replace("11", "é").encode("cp1252"), "not UTF-8"),
    ("binary", bytes(range(128, 256)) * 100, "not UTF-8"),
    ("zeros", bytes(1000), "binary"),
    ("gzip", gzip.compress(GOOD.encode()), "gzip"),
    ("a workbook", b"PK\x03\x04" + bytes(100), "Excel"),
    ("empty", b"", "empty"),
    ("blank lines only", b"\n \r\n\t\n", "empty"),
    ("a JSON list", f"[{GOOD}]".encode(), "not JSON Lines"),
    ("pretty-printed JSON", json.dumps({"id": 1}, indent=1).encode(), "not JSON Lines"),
    ("CSV", b"idx,label\n1,ENTAIL\n", "not valid JSON"),
    ("cut off", GOOD[:-5].encode(), "not valid JSON"),
]


@pytest.mark.parametrize(
    ("data", "words"), [c[1:] for c in HOSTILE], ids=[c[0] for c in HOSTILE]
)
def test_a_hostile_file_is_refused_with_a_clear_error(data: bytes, words: str) -> None:
    found = refused(PIPELINE, request(GOLD, data))
    assert found[0][0] == "predictions"
    assert words in found[0][3]


@pytest.mark.parametrize("data", [c[1] for c in HOSTILE], ids=[c[0] for c in HOSTILE])
@pytest.mark.parametrize("task", ["core", "fever", "agreement", "scifact_open"])
def test_no_task_breaks_on_a_hostile_file(task: str, data: bytes) -> None:
    gold = {"core": b"idx,label\n0,ENTAIL\n", "agreement": None}
    any_other = b'{"id": 1, "evidence": {}}'
    outcome = score(task, request(gold.get(task, any_other), data))
    assert outcome.errors


def test_reading_goes_on_after_a_bad_line() -> None:
    lines = [b"\xff", b"x" * (MAX_LINE_BYTES + 1), b"{", b"7", GOOD.encode()]
    found = refused(PIPELINE, request(GOLD, b"\n".join(lines)))
    assert [(line, claim_id) for _, line, claim_id, _ in found] == [
        (1, None),
        (2, None),
        (3, None),
        (4, None),
    ]


def test_a_line_of_exactly_the_limit_is_read() -> None:
    rest = MAX_LINE_BYTES - len(with_field('""'))
    assert scored(PIPELINE, request(GOLD, with_field(f'"{"x" * rest}"')))["metrics"]
    found = refused(PIPELINE, request(GOLD, with_field(f'"{"x" * (rest + 1)}"')))
    assert "longer than 1 MB" in found[0][3]


FORMS: list[tuple[str, Callable[[str], bytes]]] = [
    ("a byte order mark", lambda text: b"\xef\xbb\xbf" + text.encode()),
    ("CRLF", lambda text: text.replace("\n", "\r\n").encode()),
    ("blank lines", lambda text: b"\n\n" + text.replace("\n", "\n\n \n").encode()),
    ("no last line end", lambda text: text.rstrip("\n").encode()),
    ("blanks around lines", lambda text: b"  " + text.replace("\n", " \n").encode()),
    (
        "U+2028 and HTML in a further field",
        lambda text: text.replace(
            '"evidence"', '"note": "\u2028<script>alert(1)</script>", "evidence"'
        ).encode(),
    ),
]


@pytest.mark.parametrize("form", [f[1] for f in FORMS], ids=[f[0] for f in FORMS])
def test_a_harmless_form_scores_identically(form: Callable[[str], bytes]) -> None:
    gold = [claim(n, d11=[([n], "SUPPORT")]) for n in range(3)]
    lines = [prediction(n, d11=([n % 2], "SUPPORT")) for n in range(3)]
    plain = scored(PIPELINE, request(gold, lines))
    text = "".join(json.dumps(line) + "\n" for line in lines)
    gold_text = "".join(json.dumps(line) + "\n" for line in gold)
    found = scored(PIPELINE, request(form(gold_text), form(text)))
    assert found["metrics"] == plain["metrics"]
    assert found["counts"] == plain["counts"]


class Repeated(RawIOBase):
    """A file of many times the same bytes, which never lie in memory."""

    def __init__(self, piece: bytes, times: int) -> None:
        self._pieces: Iterator[bytes] = iter([piece] * times)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        if not self._rest:
            self._rest = next(self._pieces, b"")
        taken = self._rest[: len(view)]
        view[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)


def huge(piece: bytes, times: int) -> Source:
    def opened() -> BinaryIO:
        return cast(BinaryIO, BufferedReader(Repeated(piece, times)))

    return Source("predictions", opened)


@pytest.mark.parametrize(
    ("piece", "times", "words"),
    [
        # One line of 1 GB of zeros.
        pytest.param(bytes(1 << 20), 1000, "longer than 1 MB", marks=pytest.mark.slow),
        (b"{}\n" * 10_000, 3, "id is missing"),
    ],
)
def test_memory_stays_flat_on_a_huge_file(piece: bytes, times: int, words: str) -> None:
    tracemalloc.start()
    try:
        asked = Request(predictions=huge(piece, times), gold=source("gold", GOLD))
        outcome = score(PIPELINE, asked)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert words in errors_of(outcome)[0][3]
    assert peak < 40_000_000


@pytest.mark.parametrize(
    "line",
    [
        # An id of 500 kB before 100,000 bad indices would be printed each time.
        b'{"id": "%s", "evidence": {"11": {"sentences": [%s], "label": "SUPPORT"}}}'
        % (b"x" * 500_000, b",".join([b'"a"'] * 100_000)),
        b"{%s}" % b",".join([b'"a":1'] * 150_000),
        b'{"id": 1, "note": "%s"}' % (rb"\u0000" * 150_000),
    ],
    ids=["a huge id", "one key 150,000 times", "150,000 NULs"],
)
def test_errors_of_one_line_stay_small(line: bytes) -> None:
    tracemalloc.start()
    try:
        outcome = score(PIPELINE, request(GOLD, line))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert outcome.errors
    assert sum(len(str(error)) for error in errors_of(outcome)) < 5_000_000
    assert peak < 60_000_000


def test_a_document_that_claims_a_million_sentences_costs_nothing() -> None:
    lines = [
        {
            "claim_id": n,
            "annotator": who,
            "label": "SUPPORT",
            "sentences": [0],
            "n_sentences": 1_000_000,
        }
        for n in range(500)
        for who in "ab"
    ]
    tracemalloc.start()
    try:
        assert scored("agreement", request(None, lines))["metrics"]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60_000_000
    found = refused("agreement", request(None, [lines[0] | {"n_sentences": 10**9}]))
    assert "up to 1000000" in found[0][3]
