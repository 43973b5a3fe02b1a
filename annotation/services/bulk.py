"""Doing one thing to many claims or pairs, and undoing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.access import ProjectAccess
from annotation.models import BulkAction, Claim, Lease, Pair, Skip, Stage
from annotation.services import retiring
from annotation.services.leases import take_away, unskip_item
from annotation.services.priorities import set_priority
from corpus.exceptions import DomainError, StaleStateError

Action, Noun = BulkAction.Action, BulkAction.Noun
# More take longer than a page should; the filter can be narrowed.
MOST = 2_000
_STAGES: dict[str, tuple[Stage, ...]] = {
    Noun.CLAIM: (Stage.PROOFREAD, Stage.NEGATE),
    Noun.PAIR: (Stage.VERIFY, Stage.ADJUDICATE),
}


@transaction.atomic
def act_on_many(
    *,
    access: ProjectAccess,
    noun: str,
    item_ids: Sequence[int],
    action: str,
    reason: str = "",
    priority: int = 0,
) -> BulkAction:
    """Do one thing to many items of a project; never to an empty selection.

    All or nothing. The row that comes back says what really changed, and undoes it.
    """
    access.require(Stage.ADMIN)
    chosen = _existing(access, noun, item_ids)
    changed: list[Any]
    if action == Action.RETIRE:
        changed = _retire(access, noun, chosen, reason)
    elif action == Action.PRIORITY:
        changed = _prioritise(access, noun, chosen, priority)
    elif action == Action.RELEASE:
        changed = _release(access, noun, chosen)
    elif action == Action.REQUEUE:
        changed = sorted(
            {*_release(access, noun, chosen), *_forget_skips(access, noun, chosen)}
        )
    elif action == Action.RESTORE:
        changed = _restore(access, noun, chosen)
    else:
        raise DomainError("Choose what to do with them.")
    return BulkAction.objects.create(
        project=access.project,
        actor=access.account,
        action=action,
        noun=noun,
        changed=changed,
    )


def _existing(access: ProjectAccess, noun: str, item_ids: Sequence[int]) -> list[int]:
    """Return the chosen items that the project has; refuse none and too many."""
    if not item_ids:
        raise DomainError("Nothing is ticked. Tick at least one row.")
    if len(item_ids) > MOST:
        raise DomainError(
            f"These are {len(item_ids)} items; at most {MOST} can be changed at once. "
            "Narrow the filter."
        )
    model = Claim if noun == Noun.CLAIM else Pair
    rows = model._default_manager.filter(project=access.project)
    found: list[int] = []
    for start in range(0, len(item_ids), retiring.BATCH):
        part = item_ids[start : start + retiring.BATCH]
        found += rows.filter(pk__in=part).values_list("pk", flat=True)
    if not found:
        raise DomainError("None of the ticked items is in this project.")
    return sorted(found)


def _retire(
    access: ProjectAccess, noun: str, chosen: list[int], reason: str
) -> list[int]:
    values: dict[str, Any] = {
        "project": access.project,
        "actor": access.account,
        "reason": reason,
    }
    if noun == Noun.CLAIM:
        return retiring.retire_claims(claim_ids=chosen, **values)
    return retiring.retire_pairs(pair_ids=chosen, **values)


def _restore(access: ProjectAccess, noun: str, chosen: list[int]) -> list[int]:
    model = Claim if noun == Noun.CLAIM else Pair
    retired = model._default_manager.filter(pk__in=chosen, state=retiring.RETIRED)
    before = set(retired.values_list("pk", flat=True))
    values: dict[str, Any] = {"project": access.project, "actor": access.account}
    if noun == Noun.CLAIM:
        retiring.restore_claims(claim_ids=chosen, **values)
    else:
        retiring.restore_pairs(pair_ids=chosen, **values)
    return sorted(before - set(retired.all().values_list("pk", flat=True)))


def _prioritise(
    access: ProjectAccess, noun: str, chosen: list[int], priority: int
) -> list[list[int]]:
    model = Claim if noun == Noun.CLAIM else Pair
    rows = model._default_manager.filter(pk__in=chosen).exclude(priority=priority)
    old = [[pk, was] for pk, was in rows.order_by("pk").values_list("pk", "priority")]
    set_priority(
        access=access, stage=_STAGES[noun][0], item_ids=chosen, priority=priority
    )
    return old


def _release(access: ProjectAccess, noun: str, chosen: list[int]) -> list[int]:
    leases = Lease.objects.filter(
        project=access.project, stage__in=_STAGES[noun], item_id__in=chosen
    )
    return sorted(
        {
            lease.item_id
            for lease in leases
            if take_away(lease=lease, actor=access.account)
        }
    )


def _forget_skips(access: ProjectAccess, noun: str, chosen: list[int]) -> list[int]:
    skips = Skip.objects.filter(
        project=access.project, stage__in=_STAGES[noun], item_id__in=chosen
    )
    items = {skip.pk: skip.item_id for skip in skips}
    return [
        items[skip_pk]
        for skip in skips
        if (skip_pk := skip.pk) and unskip_item(skip=skip, actor=access.account)
    ]


@transaction.atomic
def undo_many(*, access: ProjectAccess, bulk: BulkAction) -> int:
    """Undo a retirement or a change of priority; returns how many changed back."""
    access.require(Stage.ADMIN)
    if not bulk.can_be_undone:
        raise DomainError("This cannot be undone.")
    undone = BulkAction.objects.filter(pk=bulk.pk, undone_at=None).update(
        undone_at=timezone.now()
    )
    if undone != 1:
        raise StaleStateError("This has been undone already.")
    bulk.refresh_from_db()
    if bulk.action == Action.RETIRE:
        values: dict[str, Any] = {"project": access.project, "actor": access.account}
        if bulk.noun == Noun.CLAIM:
            return retiring.restore_claims(claim_ids=bulk.changed, **values)
        return retiring.restore_pairs(pair_ids=bulk.changed, **values)
    groups: dict[int, list[int]] = defaultdict(list)
    for pk, was in bulk.changed:
        groups[was].append(pk)
    return sum(
        set_priority(
            access=access, stage=_STAGES[bulk.noun][0], item_ids=keys, priority=was
        )
        for was, keys in groups.items()
    )
