"""What the page that verifies pairs needs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.access import ProjectAccess, standing_judgements
from annotation.models import Flag, Judgement, Pair, Stage
from annotation.selectors import work
from annotation.services.judgement_withdrawals import is_untouched
from corpus.reading import MarkedSentence

PARTS = ("claim__negates", "document", "project")


def open_pair(access: ProjectAccess, pk: int) -> Pair | None:
    """A pair that waits for the user, whoever has it in front of them."""
    access.require(Stage.VERIFY)
    return access.pairs_to_verify().filter(pk=pk).select_related(*PARTS).first()


def own_judgement(access: ProjectAccess, pair_id: int) -> Judgement | None:
    """The user's judgement of a pair, unless they have taken it back."""
    access.require(Stage.VERIFY)
    return (
        standing_judgements(access.account)
        .filter(pair__in=access.project.pairs.filter(pk=pair_id))
        .select_related(*work.JUDGEMENT_PARTS)
        .first()
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """An own judgement, to be read again and perhaps taken back."""

    judgement: Judgement
    sentences: list[MarkedSentence]
    can_be_withdrawn: bool

    @property
    def state(self) -> Judgement.State:
        """How it stands, as its annotator is told."""
        return Judgement.State(self.judgement.state).told


def judged(judgement: Judgement) -> Judged:
    """Return a judgement as its page shows it."""
    return Judged(judgement, work.marked_sentences(judgement), is_untouched(judgement))


def flags(access: ProjectAccess, state: str, words: str) -> QuerySet[Flag]:
    """The user's own flags in one state, or all, whose texts hold all the words."""
    access.require_member()
    rows = Flag.objects.filter(user=access.account, project=access.project)
    if state in {"open", "settled"}:
        rows = rows.filter(resolved_at__isnull=state == "open")
    for word in words.replace("\x00", "").split():
        rows = rows.filter(
            Q(note__icontains=word)
            | Q(pair__claim__text__icontains=word)
            | Q(pair__document__title__icontains=word)
        )
    return rows.select_related("pair__claim", "pair__document").order_by("id")


def own_flag(access: ProjectAccess, pair: Pair) -> Flag | None:
    """The user's open flag of a pair."""
    return Flag.objects.filter(
        user=access.account, pair=pair, resolved_at__isnull=True
    ).first()


def flaggable_pairs(access: ProjectAccess) -> QuerySet[Pair]:
    """The pairs that the user has in the queue or has judged."""
    access.require(Stage.VERIFY)
    mine = Q(pk__in=access.pairs_to_verify().values("pk"))
    mine |= Q(judgements__annotator=access.account)
    return access.project.pairs.filter(mine).distinct()
