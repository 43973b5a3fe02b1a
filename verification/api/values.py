"""What somebody may read of a submission and its scores, as the shapes lay it out."""

from __future__ import annotations

from typing import Any

from annotation.api.base import values_of
from verification.access import SubmissionAccess
from verification.api import shapes
from verification.disclosure import Detail, disclosed_fractions, disclosed_signature
from verification.models import Score

# Not for others than the submitter, the team and the organisers.
_PRIVATE: dict[str, Any] = {
    "errors": [],
    "n_errors": 0,
    "warnings": [],
    "n_warnings": 0,
    "failure": "",
    "file": None,
}
_ABOUT = ("description", "model_size", "external_data")
# An address can tell who it is; it comes with the name.
_ADDRESSES = ("paper_url", "code_url")


def submission_values(access: SubmissionAccess) -> dict[str, Any]:
    """Return a submission as its reader may see it."""
    submission = access.submission
    values = values_of(submission, shapes.SubmissionColumnsShape) | {
        "benchmark": submission.phase.benchmark.slug,
        "phase": submission.phase.number,
        "is_own": access.is_own,
        "file": submission.file,
        "detail": access.detail.name.lower(),
        "scores": _scores(access),
        **_names(access),
    }
    if not access.is_insider:
        values |= _PRIVATE
    if not access.is_named:
        values |= dict.fromkeys(_ADDRESSES, "")
    if not access.is_shown:
        values |= dict.fromkeys(_ABOUT, "")
    return values


def _names(access: SubmissionAccess) -> dict[str, str | None]:
    """Return whose it is; not to others while the entry is anonymous or off."""
    if not access.is_named:
        return {"submitter": None, "team": None}
    submission = access.submission
    team = submission.team
    return {
        "submitter": submission.submitter.display_name,
        "team": team.name if team else None,
    }


def _scores(access: SubmissionAccess) -> list[dict[str, Any]]:
    if not access.is_shown:
        return []
    scores = access.submission.scores.order_by("pk")
    return [score_values(s, access.detail) for s in scores if access.detail]


def score_values(score: Score, detail: Detail) -> dict[str, Any]:
    """Return what a level shows of a score; the level is not ``NOTHING``."""
    is_whole = detail is Detail.EVERYTHING
    return {
        "scorer_version": score.scorer_version,
        "n_claims": score.n_claims,
        "primary": disclosed_fractions(score.primary, detail),
        "metrics": disclosed_fractions(score.metrics, detail),
        "intervals": disclosed_fractions(score.intervals, detail),
        "created_at": score.created_at,
        "counts": score.counts if is_whole else None,
        "extra": score.extra if is_whole else None,
        "signature": disclosed_signature(score.signature, detail),
    }
