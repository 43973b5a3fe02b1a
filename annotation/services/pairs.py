"""Pairs: their events, and locking them while their judgements change."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import Judgement, Pair
from corpus.events import column_values, new_event, record_event
from corpus.exceptions import StaleStateError
from corpus.models import Event, User


def lock_pair(pair: Pair) -> Pair:
    """Lock a pair's row, so that its judgements change one after the other.

    The caller is in a transaction. A retired pair takes no more changes.
    """
    locked = Pair.objects.select_for_update(of=("self",)).get(pk=pair.pk)
    if locked.state == Pair.State.RETIRED:
        raise StaleStateError("This pair was taken out of the data set.")
    return locked


def fixing_pairs() -> QuerySet[Pair]:
    """Return the pairs that keep their document as it is.

    A pair whose abstract is still missing waits for it: it keeps the document only
    once somebody has judged it.
    """
    judged = Exists(Judgement.objects.filter(pair=OuterRef("pk")))
    return Pair.objects.filter(Q(document__has_abstract=True) | judged)


def record_pair(
    pair: Pair,
    actor: User | None,
    old: str,
    verb: str,
    why: str = "",
    fields: dict[str, object] | None = None,
) -> None:
    """Write the event of a pair's change of state."""
    record_event(
        noun="pair",
        obj=pair,
        verb=verb,
        actor=actor,
        project_id=pair.project_id,
        from_state=old,
        to_state=pair.state,
        why=why,
        fields=fields,
    )


def pair_created(pair: Pair, actor: User | None) -> Event:
    """Return the unsaved creation event of a pair."""
    return new_event(
        noun="pair",
        obj=pair,
        verb="create",
        actor=actor,
        project_id=pair.project_id,
        to_state=pair.state,
        fields=column_values(pair),
    )
