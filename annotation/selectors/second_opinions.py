"""Who may give the second opinion where an author disagrees with a reviewer.

Never the reviewer who asked for the changes, as long as any other member with the
permission could decide; where there is nobody else, the same reviewer decides, and the
page says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q

from annotation.access import ACTIVE_STATES
from annotation.models import (
    Claim,
    ClaimVersion,
    Disagreement,
    Judgement,
    Membership,
    Project,
    Stage,
)
from corpus.exceptions import DomainError
from corpus.models import User

ANOTHER_DECIDES = (
    "You asked for these changes and the author disagrees: another reviewer decides "
    "now."
)


def stage_of(item: Claim | Judgement) -> Stage:
    """The permission that a decision on an item needs."""
    return Stage.PROOFREAD if isinstance(item, Claim) else Stage.REVIEW


def other_reviewers(item: Claim | Judgement, asked: User) -> list[User]:
    """The members who may decide on an item besides the reviewer who asked."""
    project = item.project if isinstance(item, Claim) else item.pair.project
    involved: set[int | None] = {asked.pk}
    if isinstance(item, Claim):
        involved |= {item.author_id, *item.versions.values_list("author", flat=True)}
    else:
        involved.add(item.annotator_id)
    members = project.memberships.filter(
        state__in=ACTIVE_STATES, user__is_active=True
    ).select_related("user")
    stage = stage_of(item)
    return [m.user for m in members if m.allows(stage) and m.user_id not in involved]


def is_held_back(item: Claim | Judgement, reviewer: User) -> bool:
    """Whether a reviewer has to leave an item to another one."""
    noun = "claim" if isinstance(item, Claim) else "judgement"
    asked_here = Disagreement.objects.filter(
        **{noun: item}, state=Disagreement.State.OPEN, review__reviewer=reviewer
    )
    return asked_here.exists() and bool(other_reviewers(item, reviewer))


def require_other_reviewer(item: Claim | Judgement, reviewer: User) -> None:
    """Refuse the decision of the reviewer with whom the author disagrees."""
    if is_held_back(item, reviewer):
        raise DomainError(ANOTHER_DECIDES)


def held_back(user: User, projects: Iterable[Project | int], stage: Stage) -> list[int]:
    """Return the items that a reviewer has to leave to others.

    One query where nobody disagrees with this person, three otherwise.
    """
    is_claims = stage is Stage.PROOFREAD
    noun = "claim" if is_claims else "judgement"
    author = "claim__author" if is_claims else "judgement__annotator"
    open_ones = Disagreement.objects.filter(
        project__in=list(projects),
        state=Disagreement.State.OPEN,
        review__reviewer=user,
        **{f"{noun}__isnull": False},
    ).values_list("project", f"{noun}_id", author)
    disputes = list(open_ones)
    if not disputes:
        return []
    others = _others({project for project, *_ in disputes}, user, stage)
    involved = _involved([item for _, item, _ in disputes]) if is_claims else {}
    return [
        item
        for project, item, person in disputes
        if others[project] - {person} - involved.get(item, set())
    ]


def _others(projects: set[int], user: User, stage: Stage) -> dict[int, set[int]]:
    members = Membership.objects.filter(
        ~Q(user=user),
        project__in=projects,
        state__in=ACTIVE_STATES,
        user__is_active=True,
    )
    people: dict[int, set[int]] = defaultdict(set)
    for member in members:
        if member.allows(stage):
            people[member.project_id].add(member.user_id)
    return people


def _involved(claims: list[int]) -> dict[int, set[int]]:
    """The people who wrote a version of each claim: they never decide on it."""
    writers: dict[int, set[int]] = defaultdict(set)
    rows = ClaimVersion.objects.filter(claim__in=claims, author__isnull=False)
    for claim, author in rows.values_list("claim", "author"):
        writers[claim].add(author)
    return writers
