"""Negations: why they use a trigger word, and the last one that can be taken back."""

from __future__ import annotations

from annotation.access import ProjectAccess
from annotation.models import Claim, Stage
from annotation.protocols import NegationStep
from corpus.models import Event


def answering_stage(claim: Claim) -> Stage:
    """The permission that an answer to requested changes of a claim needs.

    Where negations are a step of their own, they come back to those who negate.
    """
    is_apart = claim.project.rules.negation is NegationStep.SEPARATE
    is_negation = claim.negates_id is not None
    return Stage.NEGATE if is_apart and is_negation else Stage.WRITE


def trigger_reason(claim: Claim) -> str:
    """Return what the writer of a negation said about its trigger words, last."""
    events = Event.objects.filter(
        noun="claim", object_id=claim.pk, verb__in=("negate", "revise")
    )
    whys = events.exclude(why="").order_by("-id").values_list("why", flat=True)
    return whys.first() or ""


def last_negation(access: ProjectAccess) -> Claim | None:
    """The newest negation of the user, if it can still be taken back."""
    if access.project.rules.negation is not NegationStep.SEPARATE:
        return None
    own = access.project.claims.filter(author=access.account, negates__isnull=False)
    newest = own.exclude(state=Claim.State.WITHDRAWN).order_by("-position").first()
    return newest if newest and is_untouched(newest) else None


def is_untouched(claim: Claim) -> bool:
    """Whether a claim is as its author sent it, and nobody has decided on it."""
    return claim.state == Claim.State.SUBMITTED and claim.version == 1
