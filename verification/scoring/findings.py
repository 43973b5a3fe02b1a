"""What is wrong or doubtful in a file: all of it, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

ClaimId: TypeAlias = int | str

MAX_LISTED = 10_000
"""So many errors, and so many warnings, are listed; the rest is counted.

A hostile file can be wrong in fifty million places; memory must stay flat.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in one place; ``line`` counts from 1, ``None`` is the whole file."""

    file: str
    line: int | None
    claim_id: ClaimId | None
    message: str


class Findings:
    """The errors, which prevent a score, and the warnings, which do not."""

    def __init__(self) -> None:
        self._errors = _Listed()
        self._warnings = _Listed()

    @property
    def has_errors(self) -> bool:
        """Whether anything was found that prevents a score."""
        return bool(self._errors.found)

    @property
    def errors(self) -> list[Finding]:
        """All errors in the order in which they were met."""
        return self._errors.all()

    @property
    def warnings(self) -> list[Finding]:
        """All warnings in the order in which they were met."""
        return self._warnings.all()

    def error(
        self, file: str, line: int | None, claim_id: ClaimId | None, message: str
    ) -> None:
        """Add something that prevents a score."""
        self._errors.add(Finding(file, line, claim_id, message))

    def warn(
        self, file: str, line: int | None, claim_id: ClaimId | None, message: str
    ) -> None:
        """Add something doubtful that is scored all the same."""
        self._warnings.add(Finding(file, line, claim_id, message))


class _Listed:
    """A list with a limit, which counts what it leaves out."""

    def __init__(self) -> None:
        self.found: list[Finding] = []
        self._left_out = 0

    def add(self, finding: Finding) -> None:
        if len(self.found) < MAX_LISTED:
            self.found.append(finding)
        else:
            self._left_out += 1

    def all(self) -> list[Finding]:
        if not self._left_out:
            return list(self.found)
        message = f"{self._left_out:,} more were found and are not listed."
        return [*self.found, Finding(self.found[0].file, None, None, message)]


class Place:
    """One line of one file, where findings are recorded."""

    __slots__ = ("_findings", "claim_id", "file", "has_errors", "line")

    def __init__(self, findings: Findings, file: str, line: int | None) -> None:
        self._findings = findings
        self.file = file
        self.line = line
        self.claim_id: ClaimId | None = None
        self.has_errors = False

    def error(self, message: str) -> None:
        """Record an error on this line."""
        self.has_errors = True
        self._findings.error(self.file, self.line, self.claim_id, message)

    def warn(self, message: str) -> None:
        """Record a warning on this line."""
        self._findings.warn(self.file, self.line, self.claim_id, message)
