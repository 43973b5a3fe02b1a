"""How a project grew and how much of it was done, day by day. Pure.

Counted from changes of state: a row leaves one state and enters another, a new row
enters its first. So many rows are in a state as entered it and have not left it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Change:
    """``count`` rows of a noun went from a state (none for new rows) to another."""

    day: date
    noun: str
    left: str
    entered: str
    count: int


@dataclass(frozen=True, slots=True)
class StageRule:
    """What a stage counts: which rows there are in all, and which are through."""

    code: str
    label: str
    noun: str
    unit: str
    not_counted: frozenset[str]
    through: frozenset[str]
    through_as: str


STAGES = (
    StageRule(
        "write",
        "Write",
        "source",
        "sources",
        frozenset(),
        frozenset({"done", "skipped"}),
        "written or skipped",
    ),
    StageRule(
        "proofread",
        "Proofread",
        "claim",
        "claims",
        frozenset({"retired", "withdrawn"}),
        frozenset({"approved", "rejected", "imported"}),
        "approved, rejected or imported",
    ),
    StageRule(
        "verify",
        "Verify",
        "pair",
        "pairs",
        frozenset({"retired"}),
        frozenset({"judged", "changes_requested", "disputed", "approved", "imported"}),
        "judged or imported",
    ),
    StageRule(
        "review",
        "Review",
        "judgement",
        "judgements",
        frozenset({"withdrawn", "unreviewed", "adjudicated"}),
        frozenset({"approved", "rejected", "imported"}),
        "approved, rejected or imported",
    ),
)


@dataclass(frozen=True, slots=True)
class StageProgress:
    """The two lines of a stage, and where they stand at the end."""

    rule: StageRule
    days: Sequence[date]
    in_all: Sequence[int]
    through: Sequence[int]

    @property
    def share(self) -> int:
        """How much is through, in whole per cent, never rounded up to 100."""
        return self.through[-1] * 100 // self.in_all[-1] if self.in_all[-1] else 0


def progress(
    changes: Iterable[Change], days: Sequence[date]
) -> tuple[StageProgress, ...]:
    """Return each stage's lines over consecutive days.

    Changes before the first day are where the lines start.
    """
    counts: dict[str, dict[date, dict[str, int]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(int))
    )
    for change in changes:
        day = max(change.day, days[0])
        states = counts[change.noun][day]
        states[change.entered] += change.count
        if change.left:
            states[change.left] -= change.count
    return tuple(_stage(rule, counts[rule.noun], days) for rule in STAGES)


def _stage(
    rule: StageRule, per_day: dict[date, dict[str, int]], days: Sequence[date]
) -> StageProgress:
    now: dict[str, int] = defaultdict(int)
    in_all, through = [], []
    for day in days:
        for state, change in per_day.get(day, {}).items():
            now[state] += change
        in_all.append(sum(n for s, n in now.items() if s not in rule.not_counted))
        through.append(sum(n for s, n in now.items() if s in rule.through))
    return StageProgress(rule, days, in_all, through)


def percentile(histogram: Sequence[tuple[int, int]], share: float) -> int | None:
    """Return the smallest value that at least a share of all values do not exceed.

    The nearest-rank rule: no value is invented between two measured ones.
    ``histogram`` holds values with how often each occurs.
    """
    total = sum(count for _, count in histogram)
    seen = 0
    for value, count in sorted(histogram):
        seen += count
        if seen >= share * total:
            return value
    return None
