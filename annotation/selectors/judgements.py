"""Judgements side by side, and a judgement as its annotator reads it."""

from __future__ import annotations

from django.db.models import Q

from annotation.access import ProjectAccess
from annotation.models import Judgement, Pair, Stage
from annotation.selectors.work import JudgementRow, marked_sentences
from corpus.models import User


def told_as(state: str, reader: User) -> Q:
    """The judgements that stand in a state, their own as the reader is told."""
    states = [s for s in Judgement.State if s.told == state]
    own = Q(annotator=reader)
    return (own & Q(state__in=states)) | (~own & Q(state=state))


def others_for_reviewer(
    access: ProjectAccess, judgement: Judgement
) -> list[JudgementRow]:
    """Return what others judged of the same pair, for the reviewer beside it.

    Not in a blind project where the reviewer might still judge this pair.
    """
    pair = judgement.pair
    might_judge = (
        access.project.rules.is_blind
        and access.can(Stage.VERIFY)
        and pair.state == Pair.State.OPEN
    )
    if might_judge:
        return []
    others = (
        pair.judgements.exclude(pk=judgement.pk)
        .exclude(state__in=[Judgement.State.REJECTED, Judgement.State.WITHDRAWN])
        .select_related("annotator", "pair__document")
        .prefetch_related("rationales")
        .order_by("slot", "id")
    )
    return [JudgementRow(other, marked_sentences(other)) for other in others]
