"""What is kept here about one person, for that person; named in the settings."""

from __future__ import annotations

from annotation.selectors.personal_data import Rows, values_of
from corpus.models import User
from verification.models import (
    Announcement,
    Benchmark,
    ClaimBatch,
    FactCheck,
    GoldSet,
    Plausibility,
    Submission,
    Team,
)

# The counts and errors of a blind phase are shown to nobody, so scores are left out.
SECTIONS: dict[str, Rows] = {
    "teams": values_of(Team, "members", "name", "created_at"),
    "submissions": values_of(
        Submission,
        "submitter",
        "phase__benchmark__name",
        "phase__name",
        "team__name",
        "file__name",
        "state",
        "standing",
        "is_anonymous",
        "system",
        "description",
        "paper_url",
        "code_url",
        "model_size",
        "external_data",
        "setting",
        "failure",
        "reason",
        "received_at",
        "submitted_at",
        "ended_at",
    ),
    "organised_benchmarks": values_of(Benchmark, "organisers", "name", "created_at"),
    "gold_sets": values_of(GoldSet, "owner", "name", "split", "created_at"),
    "checked_claims": values_of(
        FactCheck,
        "asked_by",
        "claim",
        "corpus__name",
        "system",
        "batch__name",
        "state",
        "asked_at",
        "kept_at",
    ),
    "claim_batches": values_of(
        ClaimBatch, "owner", "name", "corpus__name", "system", "created_at"
    ),
    "plausibility_marks": values_of(
        Plausibility, "rater", "check_of__claim", "document", "is_plausible", "rated_at"
    ),
    "announcements": values_of(Announcement, "author", "benchmark__name", "text", "at"),
}


def counts(user: User) -> list[tuple[str, int]]:
    """Return how much there is, in words for the page."""
    return [
        ("Submissions to benchmarks", user.submissions.count()),
        ("Claims that you asked evidence for", user.fact_checks.count()),
        ("Evidence that you marked", user.plausibilities.count()),
        ("Teams", user.teams.count()),
        ("Benchmarks that you organise", user.organised_benchmarks.count()),
    ]
