"""Collecting what is wrong with one record, in words that say what to do."""

from __future__ import annotations

import json
from itertools import islice

from corpus.formats.base import Problem, Severity
from corpus.records import Json

MAX_SHOWN = 200
MAX_MESSAGE = 1000
MAX_PROBLEMS = 1000
"""So many problems of one record are kept, lest a hostile line fill the memory."""
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def shown(value: Json) -> str:
    """Return a value as a person reads it, cut to 200 characters.

    Text stays raw, markup included: who shows it in a page must escape it.
    """
    if isinstance(value, str):
        return value[:MAX_SHOWN]
    if isinstance(value, list | dict):
        # Only the start is encoded, so a huge value costs nothing.
        return "".join(islice(_ENCODER.iterencode(value), MAX_SHOWN))[:MAX_SHOWN]
    try:
        return _ENCODER.encode(value)[:MAX_SHOWN]
    except ValueError:  # an integer of more digits than Python turns into text
        return "a very long number"


def kind_of(value: Json) -> str:
    """Return the JSON type of a value in plain words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number with a decimal point"
    if isinstance(value, str):
        return "text" if value else "empty text"
    return "a list" if isinstance(value, list) else "an object"


class Problems:
    """The problems of one record, in the order in which they were met."""

    def __init__(self, line: int | None = None) -> None:
        self.line = line
        self._found: list[Problem] = []
        self.has_errors = False

    def error(
        self,
        message: str,
        *,
        field: str = "",
        value: Json = "",
        expected: str = "",
        column: int | None = None,
    ) -> None:
        """Add a problem that prevents the record."""
        self.has_errors = True
        self._add(Severity.ERROR, message, field, value, expected, column)

    def warn(
        self,
        message: str,
        *,
        field: str = "",
        value: Json = "",
        expected: str = "",
        column: int | None = None,
    ) -> None:
        """Add a problem that is shown and accepted."""
        self._add(Severity.WARNING, message, field, value, expected, column)

    def wrong_type(self, field: str, value: Json, expected: str) -> None:
        """Add the error that a value is not of the expected kind."""
        found = kind_of(value)
        message = f"{field[:MAX_SHOWN]}: expected {expected}, found {found}."
        self.error(message, field=field, value=value, expected=expected)

    def found(self) -> tuple[Problem, ...]:
        """Return all problems so far."""
        return tuple(self._found)

    def _add(
        self,
        severity: Severity,
        message: str,
        field: str,
        value: Json,
        expected: str,
        column: int | None,
    ) -> None:
        if len(self._found) >= MAX_PROBLEMS:
            return
        self._found.append(
            Problem(
                message=message[:MAX_MESSAGE],
                line=self.line,
                column=column,
                field=field[:MAX_SHOWN],
                value=shown(value),
                expected=expected,
                severity=severity,
            )
        )


class SeenIds:
    """The ids of a file so far, so that a repeated one names both lines.

    Only the ids are kept, not the records. Ids are compared as text: the number
    7 and the string "7" are the same id, "007" is another.
    """

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._lines: dict[str, int | None] = {}

    def check(self, id_text: str, field: str, problems: Problems) -> None:
        """Report ``id_text`` as an error if an earlier line had it.

        Nothing is said of an empty id: that it is missing is an error of its own.
        """
        if not id_text:
            return
        if id_text not in self._lines:
            self._lines[id_text] = problems.line
            return
        message = (
            f"The {self._noun} id {shown(id_text)} is on line "
            f"{self._lines[id_text]} and again on line {problems.line}. Ids must be "
            "unique in a file; the number 7 and the text “7” are the same id."
        )
        problems.error(
            message, field=field, value=id_text, expected=f"a new {self._noun} id"
        )
