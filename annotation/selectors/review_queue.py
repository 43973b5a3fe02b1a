"""A reviewer's queue, of claims or of judgements: why each waits, since when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from annotation.access import ProjectAccess
from annotation.models import (
    Claim,
    ClaimVersion,
    Disagreement,
    Judgement,
    Review,
    Stage,
)
from annotation.selectors import work
from annotation.selectors.second_opinions import held_back
from corpus.models import User

NEW, REVISED, DISPUTED = "new", "revised", "disputed"


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How much waits for a reviewer, and why."""

    new: int
    revised: int
    disputed: int
    left_to_others: int

    @property
    def total(self) -> int:
        """All that the reviewer could decide on now."""
        return self.new + self.revised + self.disputed


def claim_queue(access: ProjectAccess) -> QuerySet[Claim]:
    """The claims to proofread with why and since when they wait."""
    newest = ClaimVersion.objects.filter(claim=OuterRef("pk")).order_by("-number")
    rows = work.claims_to_proofread(access).annotate(
        waiting_since=Subquery(newest.values("created_at")[:1]),
        author_name=F("author__username"),
        author_key=F("author_id"),
    )
    return _with_why(rows, "claim", "claim_version__claim")


def judgement_queue(access: ProjectAccess) -> QuerySet[Judgement]:
    """The judgements to review with why and since when they wait."""
    rows = work.judgements_to_review(access).annotate(
        waiting_since=F("submitted_at"),
        author_name=F("annotator__username"),
        author_key=F("annotator_id"),
    )
    return _with_why(rows, "judgement", "judgement_version__judgement")


def _with_why(rows: QuerySet[Any], noun: str, about: str) -> QuerySet[Any]:
    decided = Review.objects.filter(**{about: OuterRef("pk")}, undone_at=None)
    disputes = Disagreement.objects.filter(
        **{noun: OuterRef("pk")}, state=Disagreement.State.OPEN
    )
    last = decided.order_by("-id").values("reason_code")[:1]
    explained: QuerySet[Any] = rows.annotate(
        last_reason=Coalesce(Subquery(last), Value("")),
        why=Case(
            When(Exists(disputes), then=Value(DISPUTED)),
            When(Exists(decided), then=Value(REVISED)),
            default=Value(NEW),
            output_field=CharField(),
        ),
    )
    return explained


def queue_counts(
    access: ProjectAccess, rows: QuerySet[Any], stage: Stage
) -> QueueCounts:
    """Count a whole queue by why its items wait, in two queries as a rule."""
    counted = rows.order_by().aggregate(
        **{why: Count("pk", filter=Q(why=why)) for why in (NEW, REVISED, DISPUTED)}
    )
    left = held_back(access.account, [access.project.pk], stage)
    return QueueCounts(**counted, left_to_others=len(left))


def queue_authors(rows: QuerySet[Any]) -> list[tuple[int, str]]:
    """The people whose work waits, with the names that members see, by name."""
    keys = rows.order_by().values("author_key").distinct()
    people = User.objects.filter(pk__in=keys)
    return sorted(
        ((person.pk, person.display_name) for person in people),
        key=lambda entry: entry[1].casefold(),
    )


def filtered(rows: QuerySet[Any], wanted: dict[str, Any]) -> QuerySet[Any]:
    """Leave only what a reader asked for."""
    if why := wanted.get("why"):
        rows = rows.filter(why=why)
    if reason := wanted.get("reason"):
        rows = rows.filter(last_reason=reason)
    if author := wanted.get("author"):
        rows = rows.filter(author_key=author)
    return rows


# The column of each order, whether it goes backwards, and how its value is read back.
SORTS: dict[str, tuple[str, bool, Any]] = {
    "oldest": ("waiting_since", False, datetime.fromisoformat),
    "newest": ("waiting_since", True, datetime.fromisoformat),
    "author": ("author_name", False, str),
    "reason": ("last_reason", False, str),
}
