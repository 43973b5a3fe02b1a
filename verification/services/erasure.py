"""The part of benchmarks in erasing an identity; named in the settings.

Submissions, teams and announcements stay, under the pseudonym. Where the person's
names and addresses stand in their texts, the pseudonym takes their place.
"""

from __future__ import annotations

from django.db.models import Model

from corpus.exceptions import DomainError
from corpus.models import Job, User
from verification.models import Announcement, Benchmark, ClaimBatch, Submission, Team
from verification.services.gold_jobs import KIND

NOTES: tuple[tuple[type[Model], str], ...] = (
    (Announcement, "text"),
    (Benchmark, "description"),
    (ClaimBatch, "name"),
    (Submission, "system"),
    (Submission, "description"),
    (Submission, "external_data"),
    (Submission, "paper_url"),
    (Submission, "code_url"),
    (Submission, "reason"),
    (Team, "name"),
)
NOTED_IN_EVENTS = {
    "announcement": ("text",),
    "benchmark": ("description",),
    "submission": (
        "system",
        "description",
        "external_data",
        "paper_url",
        "code_url",
        "reason",
    ),
    "team": ("name",),
}


def forget_forms(user: User) -> None:
    """Empty what the person filled in for jobs that made nothing of it."""
    Job.objects.filter(owner=user, kind=KIND).update(payload={})


def require_erasable(user: User) -> None:
    """Refuse while the person is the only one who can organise a benchmark."""
    for benchmark in user.organised_benchmarks.order_by("pk"):
        others = benchmark.organisers.filter(is_active=True).exclude(pk=user.pk)
        if not others.exists():
            raise DomainError(
                f"{user} is the only organiser of “{benchmark}”. Make somebody else "
                "an organiser of it first."
            )
