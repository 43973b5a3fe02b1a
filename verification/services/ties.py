"""Comparing the entries of a board with its first place, in the background.

Scores of an earlier version of the scorer, or of other gold, are left out: they
cannot be had again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corpus.exceptions import DomainError
from corpus.jobs import JobRun, start_job
from corpus.models import Job, User
from verification.models import Comparison, Phase, Score, Submission
from verification.scoring.signature import VERSION
from verification.services.pairing import compare, measured

KIND = "compare_entries"


def start_comparing(*, phase: Phase, actor: User) -> Job:
    """Have what stands on a board now compared; the caller is in a transaction.

    Also after a score is replaced: whatever is compared already is not done again.
    """
    return start_job(kind=KIND, owner=actor, payload={"phase": phase.pk})


def compare_entries_job(run: JobRun) -> dict[str, Any]:
    """Compare every entry of a phase with first place that has not been yet."""
    phase = _phase(run)
    entries = standing_entries(phase)
    current = {entry.pk: entry for entry in entries}
    scores = current_scores(entries)
    best = first_place(entries, scores)
    if not best or not _can_repeat(scores[best], phase):
        return {"compared": 0}
    waiting = _not_compared(scores, best, phase)
    first = measured(current[best]) if waiting else None
    for number, pk in enumerate(waiting):
        run.report(number, len(waiting), "Comparing with first place")
        second = measured(current[pk])
        if first is not None and second is not None:
            compare(first, second, scores=(scores[best], scores[pk]))
    return {"compared": len(waiting)}


def _phase(run: JobRun) -> Phase:
    phases = Phase.objects.select_related("benchmark", "gold_set__gold")
    phase = phases.filter(pk=run.payload["phase"]).first()
    if phase is None:
        raise DomainError("This phase does not exist any more.")
    return phase


def standing_entries(phase: Phase) -> list[Submission]:
    """Return the published entries with what scoring them again needs."""
    entries = phase.submissions.filter(standing=Submission.Standing.PUBLISHED)
    files = ("gold_set__gold", "gold_set__claims", "gold_set__corpus")
    related = ["phase__benchmark", *(f"phase__{name}" for name in files), "file"]
    return list(entries.select_related(*related).order_by("pk"))


def current_scores(entries: Iterable[Submission]) -> dict[int, Score]:
    """Return the newest score of each entry."""
    scores = Score.objects.filter(submission__in=[entry.pk for entry in entries])
    light = scores.defer("by_claim", "extra", "counts", "slices", "intervals")
    return {score.submission_id: score for score in light.order_by("pk")}


def first_place(entries: Iterable[Submission], current: Mapping[int, Score]) -> int:
    """Return the entry with the best primary measure, of equals the first scored.

    Baselines are compared with it and never stand there. 0 if there is none.
    """
    ranked = [
        (-found.primary, found.pk, entry.pk)
        for entry in entries
        if not entry.is_baseline
        and (found := current.get(entry.pk)) is not None
        and found.primary is not None
    ]
    return min(ranked)[2] if ranked else 0


def _can_repeat(found: Score, phase: Phase) -> bool:
    """Whether scoring again would find this score, and a value to compare."""
    same_gold = found.gold_sha256 == phase.gold_set.gold.sha256
    return same_gold and found.is_current(VERSION) and found.primary is not None


def _not_compared(scores: Mapping[int, Score], best: int, phase: Phase) -> list[int]:
    metric = phase.benchmark.primary_metric
    comparisons = Comparison.objects.filter(first=scores[best], metric=metric)
    done = set(comparisons.values_list("second_id", flat=True))
    return [
        pk
        for pk, found in scores.items()
        if pk != best and found.pk not in done and _can_repeat(found, phase)
    ]
