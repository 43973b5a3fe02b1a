"""Checking large gold in the background, where no request can run out of time.

A job does what the form asked for: it makes a benchmark, or adds gold to one. What is
wrong with the gold stands in its result, and the form shows it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from django.db import transaction
from django.urls import reverse

from corpus.exceptions import DomainError
from corpus.jobs import JobRun, start_job
from corpus.models import Job, StoredFile, User
from verification.models import Benchmark
from verification.predictions import is_gzip
from verification.scoring.findings import Finding
from verification.services.benchmarks import (
    About,
    keep_benchmark,
    require_free_name,
)
from verification.services.gold import (
    CheckedGold,
    GoldFiles,
    GoldRefusedError,
    Scoring,
    check_gold,
    keep_gold_set,
)

KIND = "check_gold"
AT_ONCE = 1024 * 1024
"""So many bytes are checked while the person waits for the page."""
KEPT_ERRORS = 1_000


@dataclass(frozen=True, slots=True)
class NewGold:
    """Gold that is to be kept: for the benchmark that there is, or for a new one."""

    files: GoldFiles
    scoring: Scoring
    split: str
    is_hidden: bool
    benchmark: Benchmark | None = None
    about: About | None = None


def is_large(files: GoldFiles) -> bool:
    """Whether checking the files takes longer than a page may."""
    kept = [file for file in _by_name(files).values() if file is not None]
    return sum(file.size for file in kept) > AT_ONCE or any(map(_is_packed, kept))


def _by_name(files: GoldFiles) -> dict[str, StoredFile | None]:
    return {field.name: getattr(files, field.name) for field in fields(files)}


def _is_packed(stored: StoredFile) -> bool:
    with stored.file.storage.open(str(stored.file.name), "rb") as file:
        return is_gzip(file)


def keep_now(new: NewGold, organiser: User) -> Benchmark:
    """Check gold and keep it at once. Not to be called inside a transaction.

    ``GoldRefusedError`` with all errors of the gold; then nothing is kept.
    """
    if new.about is not None:
        require_free_name(new.about)
    checked = check_gold(new.files, new.scoring, organiser, new.is_hidden)
    with transaction.atomic():
        return _keep(new, checked, organiser)


def start_gold_check(*, new: NewGold, form: Mapping[str, str], organiser: User) -> Job:
    """Begin to check gold, and to keep it if all is well.

    ``form`` is what was filled in, which is shown again if something is wrong.
    """
    if new.about is not None:
        require_free_name(new.about)
    files = {name: file.token for name, file in _by_name(new.files).items() if file}
    payload = {
        "files": files,
        "scoring": asdict(new.scoring),
        "split": new.split,
        "is_hidden": new.is_hidden,
        "benchmark": new.benchmark.pk if new.benchmark else None,
        "about": asdict(new.about) if new.about else None,
        "form": dict(form),
    }
    with transaction.atomic():
        return start_job(kind=KIND, owner=organiser, payload=payload)


def check_gold_job(run: JobRun) -> dict[str, Any]:
    """Check gold and keep it, or say all that is wrong with it."""
    new = _new_gold(run)
    try:
        checked = check_gold(
            new.files, new.scoring, run.job.owner, new.is_hidden, run.report
        )
        with run.commit():
            slug = _keep(new, checked, run.job.owner).slug
            result = {"redirect": reverse("verification:new_phase", args=[slug])}
            run.finish(result)
            # The texts stand elsewhere now, where an erased identity is replaced.
            Job.objects.filter(pk=run.job.pk).update(payload={})
    except DomainError as error:
        return _refusal(run, new, error)
    return result


def _new_gold(run: JobRun) -> NewGold:
    """Return what the job is to keep; the benchmark may have gone meanwhile."""
    wanted = run.payload
    owned = StoredFile.objects.filter(owner=run.job.owner)
    files = {name: owned.get(token=token) for name, token in wanted["files"].items()}
    return NewGold(
        files=GoldFiles(**files),
        scoring=Scoring(**wanted["scoring"]),
        split=wanted["split"],
        is_hidden=wanted["is_hidden"],
        benchmark=Benchmark.objects.filter(pk=wanted["benchmark"]).first(),
        about=About(**wanted["about"]) if wanted["about"] else None,
    )


def _keep(new: NewGold, checked: CheckedGold, organiser: User) -> Benchmark:
    """Keep checked gold; return its benchmark."""
    about = {"split": new.split, "is_hidden": new.is_hidden}
    if new.about is not None:
        return keep_benchmark(
            about=new.about,
            scoring=new.scoring,
            files=new.files,
            checked=checked,
            organiser=organiser,
            **about,
        )
    benchmark = new.benchmark
    if benchmark is None or not benchmark.organisers.filter(pk=organiser.pk).exists():
        raise DomainError("You do not organise this benchmark any more.")
    keep_gold_set(
        new.files, new.scoring, checked, owner=organiser, benchmark=benchmark, **about
    )
    return benchmark


def _refusal(run: JobRun, new: NewGold, error: DomainError) -> dict[str, Any]:
    found = error.errors if isinstance(error, GoldRefusedError) else []
    if new.benchmark is not None:
        back = reverse("verification:new_gold", args=[new.benchmark.slug])
    else:
        back = reverse("verification:create_benchmark", args=[new.scoring.task])
    return {
        "redirect": f"{back}?check={run.job.token}",
        "refused": str(error),
        "errors": [asdict(finding) for finding in found[:KEPT_ERRORS]],
    }


def refusal_of(job: Job) -> tuple[DomainError | None, list[Finding]]:
    """Return why a job kept no gold, and the errors in the files."""
    if "refused" not in job.result:
        return None, []
    errors = [Finding(**finding) for finding in job.result["errors"]]
    return DomainError(job.result["refused"]), errors
