"""How much of a score somebody may learn, and when. Pure.

The one rule for pages, API, downloads and logs: hidden gold must not be read out by
asking for scores, and a blind phase stays blind for its own submitters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import IntEnum
from typing import Protocol

from corpus.records import Json


class Detail(IntEnum):
    """What is shown of a score; each level includes those before it."""

    NOTHING = 0
    OVERALL = 1
    EVERYTHING = 2


class PhaseLike(Protocol):
    """The parts of a phase that decide."""

    shows: str

    def is_closed(self, now: datetime) -> bool: ...


_LEVELS = {
    "nothing": Detail.NOTHING,
    "overall": Detail.OVERALL,
    "everything": Detail.EVERYTHING,
}


def detail_of(phase: PhaseLike, *, now: datetime, is_organiser: bool) -> Detail:
    """Return what a reader may learn of a phase's scores at that moment.

    Organisers see everything always, everybody else once the phase has closed.
    """
    if is_organiser or phase.is_closed(now):
        return Detail.EVERYTHING
    return _LEVELS[phase.shows]


def disclosed_metrics(metrics: Json, detail: Detail) -> Json:
    """Return the measures of a score as the pages show them on a level.

    ``OVERALL`` gives each number, times 100, with one decimal, so that single claims
    cannot be read out of small changes, and counts, which would undo the rounding,
    as ``None``; ``NOTHING`` gives ``None``. Lists and objects keep their shape,
    undefined values stay ``None``.
    """
    return _disclosed(metrics, detail, lambda value: round(value * 100, 1))


def disclosed_fractions(metrics: Json, detail: Detail) -> Json:
    """Return the same for programs: with the same precision, in the same unit always.

    What a level shows with one decimal of 100 has three decimals of 1 here.
    """
    return _disclosed(metrics, detail, lambda value: round(value, 3))


def _disclosed(
    metrics: Json, detail: Detail, rounded: Callable[[float], float]
) -> Json:
    if detail is Detail.EVERYTHING:
        return metrics
    if detail is Detail.NOTHING:
        return None
    return _rounded(metrics, rounded)


def _rounded(value: Json, rounded: Callable[[float], float]) -> Json:
    if isinstance(value, Mapping):
        return {name: _rounded(inner, rounded) for name, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner, rounded) for inner in value]
    if isinstance(value, float):
        return rounded(value)
    return None if isinstance(value, int) else value


def disclosed_signature(signature: str, detail: Detail) -> str:
    """Return the signature of a score as a level shows it.

    It names unreleased gold by its checksum, with which guesses of hidden gold could
    be tried; while the gold is hidden it is left out.
    """
    if detail is Detail.EVERYTHING:
        return signature
    if detail is Detail.NOTHING:
        return ""
    parts = signature.split("|")
    return "|".join(
        "gold:hidden" if part.startswith("gold:sha256-") else part for part in parts
    )
