"""Typed access to the fields of one record, collecting every problem.

Each method returns a value of the right type even when the file's value is
wrong; then the problem is recorded and the record is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from corpus.formats.labels import Words, wrong_word
from corpus.formats.problems import Problems
from corpus.records import ExternalId, Json, Label

T = TypeVar("T")

# What stands for an id that is missing or unusable, which is an error already.
_NO_ID = ExternalId("")


class Fields:
    """The fields of a JSON object or of a CSV row, at ``path`` in the record."""

    def __init__(
        self, values: Mapping[str, Json], problems: Problems, path: str = ""
    ) -> None:
        self.values = values
        self.problems = problems
        self.path = path

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def at(self, key: str) -> str:
        """Return the path of a field, such as ``evidence.7[0].label``."""
        return f"{self.path}.{key}" if self.path else key

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text field; missing is an error unless there is a default."""
        value = self._value(key, "text", default)
        if isinstance(value, str):
            return value
        return self._wrong(key, value, "text", "")

    def identifier(self, key: str) -> ExternalId:
        """Return an id: a whole number or a non-empty text."""
        value = self._value(key, "an id", None)
        return self._identifier(self.at(key), value) if key in self else _NO_ID

    def identifiers(self, key: str) -> tuple[ExternalId, ...]:
        """Return a list of ids, in order and with repeats."""
        return tuple(self._identifier(*item) for item in self._items(key, "ids"))

    def flag(self, key: str) -> bool:
        """Return a field that must be true or false."""
        value = self._value(key, "true or false", None)
        if isinstance(value, bool):
            return value
        return self._wrong(key, value, "true or false", False)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, such as the sentences of an abstract."""
        value = self.values.get(key)
        if isinstance(value, list):
            good = [item for item in value if isinstance(item, str)]
            if len(good) == len(value):
                return tuple(good)
        return tuple(self._text(*item) for item in self._items(key, "texts"))

    def index(self, key: str) -> int:
        """Return a sentence index: a whole number from 0."""
        value = self._value(key, "a sentence index", None)
        return self._index(self.at(key), value) if key in self else 0

    def indices(self, key: str) -> tuple[int, ...]:
        """Return a list of sentence indices, in order and with repeats."""
        items = self._items(key, "sentence indices")
        return tuple(self._index(*item) for item in items)

    def label(self, key: str, words: Words) -> Label | None:
        """Return the label that a word stands for, or ``None`` with an error."""
        value = self._value(key, "a label", None)
        if isinstance(value, str) and value in words:
            return words[value]
        if key in self.values:
            wrong_word(self.at(key), value, words, self.problems)
        return None

    def objects(self, key: str) -> Iterator[Fields]:
        """Yield the objects of a list; anything else in it is an error."""
        for path, value in self._items(key, "objects"):
            if isinstance(value, dict):
                yield Fields(value, self.problems, path)
            else:
                self.problems.wrong_type(path, value, "an object")

    def mapping(self, key: str) -> Fields:
        """Return an object field."""
        value = self._value(key, "an object", None)
        if not isinstance(value, dict):
            value = self._wrong(key, value, "an object", {})
        return Fields(value, self.problems, self.at(key))

    def further(self, *known: str) -> dict[str, Json]:
        """Return the fields besides the known ones, in the file's order."""
        return {key: self.values[key] for key in self.values if key not in known}

    def warn_unkept(self, *known: str) -> None:
        """Warn about fields besides the known ones, where nothing can keep them."""
        for key, value in self.further(*known).items():
            message = f"{self.at(key)}: this field is not known and is not kept."
            self.problems.warn(message, field=self.at(key), value=value)

    def _items(self, key: str, noun: str) -> list[tuple[str, Json]]:
        value = self._value(key, f"a list of {noun}", None)
        if not isinstance(value, list):
            value = self._wrong(key, value, f"a list of {noun}", [])
        return [(f"{self.at(key)}[{n}]", item) for n, item in enumerate(value)]

    def _value(self, key: str, expected: str, default: Json) -> Json:
        if key in self.values:
            return self.values[key]
        if default is None:
            message = f"{self.at(key)} is missing; expected {expected}."
            self.problems.error(message, field=self.at(key), expected=expected)
        return default

    def _wrong(self, key: str, value: Json, expected: str, instead: T) -> T:
        if key in self.values:
            self.problems.wrong_type(self.at(key), value, expected)
        return instead

    def _text(self, path: str, value: Json) -> str:
        if isinstance(value, str):
            return value
        self.problems.wrong_type(path, value, "text")
        return ""

    def _identifier(self, path: str, value: Json) -> ExternalId:
        try:
            return ExternalId.from_json(value)
        except ValueError:
            expected = "a whole number or a non-empty text"
            self.problems.wrong_type(path, value, expected)
            return _NO_ID

    def _index(self, path: str, value: Json) -> int:
        expected = "a whole number from 0"
        if isinstance(value, bool) or not isinstance(value, int):
            self.problems.wrong_type(path, value, expected)
            return 0
        if value < 0:
            message = f"{path}: expected {expected}, found a negative number."
            self.problems.error(message, field=path, value=value, expected=expected)
        return value
