"""Writing a corpus or a project's claims as a file of a published format.

Everything is generated from the rows; no line of a source file is kept. A file is
written beside its place and renamed when it is whole, with a manifest that says
what is in it, what is not, and why.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Claim, Pair, Project, Verdict
from annotation.selectors.records import (
    claim_record,
    claim_rows,
    document_records,
    verdict_of,
)
from annotation.services.importing import Progress, no_progress
from corpus import records
from corpus.exceptions import DomainError
from corpus.formats.base import Format, Problem, Severity, WriteOptions, Written
from corpus.models import Corpus

# A verdict that stands although a later judgement disagrees with it.
DISPUTED = "of these, disputed by a later judgement"
DEFAULT_STATES = (Claim.State.APPROVED.value, Claim.State.IMPORTED.value)
# What was taken out by an admin, or taken back by its author, is in no file.
NEVER_EXPORTED = frozenset({Claim.State.RETIRED.value, Claim.State.WITHDRAWN.value})


@dataclass(slots=True)
class ExportReport:
    """What an export wrote, what it left out and why, and what got lost."""

    included: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    decided: list[dict[str, object]] = field(default_factory=list)
    excluded: Counter[str] = field(default_factory=Counter)
    left_out: list[dict[str, str]] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    sha256: str = ""

    @property
    def errors(self) -> list[tuple[str, Problem]]:
        """The records that cannot be written, with the reasons."""
        return [p for p in self.problems if p[1].severity is Severity.ERROR]

    def exclude(self, external_id: str, reason: str) -> None:
        """Take note of a record that is not in the file."""
        self.excluded[reason] += 1
        self.left_out.append({"id": external_id, "reason": reason})

    def totals(self) -> dict[str, Any]:
        """Return the counts alone, for a line of JSON."""
        return {
            "included": self.included,
            "excluded": sum(self.excluded.values()),
            "warnings": len(self.problems) - len(self.errors),
            "sha256": self.sha256,
        }


class ExportRefusedError(DomainError):
    """Records that the format or its evaluator cannot take; no file was written."""

    def __init__(self, report: ExportReport) -> None:
        count = len(report.errors)
        errors = "1 error" if count == 1 else f"{count:,} errors"
        super().__init__(f"The export has {errors}; no file was written.")
        self.report = report


@dataclass(frozen=True, slots=True)
class ClaimSelection:
    """Which claims of a project an export takes."""

    project: Project
    states: tuple[str, ...] = DEFAULT_STATES
    split: str = ""

    def claims(self) -> QuerySet[Claim]:
        """The claims of the project or split; the report names those left out."""
        claims = self.project.claims.all()
        return claims.filter(split__name=self.split) if self.split else claims

    def taken(self) -> QuerySet[Claim]:
        """The claims that are written, chosen by the database: for counts."""
        pairs = Pair.objects.filter(claim=OuterRef("pk")).exclude(
            state=Pair.State.RETIRED
        )
        unsettled = pairs.filter(verdict=None, given_sentence=None)
        has_abstract = Q(state=Claim.State.IMPORTED) | Q(Exists(pairs))
        is_settled = ~Q(Exists(unsettled)) & has_abstract
        return self.claims().filter(
            Q(is_labelled=False) | is_settled, state__in=self.states
        )

    def why_not(self, claim: Claim) -> str:
        """Say why a claim with its rows read is left out; ``""`` if it is not."""
        if claim.state not in self.states:
            return f"state: {claim.get_state_display()}"
        if not claim.is_labelled:
            return ""
        pairs = list(claim.pairs.all())
        if not pairs and claim.state != Claim.State.IMPORTED:
            return "no abstract yet"
        if any(_is_unsettled(pair) for pair in pairs):
            return "a pair has no verdict yet"
        return ""


def _is_unsettled(pair: Pair) -> bool:
    return verdict_of(pair) is None and pair.given_sentence is None


def selected_records(
    selection: ClaimSelection, fmt: Format, report: ExportReport
) -> Iterator[records.Claim]:
    """Yield the claims that an export takes; the report gets the others."""
    rows = claim_rows(selection.claims(), with_documents=fmt.ships_documents)
    for row in rows:
        reason = selection.why_not(row)
        if reason:
            report.exclude(row.external_id, reason)
            continue
        report.included += 1
        _note_verdicts(row, report)
        yield claim_record(row, with_documents=fmt.ships_documents)


def _note_verdicts(claim: Claim, report: ExportReport) -> None:
    """Take note of how each pair was decided, with a model's help, and if in doubt.

    Pairs that were decided here are named; what was imported is only counted.
    """
    for pair in claim.pairs.all():
        verdict = verdict_of(pair)
        if verdict is None:
            continue
        provenance = str(verdict.provenance)
        is_disputed = pair.state == Pair.State.DISPUTED
        report.verdicts[provenance] += 1
        if is_disputed:
            report.verdicts[DISPUTED] += 1
        if provenance != Verdict.Provenance.IMPORTED:
            report.decided.append(
                {
                    "claim": claim.external_id,
                    "abstract": pair.document.external_id,
                    "provenance": provenance,
                    "suggestion_shown": verdict.judgement.suggestion_shown,
                }
            )


def claim_lines(
    selection: ClaimSelection, fmt: Format, options: WriteOptions, report: ExportReport
) -> Iterator[Written]:
    """Yield the lines of a claims export; problems are in each and in the report."""
    if fmt.write_claims is None:
        raise DomainError(f"{fmt.title} claims can be read, but not written.")
    taken = selected_records(selection, fmt, report)
    return _noting(fmt.write_claims(taken, options), report)


def document_lines(
    corpus: Corpus, fmt: Format, report: ExportReport
) -> Iterator[Written]:
    """Yield the lines of a corpus export; problems are in each and in the report."""
    if fmt.write_documents is None:
        raise DomainError(f"{fmt.title} has no file of abstracts to write.")
    documents = document_records(corpus.documents.filter(retired_at=None))
    return _noting(fmt.write_documents(_counted(documents, report)), report)


def _counted(
    documents: Iterable[records.Document], report: ExportReport
) -> Iterator[records.Document]:
    for document in documents:
        report.included += 1
        yield document


def _noting(lines: Iterable[Written], report: ExportReport) -> Iterator[Written]:
    for line in lines:
        report.problems += [(line.record_id, problem) for problem in line.problems]
        yield line


def export_claims(
    *,
    selection: ClaimSelection,
    fmt: Format,
    options: WriteOptions,
    output: Path,
    progress: Progress = no_progress,
) -> ExportReport:
    """Write a claims file and its manifest, or nothing: ``ExportRefusedError``."""
    report = ExportReport()
    total = selection.claims().count()
    lines = claim_lines(selection, fmt, options, report)
    about = _about_claims(selection, fmt, options)
    _write_file(output, lines, report, about, _Ticker(progress, total))
    return report


def export_documents(
    *, corpus: Corpus, fmt: Format, output: Path, progress: Progress = no_progress
) -> ExportReport:
    """Write a corpus file and its manifest, or nothing: ``ExportRefusedError``."""
    report = ExportReport()
    retired = corpus.documents.exclude(retired_at=None)
    for external_id in retired.order_by("position").values_list(
        "external_id", flat=True
    ):
        report.exclude(external_id, "state: retired")
    lines = document_lines(corpus, fmt, report)
    about = {"format": fmt.name, "corpus": corpus.name}
    total = corpus.documents.count()
    _write_file(output, lines, report, about, _Ticker(progress, total))
    return report


class _Ticker:
    """Reports progress every few hundred lines."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        progress(0, total, "writing")

    def tick(self) -> None:
        self._done += 1
        if self._done % 500 == 0:
            self._progress(self._done, self._total, "writing")


