"""What does not move by itself, for a project's admins: the oldest first.

Each list has a limit, and says how many there are in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from annotation.access import ACTIVE_STATES
from annotation.disputes import dispute_of
from annotation.models import (
    Claim,
    Judgement,
    Lease,
    Pair,
    Project,
    Skip,
    Source,
    Stage,
)
from annotation.selectors.negations import answering_stage
from corpus.models import Event, User

LIMIT = 50
DAYS = 3
PEOPLE = 2


@dataclass(frozen=True, slots=True)
class StuckItem:
    """One item with why it is stuck, and to whom it could be given."""

    kind: str
    pk: int
    text: str
    claim_id: int | None
    person: User | None
    since: datetime | None
    why: str
    stage: Stage


@dataclass(frozen=True, slots=True)
class StuckList:
    """Stuck items of one kind."""

    code: str
    title: str
    items: Sequence[StuckItem]
    total: int


def stuck_lists(
    project: Project, now: datetime, *, days: int = DAYS, people: int = PEOPLE
) -> list[StuckList]:
    """Return everything that is stuck, in a fixed number of queries."""
    before = now - timedelta(days=days)
    return [
        _returned_claims(project, before, days),
        _returned_judgements(project, before, days),
        _expired(project, now),
        _skipped(project, people),
        _disagreeing(project),
    ]


def _since(noun: str) -> Subquery:
    """When the row came to its present state."""
    events = Event.objects.filter(noun=noun, object_id=OuterRef("pk"))
    return Subquery(events.exclude(to_state="").order_by("-pk").values("at")[:1])


def _returned_claims(project: Project, before: datetime, days: int) -> StuckList:
    rows = (
        project.claims.filter(state=Claim.State.CHANGES_REQUESTED)
        .annotate(since=_since("claim"))
        .filter(since__lt=before)
        .select_related("author")
        .order_by("since", "pk")
    )
    items = [
        StuckItem(
            "claim", c.pk, c.text, c.pk, c.author, c.since, "", answering_stage(c)
        )
        for c in rows[:LIMIT]
    ]
    title = f"Claims that came back more than {days} days ago"
    return StuckList("returned_claims", title, items, _total(rows, items))


def _returned_judgements(project: Project, before: datetime, days: int) -> StuckList:
    rows = (
        Judgement.objects.filter(
            pair__project=project, state=Judgement.State.CHANGES_REQUESTED
        )
        .annotate(since=_since("judgement"))
        .filter(since__lt=before)
        .select_related("annotator", "pair__claim")
        .order_by("since", "pk")
    )
    items = [
        StuckItem(
            "judgement",
            j.pk,
            j.pair.claim.text,
            j.pair.claim_id,
            j.annotator,
            j.since,
            "",
            Stage.VERIFY,
        )
        for j in rows[:LIMIT]
    ]
    title = f"Judgements that came back more than {days} days ago"
    return StuckList("returned_judgements", title, items, _total(rows, items))


def _expired(project: Project, now: datetime) -> StuckList:
    """Items whose holder went away; they are anybody's, and nobody took them."""
    rows = (
        Lease.objects.filter(project=project, expires_at__lt=now)
        .select_related("person")
        .order_by("expires_at", "pk")
    )
    leases = list(rows[:LIMIT])
    texts = _texts([(Stage(lease.stage), lease.item_id) for lease in leases])
    items = [
        StuckItem(
            "lease",
            lease.item_id,
            *texts.get((Stage(lease.stage), lease.item_id), ("", None)),
            lease.person,
            lease.expires_at,
            Stage(lease.stage).label,
            Stage(lease.stage),
        )
        for lease in leases
    ]
    title = "Taken and left: nobody has gone on since"
    return StuckList("expired", title, items, _total(rows, items))


def _skipped(project: Project, people: int) -> StuckList:
    rows = (
        Skip.objects.filter(project=project)
        .order_by()
        .values("stage", "item_id")
        .annotate(n=Count("pk"))
        .filter(_still_open(), n__gte=people)
        .order_by("-n", "stage", "item_id")
    )
    found = list(rows[:LIMIT])
    texts = _texts([(Stage(row["stage"]), row["item_id"]) for row in found])
    items = [
        StuckItem(
            "skip",
            row["item_id"],
            *texts.get((Stage(row["stage"]), row["item_id"]), ("", None)),
            None,
            None,
            f"skipped by {row['n']} people",
            Stage(row["stage"]),
        )
        for row in found
    ]
    title = f"Skipped by {people} people or more"
    return StuckList("skipped", title, items, _total(rows, items))


