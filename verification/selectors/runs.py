"""What organisers get of a phase: the list of its submissions, and all runs packed."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC
from typing import IO

from django.db.models import Prefetch, QuerySet

from corpus.text import csv_safe
from verification.access import BenchmarkAccess
from verification.models import Phase, Score, Submission

BLOCK = 1024 * 1024
SUFFIX = re.compile(r"(\.(?:jsonl|json|csv|tsv|txt))?(\.gz)?\Z", re.IGNORECASE)
MANIFEST = "manifest.csv"
COLUMNS = (
    "file",
    "submission",
    "state",
    "standing",
    "submitter",
    "team",
    "anonymous",
    "system",
    "description",
    "paper",
    "code",
    "model_size",
    "external_data",
    "setting",
    "submitted_at",
    "sha256",
    "warnings",
    "score",
    "signature",
)


def phase_submissions(access: BenchmarkAccess, phase: Phase) -> QuerySet[Submission]:
    """Every submission of a phase with its scores, the newest score first."""
    scores = Score.objects.only(
        "submission", "scorer_version", "gold_sha256", "primary", "signature"
    )
    return (
        access.all_submissions()
        .filter(phase=phase)
        .select_related("submitter", "team", "file")
        .prefetch_related(Prefetch("scores", scores.order_by("-pk")))
        .defer("errors", "warnings")
    )


def zip_of_runs(rows: QuerySet[Submission]) -> Iterator[bytes]:
    """Yield a ZIP file of what was submitted, and a table of it as the last member.

    Uploads that were only checked are not in it. One block is held in memory.
    """
    sink = _Sink()
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(COLUMNS)
    with zipfile.ZipFile(sink, "w") as archive:
        runs = rows.exclude(submitted_at=None).order_by("pk")
        for number, run in enumerate(runs.iterator(chunk_size=100), start=1):
            name = _member_name(number, run)
            try:
                content = run.file.file.open("rb")
            except FileNotFoundError:
                writer.writerow(_cells(run, "no longer kept"))
                continue
            with content:
                yield from _pack(archive, sink, name, content)
            writer.writerow(_cells(run, name))
        archive.writestr(MANIFEST, table.getvalue(), zipfile.ZIP_DEFLATED)
    yield sink.take()


class _Sink:
    """A file that cannot be read back: what was written is taken out at once."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def _pack(
    archive: zipfile.ZipFile, sink: _Sink, name: str, content: IO[bytes]
) -> Iterator[bytes]:
    member = zipfile.ZipInfo(name)
    is_packed = name.endswith(".gz")
    member.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as packed:
        while block := content.read(BLOCK):
            packed.write(block)
            yield sink.take()


def _member_name(number: int, run: Submission) -> str:
    """Return a name that is safe wherever it is unpacked."""
    suffix = SUFFIX.search(run.file.name)
    return f"runs/{number:04}-{run.token}{suffix[0].lower() if suffix else ''}"


def _cells(run: Submission, name: str) -> list[str]:
    score = next(iter(run.scores.all()), None)
    values = (
        name,
        run.token,
        run.state,
        run.standing,
        str(run.submitter),
        str(run.team or ""),
        "yes" if run.is_anonymous else "no",
        run.system,
        run.description,
        run.paper_url,
        run.code_url,
        run.model_size,
        run.external_data,
        run.setting,
        f"{run.submitted_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        if run.submitted_at
        else "",
        run.file.sha256,
        str(run.n_warnings),
        "" if score is None or score.primary is None else repr(score.primary),
        score.signature if score else "",
    )
    return [csv_safe(value) for value in values]
