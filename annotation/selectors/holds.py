"""Who has which item in hand, and what people left to others, with the items' texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from annotation.access import ProjectAccess
from annotation.models import Claim, Judgement, Lease, Pair, Skip, Source, Stage
from annotation.selectors.work import passage_parts
from corpus.models import Event


@dataclass(frozen=True, slots=True)
class ItemWords:
    """An item in words: its text, what it belongs to, and its claim if it has one."""

    text: str
    detail: str = ""
    claim_id: int | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A lease with the words of its item."""

    lease: Lease
    item: ItemWords
    has_expired: bool


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """A skip with the words of its item."""

    skip: Skip
    item: ItemWords


def leases(access: ProjectAccess) -> QuerySet[Lease]:
    """Everything that somebody has in hand; admins only."""
    access.require(Stage.ADMIN)
    return access.project.leases.select_related("person")


def holds(rows: Iterable[Lease], now: datetime) -> list[Hold]:
    """Return leases with the words of their items: one query for each stage."""
    rows = list(rows)
    words = _words((lease.stage, lease.item_id) for lease in rows)
    return [
        Hold(lease, words[lease.stage, lease.item_id], not lease.is_live(now))
        for lease in rows
    ]


def skips(access: ProjectAccess) -> QuerySet[Skip]:
    """What the user left to others; for admins what anybody did."""
    access.require_member()
    rows = access.project.skips.select_related("person")
    return rows if access.is_admin else rows.filter(person=access.account)


def skipped_items(rows: Iterable[Skip]) -> list[SkippedItem]:
    """Return skips with the words of their items: one query for each stage."""
    rows = list(rows)
    words = _words((skip.stage, skip.item_id) for skip in rows)
    return [SkippedItem(skip, words[skip.stage, skip.item_id]) for skip in rows]


def releases(access: ProjectAccess) -> QuerySet[Event]:
    """The items that an admin took out of somebody's hands."""
    access.require(Stage.ADMIN)
    return Event.objects.filter(
        project_id=access.project.pk, noun="lease", verb="release"
    )


def _words(keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], ItemWords]:
    by_stage: dict[str, set[int]] = defaultdict(set)
    for stage, pk in keys:
        by_stage[stage].add(pk)
    found: dict[tuple[str, int], ItemWords] = {}
    for stage, pks in by_stage.items():
        texts = _READERS[Stage(stage)](pks)
        for pk in pks:
            found[stage, pk] = texts.get(pk, ItemWords("It is not there any more."))
    return found


def _sources(pks: set[int]) -> dict[int, ItemWords]:
    rows = Source.objects.filter(pk__in=pks)
    return {
        row.pk: _source_words(row)
        for row in rows.select_related("citance__passage", "question")
    }


def _source_words(source: Source) -> ItemWords:
    """A citance in its own words, with its id; a question is its words."""
    parts = passage_parts(source)
    if parts is None:
        return ItemWords(str(source))
    return ItemWords(parts.citance, str(source))


def _claims(pks: set[int]) -> dict[int, ItemWords]:
    rows = Claim.objects.filter(pk__in=pks)
    return {row.pk: ItemWords(row.text, claim_id=row.pk) for row in rows}


def _pairs(pks: set[int]) -> dict[int, ItemWords]:
    rows = Pair.objects.filter(pk__in=pks).select_related("claim", "document")
    return {
        row.pk: ItemWords(row.claim.text, row.document.title, row.claim_id)
        for row in rows
    }


def _judgements(pks: set[int]) -> dict[int, ItemWords]:
    rows = Judgement.objects.filter(pk__in=pks)
    return {
        row.pk: ItemWords(
            row.pair.claim.text, row.pair.document.title, row.pair.claim_id
        )
        for row in rows.select_related("pair__claim", "pair__document")
    }


_READERS: dict[Stage, Callable[[set[int]], dict[int, ItemWords]]] = {
    Stage.WRITE: _sources,
    Stage.NEGATE: _claims,
    Stage.PROOFREAD: _claims,
    Stage.VERIFY: _pairs,
    Stage.REVIEW: _judgements,
    Stage.ADJUDICATE: _pairs,
}
