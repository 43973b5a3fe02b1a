"""JSON Lines: one strict JSON object per line.

Strict means what other programs will also read: no NaN or Infinity, no key
twice in an object, no NUL and no half of a surrogate pair. Blank lines, CRLF, a
byte order mark, blanks around a line and a missing last line end are accepted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from corpus.formats.base import FormatError, Read, Record, Written
from corpus.formats.fields import Fields
from corpus.formats.lines import Line, read_lines
from corpus.formats.problems import Problems
from corpus.formats.strict_json import StrictDecoder, refuse_other_json
from corpus.records import Json

_BLANKS = " \t\r\n"
_encode = json.JSONEncoder(allow_nan=False).encode


def encode(values: Mapping[str, Json]) -> bytes:
    """Return one line as ``json.dumps`` writes it: ASCII, with a line end."""
    return _encode(dict(values)).encode("ascii") + b"\n"


def with_further(
    known: dict[str, Json], further: Mapping[str, Json], problems: Problems
) -> dict[str, Json]:
    """Return the known fields followed by the source's further ones.

    A further field with the name of a known one is left out with a warning.
    """
    for key, value in further.items():
        if key in known:
            message = f"The further field {key} is left out: the format uses the name."
            problems.warn(message, field=key, value=value)
        else:
            known[key] = value
    return known


def written(record_id: str, values: dict[str, Json], problems: Problems) -> Written:
    """Return the line of a record, or no bytes if there was an error."""
    data = b"" if problems.has_errors else encode(values)
    return Written(record_id, data, problems.found())


def read_records(
    file: BinaryIO, parse: Callable[[Fields], Record | None]
) -> Iterator[Read[Record]]:
    """Yield what ``parse`` makes of each line, with all problems of the line.

    ``parse`` records problems in its argument and may raise ``FormatError`` to
    stop the file. A line for which it returns ``None`` without an error (a
    placeholder that holds nothing) is passed over.
    """
    decoder = StrictDecoder()
    number, position = 1, 0
    try:
        for line in read_lines(file):
            number, position = line.number, line.position
            if not line.text.strip(_BLANKS):
                continue
            problems = Problems(number)
            record = _parsed(line, decoder, problems, parse)
            if problems.has_errors:
                record = None
            elif record is None:
                continue
            yield Read(number, record, problems.found(), position)
    except FormatError as error:
        at = error.problem.line or number
        yield Read(at, None, (error.problem,), position)


def _parsed(
    line: Line,
    decoder: StrictDecoder,
    problems: Problems,
    parse: Callable[[Fields], Record | None],
) -> Record | None:
    text = line.text.rstrip(_BLANKS)
    if line.number == 1:
        refuse_other_json(text)
    values = decoder.decode(text, problems)
    if values is None:
        return None
    return parse(Fields(values, problems))
