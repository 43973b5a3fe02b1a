"""Decoding one strict JSON object, with every fault told apart.

Strict means what other programs will also read: no NaN or Infinity, no key
twice in an object, no NUL and no half of a surrogate pair.
"""

from __future__ import annotations

import json
import math
import re

from corpus.formats.base import FormatError, Problem
from corpus.formats.problems import Problems
from corpus.records import Json

MAX_DEPTH = 64
"""The deepest nesting of lists and objects that is read."""

_MANY_OBJECTS = 8
"""From so many on, counting the keys of a line is faster than a hook per object."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def refuse_other_json(text: str) -> None:
    """Raise ``FormatError`` if a first line begins JSON of many lines."""
    start = text.strip()
    if start.startswith("[") or start == "{":
        message = (
            "The file is JSON, but not JSON Lines: each line must be one complete "
            "object, without brackets or commas around the lines."
        )
        raise FormatError(
            Problem(message, line=1, column=1, value=start[:200], expected="{…}")
        )


class StrictDecoder:
    """Decodes one line after the other with the same hooks.

    A key that occurs twice is found by a hook that is called for each object. Lines
    of many objects are first decoded without it: if the line has as many colons as
    the result has keys, none was lost, and no text holds a colon either.
    """

    def __init__(self) -> None:
        self._repeated: list[str] = []
        self._is_counting = True
        self._plain = json.JSONDecoder(
            parse_constant=_refuse_constant, parse_float=_finite
        )
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )

    def decode(self, text: str, problems: Problems) -> dict[str, Json] | None:
        """Return the object on a line, or ``None`` with the error recorded."""
        self._repeated.clear()
        value = self._value(text, problems)
        for key in self._repeated:
            message = f"The key {key[:200]} occurs twice in one object."
            problems.error(message, field=key, expected="each key once")
        _check_escapes(text, problems)
        if problems.has_errors:
            return None
        if isinstance(value, dict):
            return value
        problems.wrong_type("The line", value, "an object")
        return None

    def _value(self, text: str, problems: Problems) -> Json:
        n_objects = text.count("{")
        try:
            value = self._decoded(text, n_objects)
        except json.JSONDecodeError as error:
            _report_syntax(error, text, problems)
        except RecursionError:
            _report_depth(problems)
        except ValueError as error:  # a constant, an infinite or an endless number
            problems.error(_number_message(error), expected="a finite number")
        else:
            if n_objects + text.count("[") > MAX_DEPTH and _is_too_deep(value):
                _report_depth(problems)
            return value
        return None

    def _decoded(self, text: str, n_objects: int) -> Json:
        if self._is_counting and n_objects >= _MANY_OBJECTS:
            try:
                value: Json = self._plain.decode(text)
            except (ValueError, RecursionError):
                pass  # the other decoder says so, after any key that is repeated
            else:
                if _n_keys(value, n_objects) == text.count(":"):
                    return value
                # Where texts hold colons, those of other lines will do so as well.
                self._is_counting = False
        found: Json = self._decoder.decode(text)
        return found

    def _object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        values = dict(pairs)
        if len(values) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self._repeated.append(key)
                seen.add(key)
        return values


def _n_keys(value: Json, n_objects: int) -> int:
    """Return the number of keys in a value of ``n_objects`` objects.

    Fewer if some of the objects stand in lists, which are not looked into.
    """
    level = [value] if isinstance(value, dict) else []
    n_keys = n_met = 0
    while level:
        n_keys += sum(map(len, level))
        n_met += len(level)
        if n_met == n_objects:  # the rest need not be looked at
            return n_keys
        level = [
            child
            for parent in level
            for child in parent.values()
            if type(child) is dict
        ]
    return n_keys


class _NumberError(ValueError):
    """A number that strict JSON or a double cannot hold."""


def _refuse_constant(name: str) -> Json:
    raise _NumberError(f"{name} is not a JSON number. Use null or leave the field out.")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _NumberError(f"The number {text[:40]} is too large.")
    return value


def _number_message(error: ValueError) -> str:
    if isinstance(error, _NumberError):
        return str(error)
    return "A whole number on this line has too many digits."


def _report_syntax(error: json.JSONDecodeError, text: str, problems: Problems) -> None:
    column = error.pos + 1
    around = text[max(0, error.pos - 20) : error.pos + 20]
    message = f"The line is not valid JSON at character {column}: {error.msg}."
    if text[error.pos : error.pos + 1] == "\0":
        message = f"There is a NUL character at character {column}. Remove it."
    problems.error(message, value=around, expected="valid JSON", column=column)


def _report_depth(problems: Problems) -> None:
    message = f"Lists and objects are nested more than {MAX_DEPTH} deep."
    problems.error(message, expected=f"at most {MAX_DEPTH} levels")


def _is_too_deep(value: Json) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: Json) -> list[Json]:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return []
    return [child for child in value if isinstance(child, list | dict)]


def _check_escapes(text: str, problems: Problems) -> None:
    r"""Report ``\u0000`` and lone surrogates, which no database can hold."""
    if "\\" not in text or not _SUSPECT.search(text):
        return
    high: re.Match[str] | None = None
    for escape in _ESCAPE.finditer(text):
        code = int(escape.group(1), 16) if escape.group(1) else -1
        if high and not (0xDC00 <= code < 0xE000 and escape.start() == high.end()):
            _report_surrogate(high, problems)
        elif not high and 0xDC00 <= code < 0xE000:
            _report_surrogate(escape, problems)
        high = escape if 0xD800 <= code < 0xDC00 else None
        if code == 0:
            _report_nul(escape, problems)
    if high:
        _report_surrogate(high, problems)


def _report_nul(escape: re.Match[str], problems: Problems) -> None:
    column = escape.start() + 1
    message = f"There is a NUL character at character {column}. Remove it."
    problems.error(
        message, value=escape.group(), expected="text without NUL", column=column
    )


def _report_surrogate(escape: re.Match[str], problems: Problems) -> None:
    column = escape.start() + 1
    message = (
        f"{escape.group()} at character {column} is half of a surrogate pair: the "
        "character was cut in two. Write the whole character."
    )
    problems.error(
        message, value=escape.group(), expected="whole characters", column=column
    )
