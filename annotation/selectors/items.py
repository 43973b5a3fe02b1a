"""Every claim and pair of a project, filtered, for its admins.

Pages are read by key; the number of queries depends on nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import (
    BulkAction,
    Claim,
    Judgement,
    Lease,
    Pair,
    Project,
    SavedFilter,
    Stage,
)
from annotation.services.bulk import Noun
from corpus.models import Document, User
from corpus.paging import Page, keyset_page

KEY = {Noun.CLAIM.value: "position", Noun.PAIR.value: "pk"}


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A claim or a pair in the table."""

    item: Any
    claim: Claim
    document: Document | None
    labels: Sequence[str]
    people: Sequence[User]
    holders: Sequence[User]


def matching(
    project: Project, noun: str, wanted: Mapping[str, Any], now: datetime
) -> QuerySet[Any]:
    """Return the claims or pairs that a filter asks for."""
    if noun == Noun.PAIR:
        return _pairs(project, wanted, now)
    return _claims(project, wanted, now)


def _claims(
    project: Project, wanted: Mapping[str, Any], now: datetime
) -> QuerySet[Claim]:
    rows = project.claims.filter(_of_claim(wanted, now, ""))
    if state := wanted.get("state"):
        rows = rows.filter(state=state)
    if person := wanted.get("person"):
        rows = rows.filter(author=person)
    if label := wanted.get("label"):
        rows = rows.filter(Exists(_judged(label).filter(pair__claim=OuterRef("pk"))))
    if document := wanted.get("document"):
        pairs = Pair.objects.filter(_of_document(document), claim=OuterRef("pk"))
        rows = rows.filter(Exists(pairs))
    return rows


def _pairs(
    project: Project, wanted: Mapping[str, Any], now: datetime
) -> QuerySet[Pair]:
    rows = project.pairs.filter(_of_claim(wanted, now, "claim__"))
    if state := wanted.get("state"):
        rows = rows.filter(state=state)
    if person := wanted.get("person"):
        judged = Judgement.objects.filter(pair=OuterRef("pk"), annotator=person)
        rows = rows.filter(Exists(judged))
    if label := wanted.get("label"):
        rows = rows.filter(Exists(_judged(label).filter(pair=OuterRef("pk"))))
    if document := wanted.get("document"):
        rows = rows.filter(_of_document(document))
    return rows


def _of_claim(wanted: Mapping[str, Any], now: datetime, path: str) -> Q:
    condition = Q()
    if split := wanted.get("split"):
        condition &= Q(**{f"{path}split": split})
    if text := wanted.get("text"):
        condition &= Q(**{f"{path}text__icontains": text})
    if (days := wanted.get("older_than")) is not None:
        condition &= Q(**{f"{path}created_at__lt": now - timedelta(days=days)})
    return condition


def _of_document(text: str) -> Q:
    return Q(document__external_id=text) | Q(document__title__icontains=text)


def _judged(label: str) -> QuerySet[Judgement]:
    """The judgements with a label that hold a slot."""
    return Judgement.objects.filter(label=label, slot__isnull=False)


def item_page(rows: QuerySet[Any], noun: str, after: str | None) -> Page[Any]:
    """Return one page of claims or pairs."""
    if noun == Noun.PAIR:
        rows = rows.select_related("claim", "document").defer(
            "document__sentences", "document__separators", "document__doubts"
        )
    else:
        rows = rows.select_related("author", "split")
    return keyset_page(rows, after, key=KEY[noun])


def item_rows(items: Sequence[Any], noun: str, now: datetime) -> list[ItemRow]:
    """Return the rows of a page with their labels, people and holders."""
    keys = [item.pk for item in items]
    if noun == Noun.PAIR:
        labels, people = _judgements(keys)
        holders = _holders((Stage.VERIFY,), keys, now)
        return [
            ItemRow(
                pair,
                pair.claim,
                pair.document,
                labels[pair.pk],
                people[pair.pk],
                holders[pair.pk],
            )
            for pair in items
        ]
    labels = _labels_of_claims(keys)
    holders = _holders((Stage.PROOFREAD, Stage.NEGATE), keys, now)
    return [
        ItemRow(
            claim,
            claim,
            None,
            labels[claim.pk],
            [claim.author] if claim.author else [],
            holders[claim.pk],
        )
        for claim in items
    ]


def _judgements(
    keys: Sequence[int],
) -> tuple[dict[int, list[str]], dict[int, list[User]]]:
    labels: dict[int, list[str]] = defaultdict(list)
    people: dict[int, list[User]] = defaultdict(list)
    judgements = (
        Judgement.objects.filter(pair__in=keys, slot__isnull=False)
        .select_related("annotator")
        .order_by("slot")
    )
    for judgement in judgements:
        if judgement.label not in labels[judgement.pair_id]:
            labels[judgement.pair_id].append(judgement.label)
        if judgement.annotator:
            people[judgement.pair_id].append(judgement.annotator)
    return labels, people


def _labels_of_claims(keys: Sequence[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    labels = (
        Judgement.objects.filter(pair__claim__in=keys, slot__isnull=False)
        .order_by("label")
        .values_list("pair__claim", "label")
        .distinct()
    )
    for claim, label in labels:
        found[claim].append(label)
    return found


def _holders(
    stages: Iterable[Stage], keys: Sequence[int], now: datetime
) -> dict[int, list[User]]:
    found: dict[int, list[User]] = defaultdict(list)
    leases = Lease.objects.filter(
        stage__in=list(stages), item_id__in=keys, expires_at__gt=now
    ).select_related("person")
    for lease in leases.order_by("pk"):
        found[lease.item_id].append(lease.person)
    return found


def saved_filters(project: Project, user: User) -> list[SavedFilter]:
    """Return a person's own filters of a project, and those that others share."""
    seen = Q(owner=user) | Q(is_shared=True)
    return list(project.saved_filters.filter(seen).select_related("owner"))


def last_bulk_actions(project: Project, count: int = 5) -> list[BulkAction]:
    """Return what was last done to many items, newest first."""
    return list(project.bulk_actions.select_related("actor").order_by("-pk")[:count])
