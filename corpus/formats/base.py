"""The one interface of all formats: what a format module offers and returns.

A format is one module in this package with a module constant ``FORMAT``; see
``registry`` for how it is found. Readers stream: they take a binary file and
yield one ``Read`` per record, with every problem of that record, and never raise
for bad content. Writers stream: they take records and yield one ``Written`` per
record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import BinaryIO, Generic, TypeVar

from corpus.records import Article, Claim, Document, Label

Record = TypeVar("Record", Document, Claim, Article)


class Severity(StrEnum):
    """An error keeps the whole file out; a warning is shown and accepted."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in one place, in words that say what to do.

    ``line`` counts from 1 and ``column`` from 1, in characters; ``None`` where
    neither exists. ``value`` is what stood there, shortened to 200 characters.
    """

    message: str
    line: int | None = None
    column: int | None = None
    field: str = ""
    value: str = ""
    expected: str = ""
    severity: Severity = Severity.ERROR


class FormatError(Exception):
    """A problem that stops the reading of a file at one place."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Read(Generic[Record]):
    """What stood on one line: a record, or the problems that prevent one.

    ``record`` is ``None`` exactly when ``problems`` holds an error.
    ``position`` is the byte offset after the record, for progress bars.
    """

    line: int
    record: Record | None
    problems: tuple[Problem, ...] = ()
    position: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of one record, and what the format could not hold of it.

    ``data`` is ``b""`` where the record cannot be written at all; then
    ``problems`` holds an error. A header is a ``Written`` with ``record_id=""``.
    """

    record_id: str
    data: bytes
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How claims are written.

    ``label_map`` sends a label that the format has no word for to one that it
    has; without an entry such a record is an error. ``repair`` mends gold that
    the format's evaluator cannot score (overlapping rationales are merged,
    repeated indices and empty rationales dropped) and reports each repair as a
    warning; without it such gold is an error.
    """

    label_map: Mapping[Label, Label] = field(default_factory=dict)
    repair: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its names, its protocol, and its readers and writers.

    ``protocol`` is the project protocol that fits its claims: ``scifact``,
    ``check-covid`` or ``core``. ``labels`` maps our labels to the words of this
    format's claim files; a label that is missing cannot be written. A reader or
    writer that the format does not have is ``None``. ``ships_documents`` is true
    where claims carry their own abstracts, so no corpus file is needed.
    """

    name: str
    title: str
    protocol: str
    labels: Mapping[Label, str]
    extensions: tuple[str, ...]
    read_documents: Callable[[BinaryIO], Iterator[Read[Document]]] | None = None
    read_claims: Callable[[BinaryIO], Iterator[Read[Claim]]] | None = None
    read_articles: Callable[[BinaryIO], Iterator[Read[Article]]] | None = None
    write_documents: Callable[[Iterable[Document]], Iterator[Written]] | None = None
    write_claims: (
        Callable[[Iterable[Claim], WriteOptions], Iterator[Written]] | None
    ) = None
    write_articles: Callable[[Iterable[Article]], Iterator[Written]] | None = None
    ships_documents: bool = False
