"""The rows of a board: their order, their places and their bars. Pure.

A row holds only what its reader may know, so that pages and downloads cannot tell
more than one another. Values are fractions, as the evaluators print them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from verification.disclosure import Detail

BAR_WIDTH = 120


class Tie(StrEnum):
    """How an entry compares with first place by the paired bootstrap."""

    FIRST = "first place"
    TIED = "not distinguishable from first place"
    BEHIND = "below first place"
    ABOVE = "above first place"
    MISSING = "not compared yet"


@dataclass(frozen=True, slots=True)
class Value:
    """A measure of an entry with its 95 % interval; ``None`` is undefined."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    def as_detail(self, detail: Detail) -> Value:
        """Return the value as a level shows it."""
        if detail is Detail.EVERYTHING:
            return self
        if detail is Detail.NOTHING:
            return Value()
        return Value(*map(_one_decimal, (self.value, self.low, self.high)))


def _one_decimal(value: float | None) -> float | None:
    """Round as a percentage with one decimal, and return the fraction."""
    return None if value is None else round(round(value * 100, 1) / 100, 3)


@dataclass(frozen=True, slots=True)
class Row:
    """One entry as a reader sees it.

    ``place`` counts entries with a better primary measure; baselines and entries
    without a value have none. ``behind`` is who stands behind an anonymous entry,
    for organisers alone. ``description`` says what a baseline does.
    """

    token: str
    system: str
    by: str
    behind: str = ""
    setting: str = ""
    model_size: str = ""
    external_data: str = ""
    description: str = ""
    paper_url: str = ""
    code_url: str = ""
    is_baseline: bool = False
    standing: str = "published"
    reason: str = ""
    year: int | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    n_claims: int | None = None
    predicted: int | None = None
    unjudged: int | None = None
    signature: str = ""
    tie: Tie | None = None
    place: int | None = None
    earlier: Sequence[tuple[str, float | None]] = ()

    @property
    def is_tombstone(self) -> bool:
        """Whether the entry was withdrawn or disqualified."""
        return self.standing != "published"

    @property
    def unjudged_share(self) -> float | None:
        """The share of predicted abstracts that nobody judged."""
        if self.unjudged is None or not self.predicted:
            return None
        return self.unjudged / self.predicted


@dataclass(frozen=True, slots=True)
class Order:
    """By which column a board is sorted, and whether the largest comes first."""

    key: str
    is_descending: bool = True


TEXT_KEYS = ("system", "by", "setting", "model_size")
NUMBER_KEYS = ("n_claims", "unjudged")


def with_places(rows: Iterable[Row], primary: str) -> list[Row]:
    """Return rows with their places; equal values share one."""
    found = list(rows)
    ranked = [
        value for row in found if (value := _ranked_value(row, primary)) is not None
    ]
    return [replace(row, place=_place(row, primary, ranked)) for row in found]


def _place(row: Row, primary: str, ranked: Sequence[float]) -> int | None:
    value = _ranked_value(row, primary)
    return None if value is None else 1 + sum(other > value for other in ranked)


def _ranked_value(row: Row, primary: str) -> float | None:
    if row.is_baseline or row.is_tombstone or primary not in row.values:
        return None
    return row.values[primary].value


def in_order(rows: Iterable[Row], order: Order) -> list[Row]:
    """Return rows sorted by a column; missing values come last either way.

    Equal rows stand by the name of the system and then by their random token, so
    that their order tells nothing.
    """
    plain = sorted(rows, key=lambda row: (row.system.casefold(), row.token))
    present = [row for row in plain if _sort_value(row, order.key) is not None]
    missing = [row for row in plain if _sort_value(row, order.key) is None]
    # A reversed stable sort keeps equal rows in their order.
    present.sort(
        key=lambda row: _sort_value(row, order.key) or 0, reverse=order.is_descending
    )
    return present + missing


def _sort_value(row: Row, key: str) -> float | str | None:
    if key in TEXT_KEYS:
        return str(getattr(row, key)).casefold() or None
    if key == "n_claims":
        return row.n_claims
    if key == "unjudged":
        return row.unjudged_share
    return row.values[key].value if key in row.values else None


@dataclass(frozen=True, slots=True)
class Bar:
    """Where an interval lies in a box ``BAR_WIDTH`` wide that stands for 0 to 1."""

    at: float
    start: float
    length: float
    width: int = BAR_WIDTH


def bar_of(value: Value) -> Bar | None:
    """Return the bar of a value with an interval; what exceeds 1 ends at the edge."""
    if value.value is None or value.low is None or value.high is None:
        return None
    at, low, high = (_x(v) for v in (value.value, value.low, value.high))
    return Bar(at, low, round(max(high - low, 1.0), 1))


def _x(value: float) -> float:
    return round(min(max(value, 0.0), 1.0) * BAR_WIDTH, 1)
