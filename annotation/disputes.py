"""How informative a disagreement is: what is adjudicated first. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

Chosen: TypeAlias = tuple[str, Collection[int]]
"""A label, and the sentences of its rationales."""

OPPOSITES = frozenset({"SUPPORT", "CONTRADICT"})
_OPPOSED, _LABELS, _SENTENCES = 300, 200, 100


class Dispute(StrEnum):
    """On what judgements of one pair disagree, the most informative first."""

    OPPOSED = "opposite labels"
    LABELS = "different labels"
    SENTENCES = "the same label, different sentences"


def conflict(answers: Sequence[Chosen]) -> int:
    """Return how informative it is to settle a disagreement; 0 if there is none.

    300 where one answer supports and another contradicts, 200 for other different
    labels. For one label and different sentences it is 100 and up to 99 more, the less
    they overlap: ``99 * (1 - J)``, rounded, with ``J`` the mean Jaccard index over all
    two of the answers.
    """
    labels = {label for label, _ in answers}
    if labels >= OPPOSITES:
        return _OPPOSED
    if len(labels) > 1:
        return _LABELS
    if len({frozenset(sentences) for _, sentences in answers}) < 2:
        return 0
    overlaps = [
        _jaccard(set(one), set(other))
        for (_, one), (_, other) in combinations(answers, 2)
    ]
    return _SENTENCES + round(99 * (1 - sum(overlaps) / len(overlaps)))


def _jaccard(one: set[int], other: set[int]) -> float:
    """Two empty sets are equal."""
    either = one | other
    return len(one & other) / len(either) if either else 1.0


def dispute_of(value: int) -> Dispute:
    """Return what a value of ``conflict`` above 0 stands for."""
    if value >= _OPPOSED:
        return Dispute.OPPOSED
    return Dispute.LABELS if value >= _LABELS else Dispute.SENTENCES
