"""Which item is next for whom: what nobody else has in front of them, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Count,
    Exists,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import LessThan
from django.utils import timezone

from annotation.access import ProjectAccess
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
from annotation.protocols import Verifier
from annotation.selectors import adjudicating, work
from corpus.models import Event, User

ITEMS: dict[Stage, type[Model]] = {
    Stage.WRITE: Source,
    Stage.NEGATE: Claim,
    Stage.VERIFY: Pair,
    Stage.PROOFREAD: Claim,
    Stage.REVIEW: Judgement,
    Stage.ADJUDICATE: Pair,
}
# The order in which items are served; an index of each table has the same order.
ORDER: dict[Stage, tuple[str, ...]] = {
    Stage.WRITE: ("-priority", "position"),
    Stage.NEGATE: ("-priority", "position"),
    Stage.VERIFY: ("-priority", "document_id", "id"),
    Stage.PROOFREAD: ("-priority", "position"),
    Stage.REVIEW: ("id",),
    # Sorted as it is read: what is disputed is a small part of a project.
    Stage.ADJUDICATE: ("-priority", "-conflict", "-claim_disputes", "id"),
}
# How many items are looked at, at first and if none of them is for the person.
WINDOWS = (100, 400, 1600)
# How many items that wait are counted for one person.
MOST_COUNTED = 100
# The events that count as one task done: noun and verbs.
_REVIEWED = ("approve", "fix_and_approve", "request_changes", "reject")
DONE: dict[Stage, tuple[str, tuple[str, ...]]] = {
    Stage.WRITE: ("source", ("finish",)),
    Stage.NEGATE: ("claim", ("negate",)),
    Stage.VERIFY: ("judgement", ("submit",)),
    Stage.PROOFREAD: ("claim", _REVIEWED),
    Stage.REVIEW: ("judgement", _REVIEWED),
    Stage.ADJUDICATE: ("adjudication", ("take", "edit", "write")),
}


def needed(project: Project, stage: Stage, item: Model) -> int:
    """How many people an item of a stage needs."""
    if stage is Stage.VERIFY and isinstance(item, Pair):
        return item.judgements_needed(project.rules)
    return 1


def eligible(access: ProjectAccess, stage: Stage) -> QuerySet[Any]:
    """The items of a stage that the user may do now; 403 without the permission."""
    rows: QuerySet[Any]
    match stage:
        case Stage.WRITE:
            rows = work.sources_to_write(access)
        case Stage.VERIFY:
            rows = access.pairs_to_verify()
        case Stage.PROOFREAD:
            rows = work.claims_to_proofread(access)
        case Stage.REVIEW:
            rows = work.judgements_to_review(access)
        case Stage.NEGATE:
            rows = work.claims_to_negate(access)
        case Stage.ADJUDICATE:
            rows = adjudicating.disputed_pairs(access)
        case _:
            raise ValueError(f"There is no queue for {stage}.")
    return rows.select_related(None).order_by(*ORDER[stage])


def without_skipped(rows: QuerySet[Any], stage: Stage, user: User) -> QuerySet[Any]:
    """Leave out what the user has left to others."""
    skipped = Skip.objects.filter(stage=stage, item_id=OuterRef("pk"), person=user)
    return rows.filter(~Exists(skipped))


def without_besides(
    rows: QuerySet[Any], access: ProjectAccess, stage: Stage, besides: int | None
) -> QuerySet[Any]:
    """Leave out the item in front of the user, and what they may not do after it.

    Who judges a pair may then judge none of its family on that abstract.
    """
    if besides is None:
        return rows
    rows = rows.exclude(pk=besides)
    rule = access.project.rules.verifier
    if stage is not Stage.VERIFY or rule is not Verifier.NOT_FAMILY:
        return rows
    relative = Pair.objects.filter(
        pk=besides,
        document=OuterRef("document"),
        claim__family=OuterRef("claim__family"),
    )
    return rows.filter(~Exists(relative))


def without_held(
    rows: QuerySet[Any], stage: Stage, user: User, need: int, now: datetime
) -> QuerySet[Any]:
    """Leave out the items of which others hold every free slot.

    ``need`` is what the project asks for. Where that is 1, a sampled pair of which
    two slots are free is offered to one person at a time.
    """
    held = Lease.objects.filter(
        stage=stage, item_id=OuterRef("pk"), expires_at__gt=now
    ).exclude(person=user)
    if need == 1:
        return rows.filter(~Exists(held))
    judged = Judgement.objects.filter(pair=OuterRef("pk"), slot__isnull=False)
    taken = _count(held, "item_id") + _count(judged, "pair")
    return rows.filter(LessThan(taken, Greatest("judgements_wanted", need)))


def _count(rows: QuerySet[Any], key: str) -> Coalesce:
    counted = rows.order_by().values(key).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def next_items(
    access: ProjectAccess, stage: Stage, *, besides: int | None
) -> list[int]:
    """Return some items that the person could be given, the best first.

    The queue is read from its front by an index, a window at a time, and what the
    person may have is picked from each window: the cost depends on how many items at
    the front are not for this person, never on how long the queue is.
    """
    now = timezone.now()
    rows = without_skipped(eligible(access, stage), stage, access.account)
    need = access.project.rules.judgements_per_pair if stage is Stage.VERIFY else 1
    free = without_held(rows, stage, access.account, need, now)
    free = without_besides(free, access, stage, besides)
    if stage is Stage.VERIFY:
        return _pairs_in_turn(access, free, now)
    if stage is Stage.ADJUDICATE:
        return list(free.values_list("pk", flat=True)[: WINDOWS[0]])
    for keys in windows(front(access, stage), ORDER[stage]):
        if found := list(free.filter(pk__in=keys).values_list("pk", flat=True)):
            return found
    return []


@dataclass(frozen=True, slots=True)
class Left:
    """How many items wait for a person; perhaps more than were counted."""

    count: int
    is_more: bool


def left_for(
    access: ProjectAccess, stage: Stage, *, besides: int | None = None
) -> Left:
    """Count what a person could do in a stage, the item at hand among it.

    Like the next item it is counted from the front of the queue, so that the cost does
    not depend on its length: at most as many as somebody wants to know, in at most as
    many rows as the three windows hold.
    """
    rows = without_skipped(eligible(access, stage), stage, access.account)
    rows = without_besides(rows, access, stage, besides)
    count = seen = 0
    for keys in windows(front(access, stage), ORDER[stage]):
        count += rows.filter(pk__in=keys).count()
        seen += len(keys)
        if count >= MOST_COUNTED or seen >= sum(WINDOWS):
            return Left(min(count, MOST_COUNTED), is_more=True)
    return Left(count, is_more=False)


def front(access: ProjectAccess, stage: Stage) -> QuerySet[Any]:
    """Everything that waits in a stage, for anybody; in the order of its index."""
    project = access.project
    rows: QuerySet[Any]
    match stage:
        case Stage.WRITE:
            rows = project.sources.filter(state=Source.State.OPEN)
        case Stage.NEGATE:
            rows = project.claims.filter(state=Claim.State.APPROVED)
        case Stage.VERIFY:
            rows = project.pairs.filter(state=Pair.State.OPEN)
        case Stage.PROOFREAD:
            rows = project.claims.filter(state=Claim.State.SUBMITTED)
        case _:
            rows = Judgement.objects.filter(
                pair__project=project, state=Judgement.State.SUBMITTED
            )
    return rows.order_by(*ORDER[stage])


def windows(rows: QuerySet[Any], order: tuple[str, ...]) -> Iterator[list[int]]:
    """Yield the keys of ordered rows, a window at a time, from where the last ended.

    Within one priority a window begins after the last row's other keys; then comes
    what has a lower priority.
    """
    has_priority = order[0] == "-priority"
    keys = order[1:] if has_priority else order
    names = ("pk", *(name.removeprefix("-") for name in order))
    sizes = iter(WINDOWS)
    size, rest, level = next(sizes), rows, None
    while True:
        found = list(rest.values(*names)[:size])
        yield [row["pk"] for row in found]
        if len(found) == size:
            last = found[-1]
            rest = _beyond(rows, [(key, last[key]) for key in keys])
            if has_priority:
                level = last["priority"]
                rest = rest.filter(priority=level)
            size = next(sizes, size)
        elif level is None:
            return
        else:
            rest, level = rows.filter(priority__lt=level), None


def _beyond(rows: QuerySet[Any], keys: list[tuple[str, int]]) -> QuerySet[Any]:
    """The rows after the one with these values; written so that an index is used."""
    (first, value), *others = keys
    if not others:
        return rows.filter(**{f"{first}__gt": value})
    ((second, other),) = others
    tail = Q(**{f"{first}__gt": value}) | Q(**{f"{second}__gt": other})
    return rows.filter(tail, **{f"{first}__gte": value})


def _pairs_in_turn(
    access: ProjectAccess, free: QuerySet[Any], now: datetime
) -> list[int]:
    """Return pairs: more claims on the abstract that the person has just read first.

    Never one of the family of the last claim, unless there is nothing else. An
    abstract that somebody else reads at the moment comes after those that nobody
    does. A higher priority comes before all that.
    """
    last = (
        Judgement.objects.filter(annotator=access.account, pair__project=access.project)
        .order_by("-id")
        .values_list("pair__document", "pair__claim__family")
        .first()
    )
    document, family = last or (None, None)
    busy = read_by_others(access, now)
    best: list[tuple[int, int, int]] = []
    relatives: list[int] = []
    if document is not None:
        same = free.filter(document=document).exclude(claim__family=family)
        best = [
            (-priority, 0, pk)
            for pk, priority in same.values_list("pk", "priority")[: WINDOWS[0]]
        ]
    for keys in windows(front(access, Stage.VERIFY), ORDER[Stage.VERIFY]):
        found = free.filter(pk__in=keys)
        for pk, priority, where, whose in found.values_list(
            "pk", "priority", "document", "claim__family"
        ):
            if whose == family:
                relatives.append(pk)
            else:
                best.append((-priority, 2 if where in busy else 1, pk))
        if best:
            # Sorting keeps the order of the queue among equals.
            ordered = sorted(best, key=lambda entry: entry[:2])
            return list(dict.fromkeys(pk for _, _, pk in ordered))
    return relatives


def read_by_others(access: ProjectAccess, now: datetime) -> set[int]:
    """The abstracts that somebody else has in front of them to judge a claim."""
    held = Lease.objects.filter(
        project=access.project, stage=Stage.VERIFY, expires_at__gt=now
    ).exclude(person=access.account)
    keys = list(held.values_list("item_id", flat=True)[: WINDOWS[-1]])
    pairs = Pair.objects.filter(pk__in=keys).order_by()
    return set(pairs.values_list("document_id", flat=True))


def day_start(now: datetime) -> datetime:
    """When the day of a quota began: midnight UTC."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def done_today(project: Project, stage: Stage, user: User, now: datetime) -> int:
    """How many tasks of a stage a person has finished since midnight UTC."""
    noun, verbs = DONE[stage]
    return Event.objects.filter(
        actor=user,
        at__gte=day_start(now),
        project_id=project.pk,
        noun=noun,
        verb__in=verbs,
    ).count()


def why_nothing(access: ProjectAccess, stage: Stage) -> str:
    """Say why a person gets nothing although something waits; else empty."""
    if notice := quota_notice(access, stage):
        return notice
    if not eligible(access, stage).exists():
        return ""
    return (
        "What waits now is in front of other people, or you have left it to others. "
        "Look again in a while."
    )


def quota_notice(access: ProjectAccess, stage: Stage) -> str:
    """Say that the person has reached the daily quota; empty if they have not."""
    quota, now = access.project.rules.daily_quota, timezone.now()
    if not quota:
        return ""
    if done_today(access.project, stage, access.account, now) < quota:
        return ""
    resets = timezone.localtime(day_start(now) + timedelta(days=1))
    return (
        f"You have done your {quota} for today. The next day begins at 00:00 UTC, "
        f"which is {resets:%H:%M} in your time zone."
    )
