"""What the pages of uploads and submissions show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from corpus.models import User
from corpus.paging import Page, keyset_page
from verification.models import Phase, Submission, Team
from verification.services.quota import (
    Remaining,
    limits_of,
    next_day,
    remaining_of,
)

State = Submission.State
DESCRIBED = (
    "system",
    "description",
    "paper_url",
    "code_url",
    "model_size",
    "external_data",
    "setting",
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much of one limit is left; a daily one begins anew at ``renewed_at``."""

    whose: str
    left: int
    most: int
    renewed_at: datetime | None


def allowances(
    phase: Phase, person: User, teams: Iterable[Team], now: datetime
) -> list[Allowance]:
    """Return what is left of every limit that the person could meet."""
    limits = limits_of(phase, person, None, now)
    for team in teams:
        limits += limits_of(phase, person, team, now)
    once = list({(limit.holder, limit.period): limit for limit in limits}.values())
    return [_allowance(left, now) for left in remaining_of(phase, once)]


def _allowance(remaining: Remaining, now: datetime) -> Allowance:
    limit = remaining.limit
    return Allowance(
        whose=limit.whose,
        left=remaining.left,
        most=limit.most,
        renewed_at=next_day(now) if limit.is_daily else None,
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One step from the upload to the score."""

    words: str
    is_done: bool
    is_current: bool


STEPS = ("Uploaded", "Checked", "Submitted", "Scored")
# How many of the steps are done; whatever failed or is invalid shows no steps.
_DONE = {State.QUEUED: 3, State.SCORING: 3, State.SCORED: 4}


def steps(submission: Submission) -> list[Step]:
    """Return the steps with those that are done; none where it went wrong."""
    if submission.state in {State.INVALID, State.FAILED}:
        return []
    state = State(submission.state)
    done = _DONE.get(state, 2 if submission.is_checked else 1)
    return [
        Step(words, number < done, number == done) for number, words in enumerate(STEPS)
    ]


def described_before(submission: Submission) -> dict[str, Any]:
    """Return what the form begins with: what was said of this or the last system."""
    if submission.system:
        return {name: getattr(submission, name) for name in DESCRIBED}
    benchmark = submission.phase.benchmark
    last = (
        Submission.objects.filter(
            submitter=submission.submitter_id, phase__benchmark=benchmark
        )
        .exclude(system="")
        .order_by("-pk")
        .values(*DESCRIBED)
        .first()
    )
    return last or {"setting": benchmark.setting}


def own_page(submissions: QuerySet[Submission], after: str | None) -> Page[Submission]:
    """Return a page of somebody's submissions, the newest first."""
    rows = submissions.select_related("phase__benchmark", "team", "submitter", "file")
    rows = rows.defer("errors", "warnings", "description", "external_data")
    return keyset_page(rows, after, key="pk", newest_first=True)
