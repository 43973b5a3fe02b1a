"""What all imports share: the file, the report, and the rule of all or nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, BinaryIO, Generic, TypeVar

from corpus.exceptions import DomainError
from corpus.formats.base import Problem, Read, Record, Severity

BATCH = 500
SHOWN = 100
MAX_ID = 255

Progress = Callable[[int, int, str], None]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Incoming(Generic[Record]):
    """A file that can be read twice: for the check and for the writing."""

    name: str
    size: int
    sha256: str
    read: Callable[[], Iterator[Read[Record]]]


def incoming(
    file: BinaryIO,
    reader: Callable[[BinaryIO], Iterator[Read[Record]]],
    *,
    name: str,
) -> Incoming[Record]:
    """Return a file and its reader; the file must be seekable and stay open."""
    digest, size = hashlib.sha256(), 0
    file.seek(0)
    while block := file.read(1 << 20):
        digest.update(block)
        size += len(block)

    def read() -> Iterator[Read[Record]]:
        file.seek(0)
        return reader(file)

    return Incoming(name, size, digest.hexdigest(), read)


@dataclass(slots=True)
class ImportReport:
    """What an import found, or did. Complete counts, and the first examples.

    ``counts`` is by kind: ``new``, ``identical``, ``changed``, ``kept`` (in use,
    so not changed) and ``retired`` (put away here, so not changed).
    """

    sha256: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    error_count: int = 0
    warning_count: int = 0
    duplicate_texts: int = 0
    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    on_problem: Callable[[Problem], None] | None = None

    def add(self, problem: Problem) -> None:
        """Take note of a problem; only the first hundred of a kind are kept."""
        if problem.severity is Severity.ERROR:
            self.error_count += 1
            _keep(self.errors, problem)
        else:
            self.warning_count += 1
            _keep(self.warnings, problem)
        if self.on_problem is not None:
            self.on_problem(problem)

    def keep(self, external_id: str) -> None:
        """Take note of something in use that the file would have changed."""
        _keep(self.kept, external_id)

    def add_duplicate(self, external_id: str) -> None:
        """Take note of a text that another id has, too."""
        self.duplicate_texts += 1
        _keep(self.duplicates, external_id)

    @property
    def has_errors(self) -> bool:
        """Whether the file must stay out."""
        return self.error_count > 0

    @property
    def changes_anything(self) -> bool:
        """Whether importing the file would write anything."""
        counts = self.counts + self.documents
        return bool(counts["new"] or counts["changed"])

    def totals(self) -> dict[str, Any]:
        """Return the counts alone, for a line of JSON."""
        names = ("new", "identical", "changed", "kept", "retired")
        totals: dict[str, Any] = {name: self.counts[name] for name in names}
        totals |= {"duplicate_texts": self.duplicate_texts}
        totals |= {"errors": self.error_count, "warnings": self.warning_count}
        if self.documents:
            totals["documents"] = {name: self.documents[name] for name in names}
        return totals | {"sha256": self.sha256}

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values, for the result of a job."""
        return self.totals() | {
            "first_errors": [asdict(problem) for problem in self.errors],
            "first_warnings": [asdict(problem) for problem in self.warnings],
            "first_kept": self.kept,
            "first_duplicates": self.duplicates,
        }


def _keep(examples: list[Any], example: object) -> None:
    if len(examples) < SHOWN:
        examples.append(example)


class ImportRefusedError(DomainError):
    """A file with errors, of which nothing was written."""

    def __init__(self, report: ImportReport) -> None:
        count = report.error_count
        errors = "1 error" if count == 1 else f"{count:,} errors"
        super().__init__(f"The file has {errors}; nothing was imported.")
        self.report = report


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """Yield lists of at most ``size`` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def read_batches(
    source: Incoming[Record], report: ImportReport, progress: Progress, phase: str
) -> Iterator[list[Read[Record]]]:
    """Yield the good records of a file in batches, and report all problems."""
    progress(0, source.size, phase)
    for batch in batches(source.read()):
        for read in batch:
            for problem in read.problems:
                report.add(problem)
        yield [read for read in batch if _has_storable_id(read, report)]
        progress(batch[-1].position, source.size, phase)


def _has_storable_id(read: Read[Record], report: ImportReport) -> bool:
    if read.record is None:
        return False
    external_id = read.record.id.text
    if len(external_id) <= MAX_ID:
        return True
    report.add(
        Problem(
            f"The id has {len(external_id)} characters; {MAX_ID} are the most.",
            line=read.line,
            field="id",
            value=external_id[:200],
            expected=f"at most {MAX_ID} characters",
        )
    )
    return False


def no_progress(done: int, total: int, phase: str) -> None:
    """Report to nobody."""
