"""What an admin wants served first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from annotation.access import ProjectAccess
from annotation.models import Judgement, Stage
from annotation.selectors.queue import ITEMS
from corpus.events import new_event
from corpus.exceptions import DomainError
from corpus.models import Event

BATCH = 500
# Far beyond any need, and within a small integer on every database.
LARGEST = 100


@transaction.atomic
def set_priority(
    *, access: ProjectAccess, stage: Stage, item_ids: Iterable[int], priority: int
) -> int:
    """Serve chosen items of a stage before those of a lower priority; 0 is normal.

    Returns how many changed. A claim has one priority for proofreading and
    negating. Judgements are reviewed by age and have none.
    """
    access.require(Stage.ADMIN)
    model = ITEMS.get(stage)
    if model is None or model is Judgement:
        raise DomainError("Items of this kind are served by age.")
    if not -LARGEST <= priority <= LARGEST:
        raise DomainError(f"A priority lies between -{LARGEST} and {LARGEST}.")
    chosen = list(item_ids)
    if not chosen:
        raise DomainError("Choose at least one item.")
    changed = 0
    for start in range(0, len(chosen), BATCH):
        rows = list(
            model._default_manager.select_for_update()
            .filter(project=access.project, pk__in=chosen[start : start + BATCH])
            .exclude(priority=priority)
            .order_by("pk")
        )
        _record(access, rows, priority)
        keys = [row.pk for row in rows]
        model._default_manager.filter(pk__in=keys).update(priority=priority)
        changed += len(rows)
    return changed


def _record(access: ProjectAccess, rows: list[Any], priority: int) -> None:
    Event.objects.bulk_create(
        new_event(
            noun=str(row._meta.model_name),
            obj=row,
            verb="prioritise",
            actor=access.account,
            project_id=access.project.pk,
            fields={"priority": priority},
            was={"priority": row.priority},
        )
        for row in rows
    )
