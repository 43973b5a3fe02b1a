"""Rebuilding the current state from the events. Pure.

Events are the record of every change; this module proves that they are complete.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol


class EventLike(Protocol):
    """The parts of an event that replaying reads."""

    noun: str
    object_id: int
    verb: str
    from_state: str
    to_state: str
    payload: dict[str, Any]


@dataclass(slots=True)
class Replayed:
    """What the events say stands now, and where they contradict each other.

    ``objects`` maps a noun and a primary key to the fields that were written,
    with ``state`` among them where the noun has states.
    """

    objects: dict[str, dict[int, dict[str, Any]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )
    contradictions: list[str] = field(default_factory=list)


def replay(events: Iterable[EventLike]) -> Replayed:
    """Fold events, oldest first, into the current state.

    An event whose ``from_state`` is not the state that the events before it left
    is a contradiction: a change was not recorded, or recorded twice.
    """
    result = Replayed()
    for event in events:
        if event.verb == "delete":
            result.objects[event.noun].pop(event.object_id, None)
            continue
        values = result.objects[event.noun][event.object_id]
        known = values.get("state", "")
        if event.from_state and event.from_state != known:
            result.contradictions.append(
                f"{event.noun} {event.object_id}: {event.verb} leaves "
                f"{event.from_state}, but it was {known or 'unknown'}"
            )
        values.update(event.payload.get("set", {}))
        if event.to_state:
            values["state"] = event.to_state
    return result