def _write_file(
    output: Path,
    lines: Iterable[Written],
    report: ExportReport,
    about: dict[str, Any],
    ticker: _Ticker,
) -> None:
    beside = output.with_name(f"{output.name}.part")
    try:
        report.sha256 = _write_lines(beside, lines, ticker)
        if report.errors:
            raise ExportRefusedError(report)
        _write_manifest(manifest_path(output), manifest(about, report))
        os.replace(beside, output)
    finally:
        beside.unlink(missing_ok=True)


def _write_lines(path: Path, lines: Iterable[Written], ticker: _Ticker) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for line in lines:
            file.write(line.data)
            digest.update(line.data)
            ticker.tick()
    return digest.hexdigest()


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output file stands."""
    return output.with_name(f"{output.name}.manifest.json")


def _write_manifest(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def manifest(about: dict[str, Any], report: ExportReport) -> dict[str, Any]:
    """Say what is in a file, what is not and why, and what the format lost.

    No names of people and no times, so the same rows give the same manifest.
    """
    return {
        "product": {"name": "Claimdesk", "version": product_version()},
        **about,
        "counts": {
            "included": report.included,
            "excluded": dict(sorted(report.excluded.items())),
            "verdicts": dict(sorted(report.verdicts.items())),
        },
        "excluded": report.left_out,
        "verdicts": report.decided,
        "problems": [_problem(*entry) for entry in report.problems],
        "sha256": report.sha256,
    }


def _problem(record_id: str, problem: Problem) -> dict[str, str]:
    return {
        "id": record_id,
        "field": problem.field,
        "severity": problem.severity.value,
        "message": problem.message,
    }


def product_version() -> str:
    """Return the version of this program."""
    try:
        return metadata.version("claimdesk")
    except metadata.PackageNotFoundError:
        return "0.1.0"


def _about_claims(
    selection: ClaimSelection, fmt: Format, options: WriteOptions
) -> dict[str, Any]:
    guideline = selection.project.guidelines.order_by("-version").first()
    return {
        "format": fmt.name,
        "project": selection.project.name,
        "protocol": selection.project.protocol,
        "states": sorted(selection.states),
        "split": selection.split or None,
        "label_map": {k.value: v.value for k, v in options.label_map.items()},
        "repair": options.repair,
        "guideline_version": guideline.version if guideline else None,
    }


def unknown_states(states: Collection[str]) -> list[str]:
    """Return what is not the name of a state that claims can be exported in."""
    known = {state.value for state in Claim.State} - NEVER_EXPORTED
    return sorted(set(states) - known)
