"""Pairs whose judgements disagree, for those who decide about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from django.db.models import (
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)

from annotation.access import ProjectAccess, judged_by
from annotation.disputes import Dispute, dispute_of
from annotation.models import Adjudication, Judgement, Lease, Pair, Stage
from annotation.selectors.work import marked_sentences
from annotation.services.adjudications import seen_answers
from annotation.services.settling import standing
from corpus.models import User
from corpus.reading import Mark

PARTS = ("claim", "document", "project")


def disputed_by_others(user: User) -> QuerySet[Pair]:
    """The disputed pairs, of any project, that a user has not judged."""
    mine = judged_by(user).filter(pair=OuterRef("pk"))
    return Pair.objects.filter(~Exists(mine), state=Pair.State.DISPUTED)


def disputed_pairs(access: ProjectAccess) -> QuerySet[Pair]:
    """The disputed pairs that the user may decide about, the most informative first.

    First what an admin gave priority; then by how the answers differ; among equals
    come claims of which more pairs are disputed.
    """
    access.require(Stage.ADJUDICATE)
    siblings = (
        Pair.objects.filter(claim=OuterRef("claim"), state=Pair.State.DISPUTED)
        .order_by()
        .values("claim")
        .annotate(n=Count("pk"))
        .values("n")
    )
    return (
        disputed_by_others(access.account)
        .filter(project=access.project)
        .annotate(claim_disputes=Subquery(siblings, output_field=IntegerField()))
        .select_related(*PARTS)
        .order_by("-priority", "-conflict", "-claim_disputes", "id")
    )


def readable_pairs(access: ProjectAccess) -> QuerySet[Pair]:
    """The pairs that an adjudicator may open: what waits, and what is decided by now.

    Never an open pair, which they might judge themselves, unless they have it in hand:
    it was disputed when they began.
    """
    access.require(Stage.ADJUDICATE)
    mine = judged_by(access.account).filter(pair=OuterRef("pk"))
    decided = Adjudication.objects.filter(pair=OuterRef("pk"))
    in_hand = Lease.objects.filter(
        stage=Stage.ADJUDICATE, item_id=OuterRef("pk"), person=access.account
    )
    was_disputed = Q(state=Pair.State.DISPUTED) | (
        Q(Exists(decided)) & ~Q(state=Pair.State.OPEN)
    )
    return access.project.pairs.filter(
        ~Exists(mine), was_disputed | Q(Exists(in_hand))
    ).select_related(*PARTS)


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """A disputed pair in the list."""

    pair: Pair
    dispute: Dispute
    claim_disputes: int


def dispute_rows(access: ProjectAccess, limit: int) -> list[DisputeRow]:
    """Return the pairs that come first."""
    rows = disputed_pairs(access).defer("document__sentences", "document__separators")
    return [
        DisputeRow(pair, dispute_of(pair.conflict), pair.claim_disputes)  # type: ignore[attr-defined]
        for pair in rows[:limit]
    ]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the judgements that differ, under its letter."""

    letter: str
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence with what each side chose of it."""

    number: int
    text: str
    marks: Sequence[tuple[str, Sequence[Mark]]]

    @property
    def is_chosen(self) -> bool:
        """Whether any side chose it."""
        return any(marks for _, marks in self.marks)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The judgements of a pair side by side over its sentences."""

    sides: Sequence[Side]
    lines: Sequence[Line]
    seen: str

    def side(self, letter: str) -> Side | None:
        """Return the side with a letter."""
        return next((side for side in self.sides if side.letter == letter), None)


def comparison(pair: Pair) -> Comparison:
    """Return the standing judgements of a pair, in the order of their slots."""
    rows = standing(pair.judgements.select_related("annotator", "pair__document"))
    sides = [
        Side(letter, judgement)
        for letter, judgement in zip(ascii_uppercase, rows, strict=False)
    ]
    marked = [(side.letter, marked_sentences(side.judgement)) for side in sides]
    lines = [
        Line(n, text, [(letter, found[n - 1].marks) for letter, found in marked])
        for n, text in enumerate(pair.document.sentences, start=1)
    ]
    return Comparison(sides, lines, seen_answers([side.judgement for side in sides]))


def last_decision(access: ProjectAccess, pk: int | None) -> Adjudication | None:
    """Return an own decision that can still be taken back."""
    if pk is None:
        return None
    return Adjudication.objects.filter(
        pk=pk,
        pair__project=access.project,
        adjudicator=access.account,
        undone_at=None,
        pair__state=Pair.State.APPROVED,
    ).first()
