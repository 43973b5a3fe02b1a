"""Comparing two runs of one phase on the same claims."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from corpus.exceptions import DomainError
from corpus.jobs import JobRun, start_job_once
from corpus.models import Job, User
from verification.models import Comparison, Score, Submission
from verification.scoring.signature import VERSION
from verification.services.pairing import compare, measured
from verification.services.scoring import load_submission

INLINE_CLAIMS = 1_000
"""Runs on more claims are compared in the background."""


def comparable_score(submission: Submission) -> Score | None:
    """Return the score that scoring again would find; older ones cannot be had."""
    return submission.scores.filter(
        scorer_version=VERSION, gold_sha256=submission.phase.gold_set.gold.sha256
    ).first()


def kept_comparison(first: Score, second: Score, metric: str) -> Comparison | None:
    """Return what was found when the two were compared in this order."""
    return Comparison.objects.filter(first=first, second=second, metric=metric).first()


def compare_runs(*, first: Submission, second: Submission) -> Comparison:
    """Keep the paired bootstrap of two runs in the primary measure, once.

    Both files are scored once more, since it needs the counts of each claim.
    """
    metric = first.phase.benchmark.primary_metric
    one, other = _comparable(first), _comparable(second)
    kept = kept_comparison(one, other, metric)
    return kept or _compare(first, second, (one, other))


def _comparable(submission: Submission) -> Score:
    found = comparable_score(submission)
    if found is None:
        raise DomainError(
            "One of the two was scored by an earlier version of the scorer or on "
            "other gold. Only scores of the same version on the same gold compare."
        )
    return found


def _compare(
    first: Submission, second: Submission, scores: tuple[Score, Score]
) -> Comparison:
    runs = measured(first), measured(second)
    if runs[0] is None or runs[1] is None:
        raise DomainError("One of the two can no longer be scored.")
    if runs[0].claims != runs[1].claims:
        raise DomainError("These two runs are not on the same claims.")
    found = compare(runs[0], runs[1], scores=scores)
    if found is None:
        raise DomainError("The primary measure is undefined for one of the two.")
    return found


def start_comparing_runs(*, first: Submission, second: Submission, actor: User) -> Job:
    """Compare two runs in the background."""
    payload = {"first": first.pk, "second": second.pk}
    return start_job_once(kind="compare_runs", owner=actor, payload=payload)


def compare_runs_job(run: JobRun) -> dict[str, Any]:
    """Compare two runs, and lead to what was found."""
    run.report(0, 1, "Resampling the claims of both runs")
    first = load_submission(run.payload["first"])
    second = load_submission(run.payload["second"])
    compare_runs(first=first, second=second)
    page = reverse("verification:compare_runs", args=[first.token])
    return {"redirect": f"{page}?with={second.token}"}