def _still_open() -> Q:
    """Skips of items that still wait for somebody.

    A claim whose negation was skipped waits for nobody: it is put aside, and comes
    back from the list of what was skipped.
    """
    pairs = Pair.objects.filter(state=Pair.State.OPEN).values("pk")
    disputed = Pair.objects.filter(state=Pair.State.DISPUTED).values("pk")
    proofread = Claim.objects.filter(state=Claim.State.SUBMITTED).values("pk")
    review = Judgement.objects.filter(state=Judgement.State.SUBMITTED).values("pk")
    return (
        Q(stage=Stage.VERIFY, item_id__in=pairs)
        | Q(stage=Stage.PROOFREAD, item_id__in=proofread)
        | Q(stage=Stage.REVIEW, item_id__in=review)
        | Q(stage=Stage.ADJUDICATE, item_id__in=disputed)
    )


def _disagreeing(project: Project) -> StuckList:
    """Pairs of which all judgements are there, and differ."""
    rows = (
        project.pairs.filter(state=Pair.State.DISPUTED)
        .select_related("claim")
        .order_by("-conflict", "pk")
    )
    items = [
        StuckItem(
            "disagreement",
            pair.pk,
            pair.claim.text,
            pair.claim_id,
            None,
            None,
            str(dispute_of(pair.conflict)),
            Stage.ADJUDICATE,
        )
        for pair in rows[:LIMIT]
    ]
    title = "Judgements that disagree"
    return StuckList("disagreeing", title, items, _total(rows, items))


def _total(rows: QuerySet[Any], items: Sequence[StuckItem]) -> int:
    return len(items) if len(items) < LIMIT else rows.count()


def _texts(
    wanted: Sequence[tuple[Stage, int]],
) -> dict[tuple[Stage, int], tuple[str, int | None]]:
    """Return the text and the claim of items of any stage, in four queries."""
    keys: dict[str, set[int]] = {"source": set(), "claim": set(), "pair": set()}
    keys["judgement"] = set()
    for stage, pk in wanted:
        keys[NOUN[stage]].add(pk)
    found: dict[str, dict[int, tuple[str, int | None]]] = {
        "claim": {
            pk: (text, pk)
            for pk, text in Claim.objects.filter(pk__in=keys["claim"]).values_list(
                "pk", "text"
            )
        },
        "pair": _claim_of(Pair.objects.filter(pk__in=keys["pair"]), "claim"),
        "judgement": _claim_of(
            Judgement.objects.filter(pk__in=keys["judgement"]), "pair__claim"
        ),
        "source": {
            source.pk: (str(source), None)
            for source in Source.objects.filter(pk__in=keys["source"]).select_related(
                "citance__passage", "question"
            )
        },
    }
    return {
        (stage, pk): found[NOUN[stage]][pk]
        for stage, pk in wanted
        if pk in found[NOUN[stage]]
    }


def _claim_of(rows: QuerySet[Any], path: str) -> dict[int, tuple[str, int | None]]:
    values = rows.values_list("pk", f"{path}__text", F(f"{path}__pk"))
    return {pk: (text, claim) for pk, text, claim in values}


NOUN = {
    Stage.WRITE: "source",
    Stage.NEGATE: "claim",
    Stage.PROOFREAD: "claim",
    Stage.VERIFY: "pair",
    Stage.REVIEW: "judgement",
    Stage.ADJUDICATE: "pair",
}


def people_for(project: Project) -> dict[str, list[User]]:
    """Return for each stage the members who may do its work, by name."""
    members = project.memberships.filter(
        state__in=ACTIVE_STATES, user__is_active=True
    ).select_related("user")
    found = sorted(members, key=lambda m: (str(m.user).casefold(), m.user_id))
    return {stage.value: [m.user for m in found if m.allows(stage)] for stage in NOUN}
