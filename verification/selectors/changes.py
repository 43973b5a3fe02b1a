"""What organisers changed on a benchmark, in words for everybody who sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q

from corpus.models import Event
from verification.access import BenchmarkAccess
from verification.deadlines import ANYWHERE_ON_EARTH, AOE, clock_time
from verification.models import Phase

SHOWN = 50
LIMIT_WORDS = {
    "daily_per_person": "submissions a day, each person",
    "total_per_person": "submissions in all, each person",
    "daily_per_team": "submissions a day, each team",
    "total_per_team": "submissions in all, each team",
}
SHOWS = dict(Phase.Shows.choices)


@dataclass(frozen=True, slots=True)
class Change:
    """One change: when, what, and why where a reason was given."""

    at: datetime
    words: str
    why: str


def changes(access: BenchmarkAccess) -> list[Change]:
    """Return the latest changes of a benchmark and its phases, newest first."""
    names = dict(access.benchmark.phases.values_list("pk", "name"))
    ours = {"benchmark": [access.benchmark.pk], "phase": list(names)}
    about = Q()
    for noun, verb in _WORDS:
        about |= Q(noun=noun, verb=verb, object_id__in=ours[noun])
    events = Event.objects.filter(about)
    return [
        Change(event.at, _words(event, names), event.why)
        for event in events.order_by("-pk")[:SHOWN]
    ]


def _words(event: Event, names: Mapping[int, str]) -> str:
    return _WORDS[event.noun, event.verb](event, names.get(event.object_id, ""))


def _deadline(event: Event, name: str) -> str:
    old = _moment(event.payload["was"]["closes_at"])
    new = _moment(event.payload["set"]["closes_at"])
    return f"The deadline of “{name}” moved from {old} to {new}."


def _opening(event: Event, name: str) -> str:
    old = _moment(event.payload["was"]["opens_at"])
    new = _moment(event.payload["set"]["opens_at"])
    return f"The opening of “{name}” moved from {old} to {new}."


def _moment(text: str | None) -> str:
    if text is None:
        return "never"
    at = datetime.fromisoformat(text)
    return f"{clock_time(at, ANYWHERE_ON_EARTH, AOE)} ({clock_time(at, UTC, 'UTC')})"


def _phase(event: Event, name: str) -> str:
    return f"“{name}”: {'; '.join(_differences(event.payload))}."


def _differences(payload: Mapping[str, Any]) -> Iterator[str]:
    for field, new in payload["set"].items():
        old = payload["was"][field]
        if field in LIMIT_WORDS:
            words = f"{_limit(new)} instead of {_limit(old)}"
            yield f"{LIMIT_WORDS[field]}: {words}"
        elif field == "shows":
            yield f"shows {SHOWS[new]} before it closes, instead of {SHOWS[old]}"
        else:
            yield f"was called “{old}” before"


def _limit(most: int | None) -> str:
    return "no limit" if most is None else str(most)


def _benchmark(event: Event, _: str) -> str:
    fields = ", ".join(sorted(event.payload["set"]))
    return f"Changed: {fields}."


_WORDS: dict[tuple[str, str], Callable[[Event, str], str]] = {
    ("phase", "create"): lambda _, name: f"“{name}” was added.",
    ("phase", "change"): _phase,
    ("phase", "change_opening"): _opening,
    ("phase", "change_deadline"): _deadline,
    ("phase", "score_again"): lambda _, name: (
        f"“{name}” is scored again with a newer scorer; the old scores are kept."
    ),
    ("benchmark", "change"): _benchmark,
    ("benchmark", "add_organiser"): lambda *_: "An organiser was added.",
    ("benchmark", "remove_organiser"): lambda *_: "An organiser left.",
}
