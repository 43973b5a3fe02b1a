"""The paired bootstrap of two kept scores, from their files.

It needs the counts of each claim, which are not kept: both files are scored once
more, and what is kept of that is the comparison alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from verification.models import Comparison, Score, Submission
from verification.scoring.findings import ClaimId
from verification.scoring.service import score
from verification.services.scoring import RESAMPLES, request_of

if TYPE_CHECKING:  # numpy is loaded when numbers are made, not by the web process
    from verification.scoring.bootstrap import Measure
    from verification.scoring.metrics import Array, Measures


@dataclass(frozen=True, slots=True)
class Measured:
    """A file that was scored again: its claims and its primary measure."""

    claims: tuple[ClaimId, ...]
    metric: str
    measure: Measure


def measured(entry: Submission) -> Measured | None:
    """Score an entry once more; ``None`` if it cannot be resampled."""
    benchmark = entry.phase.benchmark
    found = score(benchmark.task, request_of(entry, with_gold=True)).score
    if found is None or found.measure is None:
        return None
    whole, metric = found.measure, benchmark.primary_metric

    def primary(weights: Array) -> Measures:
        return {metric: whole(weights)[metric]}

    return Measured(found.claim_ids, metric, primary)


def compare(
    first: Measured, second: Measured, *, scores: tuple[Score, Score]
) -> Comparison | None:
    """Keep how much higher the first scores, once, also when two workers found it.

    ``None`` where the claims differ, or the measure is undefined for one of the two.
    """
    from verification.scoring.bootstrap import paired_bootstrap

    if first.claims != second.claims:
        return None
    difference = paired_bootstrap(
        first.measure, second.measure, len(first.claims), resamples=RESAMPLES
    )[first.metric]
    if difference is None:
        return None
    kept, _ = Comparison.objects.get_or_create(
        first=scores[0],
        second=scores[1],
        metric=first.metric,
        defaults={
            "observed": difference.observed,
            "low": difference.interval.low,
            "high": difference.interval.high,
            "p_value": difference.p_value,
        },
    )
    return kept
