"""Scoring again under a newer scorer: the old score stays, the new one stands beside.

Nothing that was scored is ever computed anew by itself: an organiser asks for it.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.jobs import JobRun, start_job
from corpus.models import Job, User
from verification.models import Phase, Score, Submission
from verification.scoring.service import Outcome
from verification.scoring.signature import VERSION
from verification.services.organiser_jobs import own_job_under_way
from verification.services.scoring import (
    Breakdown,
    breakdown_of,
    keep_score,
    load_submission,
    outcome_of,
)
from verification.services.ties import start_comparing

KIND = "score_again"


def to_score_again(phase: Phase) -> QuerySet[Submission]:
    """The scored submissions of a phase without a score of this scorer and gold."""
    current = Score.objects.filter(
        submission=OuterRef("pk"),
        scorer_version=VERSION,
        gold_sha256=phase.gold_set.gold.sha256,
    )
    scored = phase.submissions.filter(state=Submission.State.SCORED)
    return scored.exclude(Exists(current))


@transaction.atomic
def start_scoring_again(*, phase: Phase, organiser: User) -> Job:
    """Have a phase's submissions scored again where that gives another score.

    While it goes on, a second wish is the first.
    """
    locked = Phase.objects.select_for_update().get(pk=phase.pk)
    payload = {"phase": locked.pk}
    if found := own_job_under_way(kind=KIND, organiser=organiser, payload=payload):
        return found
    if not to_score_again(phase).exists():
        raise DomainError(f"Every score is that of scorer {VERSION} already.")
    record_event(
        noun="phase",
        obj=locked,
        verb="score_again",
        actor=organiser,
        fields={"scorer_version": VERSION},
    )
    return start_job(kind=KIND, owner=organiser, payload=payload)


def score_again_job(run: JobRun) -> dict[str, Any]:
    """Score each submission; what was done before an interruption stays done."""
    phase = Phase.objects.select_related("benchmark", "gold_set__gold").get(
        pk=run.payload["phase"]
    )
    keys = list(to_score_again(phase).order_by("pk").values_list("pk", flat=True))
    failed = 0
    # One after another, so that a worker that is stopped loses one at most.
    for done, key in enumerate(keys):
        run.report(done, len(keys), "Scoring again")
        submission = load_submission(key)
        outcome = outcome_of(submission)
        if outcome.score is None:
            failed += 1
            continue
        breakdown = breakdown_of(submission=submission, outcome=outcome)
        with run.commit():
            _keep_beside(submission, outcome, breakdown)
    with transaction.atomic():
        start_comparing(phase=phase, actor=run.job.owner)
    return {
        "redirect": reverse(
            "verification:phase_submissions",
            args=[phase.benchmark.slug, phase.number],
        ),
        "counts": {"scored again": len(keys) - failed, "not scored": failed},
    }


def _keep_beside(
    submission: Submission, outcome: Outcome, breakdown: Breakdown
) -> None:
    """Keep the new score once; the database decides."""
    try:
        with transaction.atomic():
            kept = keep_score(
                submission=submission, outcome=outcome, breakdown=breakdown
            )
    except IntegrityError:
        return
    record_event(
        noun="submission",
        obj=submission,
        verb="score_again",
        actor=None,
        fields={"score": kept.pk, "scorer_version": kept.scorer_version},
    )
