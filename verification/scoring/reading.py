"""Reading the files of a score: strict JSON objects and CSV rows, and corpora.

Reading goes on after a bad line, so that all errors are found, and keeps one line
in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from corpus.formats.base import FormatError, Problem
from corpus.formats.csvfile import read_fields
from corpus.formats.lines import Line, scan_lines
from corpus.formats.problems import Problems
from corpus.formats.strict_json import StrictDecoder, refuse_other_json
from corpus.records import Json
from verification.scoring.findings import Findings, Place

MAX_LINE_BYTES = 1024 * 1024
"""The longest line of a file that is scored: 1 MB."""

_BLANKS = " \t\r\n"
_BLOCK = 1024 * 1024

Values = dict[str, Json]
Documents = Mapping[str, int]
"""The number of sentences of each document, by the document's id as text."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: the name that messages use, and how to open it."""

    name: str
    open: Callable[[], BinaryIO]

    @classmethod
    def of_path(cls, path: str | Path) -> Source:
        """Return the source of a file on disk."""
        return cls(str(path), lambda: open(path, "rb"))

    def sha256(self) -> str:
        """Return the checksum of the bytes."""
        digest = sha256()
        with self.open() as file:
            while block := file.read(_BLOCK):
                digest.update(block)
        return digest.hexdigest()


def read_objects(source: Source, findings: Findings) -> Iterator[tuple[Values, Place]]:
    """Yield the object of each line; record each line that has none."""
    decoder = StrictDecoder()
    found_any = False
    with source.open() as file:
        try:
            for line in scan_lines(file, MAX_LINE_BYTES):
                number = line.line if isinstance(line, Problem) else line.number
                place = Place(findings, source.name, number)
                values = _object(line, decoder, place)
                found_any = found_any or values is not None or place.has_errors
                if values is not None:
                    yield values, place
        except FormatError as error:
            problem = error.problem
            findings.error(source.name, problem.line, None, problem.message)
            return
    if not found_any:
        findings.error(source.name, None, None, "The file is empty.")


def _object(
    line: Line | Problem, decoder: StrictDecoder, place: Place
) -> Values | None:
    if isinstance(line, Problem):
        place.error(line.message)
        return None
    text = line.text.strip(_BLANKS)
    if not text:
        return None
    if line.number == 1:
        refuse_other_json(text)
    problems = Problems(line.number)
    values = decoder.decode(text, problems)
    if values is None:
        for problem in problems.found():
            place.error(problem.message)
    return values


def read_cells(
    source: Source, columns: Sequence[str], findings: Findings
) -> Iterator[tuple[Values, Place]]:
    """Yield the cells of each row of a CSV file by column name."""
    place = None
    with source.open() as file:
        try:
            for row, fields in read_fields(file, columns, MAX_LINE_BYTES):
                place = Place(findings, source.name, row.line)
                for problem in row.problems.found():
                    place.error(problem.message)
                if fields and not place.has_errors:
                    yield dict(fields.values), place
        except FormatError as error:
            problem = error.problem
            findings.error(source.name, problem.line, None, problem.message)
            return
    if place is None:
        findings.error(source.name, None, None, "The file holds no rows.")


def read_documents(
    source: Source,
    findings: Findings,
    *,
    id_key: str = "doc_id",
    size_of: Callable[[Values], int | None] | None = None,
    once: bool = False,
) -> dict[str, int]:
    """Return the number of sentences of each document of a corpus file.

    ``once`` makes a repeated document an error, for evaluators that insist.
    """
    sizes: dict[str, int] = {}
    count = size_of or _abstract_length
    for values, place in read_objects(source, findings):
        document, size = values.get(id_key), count(values)
        if type(document) not in (int, str) or size is None:
            place.error(
                f"This is no line of a corpus: {id_key} and the text are needed."
            )
            continue
        name = str(document)
        if name in sizes:
            report = place.error if once else place.warn
            report(f"The document {name[:200]} occurs twice in the corpus.")
        sizes[name] = size
    return sizes


def _abstract_length(values: Values) -> int | None:
    abstract = values.get("abstract")
    return len(abstract) if isinstance(abstract, list) else None
