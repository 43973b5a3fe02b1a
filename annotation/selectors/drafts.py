"""For which items a person may keep a draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from annotation.access import ProjectAccess
from annotation.models import Claim, Draft, Judgement, Stage
from annotation.selectors import work

Items = Callable[[ProjectAccess], QuerySet[Any]]


def _pairs(access: ProjectAccess) -> QuerySet[Any]:
    return access.pairs_to_verify()


def _negatable(access: ProjectAccess) -> QuerySet[Claim]:
    return access.project.claims.filter(state=Claim.State.APPROVED)


def _reviewable(access: ProjectAccess) -> QuerySet[Judgement]:
    return access.judgements().exclude(annotator=access.account)


def _proofreadable(access: ProjectAccess) -> QuerySet[Claim]:
    return access.project.claims.exclude(versions__author=access.account)


def _returned(access: ProjectAccess) -> QuerySet[Claim]:
    """Own claims and negations that came back."""
    return access.project.claims.filter(
        author=access.account, state=Claim.State.CHANGES_REQUESTED
    )


# The permissions of which a form needs one, and the items that it may be about.
ITEMS: dict[str, tuple[tuple[Stage, ...], Items]] = {
    Draft.Kind.WRITE: ((Stage.WRITE,), work.own_sources),
    Draft.Kind.REVISE_CLAIM: ((Stage.WRITE, Stage.NEGATE), _returned),
    Draft.Kind.PROOFREAD: ((Stage.PROOFREAD,), _proofreadable),
    Draft.Kind.NEGATE: ((Stage.NEGATE,), _negatable),
    Draft.Kind.VERIFY: ((Stage.VERIFY,), _pairs),
    Draft.Kind.REVISE_JUDGEMENT: ((Stage.VERIFY,), work.returned_judgements),
    Draft.Kind.REVIEW: ((Stage.REVIEW,), _reviewable),
}


def may_keep(access: ProjectAccess, kind: str, item_id: int) -> bool:
    """Whether the user has this item at hand, or has kept a draft of it before.

    What was kept stays within reach when somebody else was faster in the meantime.
    """
    _, items = ITEMS[kind]
    if Draft.objects.filter(
        user=access.account, project=access.project, kind=kind, item_id=item_id
    ).exists():
        return True
    return items(access).filter(pk=item_id).exists()
