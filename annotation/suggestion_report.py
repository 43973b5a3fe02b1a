"""What suggestions of a model do to judgements: time, taking over, shift, agreement.

Chance decides who is in the control arm, so that arms can be compared. What counts is
the arm that a judgement was given, not whether the suggestion was looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from annotation.burn_up import percentile

Z = 1.959963984540054
"""The 97.5th percentile of the standard normal distribution."""
PARTS = ("all", "label", "sentences", "none")


@dataclass(frozen=True, slots=True)
class Given:
    """One judgement as it was first submitted.

    Empty texts: ``first_label`` where no own choice was kept, ``model_label`` where the
    model abstains or has nothing for the pair, ``verdict_label`` where nothing stands
    yet. ``others`` are the first labels of those who judged the same pair.
    """

    arm: str
    was_shown: bool
    taken: str
    label: str
    seconds: int | None = None
    first_label: str = ""
    model_label: str = ""
    verdict_label: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, with Wilson's 95 % interval; no interval of nothing."""

    count: int
    n: int

    @property
    def value(self) -> float | None:
        """The share."""
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's score interval (Wilson 1927)."""
        if not self.n:
            return None
        share, z2 = self.count / self.n, Z * Z
        middle = share + z2 / (2 * self.n)
        half = Z * sqrt(share * (1 - share) / self.n + z2 / (4 * self.n * self.n))
        scale = 1 + z2 / self.n
        # Rounding must not lead beyond what a share can be.
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """Everything about the judgements of one arm."""

    arm: str
    n: int
    shown: Share
    n_timed: int
    median: int | None
    p90: int | None
    taken: Mapping[str, Share]
    """What was taken over, of the judgements that were shown a suggestion."""
    changed: Share
    """Labels that are not the own first choice, of those whose first choice is kept."""
    to_model: Share
    """Labels that are the model's, of those whose first choice was another one."""
    as_model: Share
    """Labels that are the model's, of the pairs for which it has one."""
    as_others: Share
    """Labels that agree with another judgement of the pair, of all such comparisons."""
    as_verdict: Share
    """Labels that agree with the pair's verdict, where there is one."""
    first_labels: Mapping[str, int]
    labels: Mapping[str, int]


def arm_figures(given: Iterable[Given], arms: Sequence[str]) -> list[ArmFigures]:
    """Return the figures of each arm that has a judgement, in this order of arms."""
    of_arms: dict[str, list[Given]] = {arm: [] for arm in arms}
    for judgement in given:
        of_arms[judgement.arm].append(judgement)
    return [_figures(arm, rows) for arm, rows in of_arms.items() if rows]


def _figures(arm: str, rows: Sequence[Given]) -> ArmFigures:
    histogram = [*Counter(r.seconds for r in rows if r.seconds is not None).items()]
    shown = [row for row in rows if row.was_shown]
    chosen = [row for row in rows if row.first_label]
    suggested = [row for row in rows if row.model_label]
    movable = [row for row in suggested if row.first_label not in ("", row.model_label)]
    return ArmFigures(
        arm=arm,
        n=len(rows),
        shown=_share(row.was_shown for row in rows),
        n_timed=sum(count for _, count in histogram),
        median=percentile(histogram, 0.5),
        p90=percentile(histogram, 0.9),
        taken={part: _share(row.taken == part for row in shown) for part in PARTS},
        changed=_share(row.label != row.first_label for row in chosen),
        to_model=_share(row.label == row.model_label for row in movable),
        as_model=_share(row.label == row.model_label for row in suggested),
        as_others=_share(row.label == other for row in rows for other in row.others),
        as_verdict=_share(r.label == r.verdict_label for r in rows if r.verdict_label),
        first_labels=Counter(row.first_label for row in chosen),
        labels=Counter(row.label for row in rows),
    )


def _share(answers: Iterable[bool]) -> Share:
    said = [*answers]
    return Share(sum(said), len(said))
