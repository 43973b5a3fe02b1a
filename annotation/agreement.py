"""Agreement between annotators: coefficients of nominal labels, pure arithmetic.

Every coefficient comes with the number of items that it rests on and, where it is
undefined, with the reason in words: never as 0, 1 or a bare "NaN". Whether it is
undefined is decided on whole numbers, so rounding cannot hide it.

All are computed from a ``Tally``: how often each combination of ratings occurs. It
is small however many items there are, and tallies of clusters can be added.

Sources: Cohen 1960; Fleiss 1971; Krippendorff 2011, "Computing Krippendorff's
alpha-reliability" (nominal); Gwet 2008 (AC1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, TypeVar

Category: TypeAlias = Hashable
Item = TypeVar("Item", bound=Hashable)
Tally: TypeAlias = Mapping[tuple[Category, ...], int]
"""The number of items that have each combination of ratings, one per annotator."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A value over ``n_items`` items, or the ``reason`` why there is none."""

    value: float | None
    n_items: int
    reason: str = ""


def tally(items: Iterable[Sequence[Category]]) -> Tally:
    """Return how often each combination of ratings occurs."""
    return Counter(map(tuple, items))


def ratings_by_item(
    ratings: Mapping[str, Mapping[Item, Category]],
) -> dict[Item, list[Category]]:
    """Return the labels of each item from what each annotator said.

    Annotators come in the order of ``ratings``; each may lack an item.
    """
    items: dict[Item, list[Category]] = {}
    for by_item in ratings.values():
        for item, label in by_item.items():
            items.setdefault(item, []).append(label)
    return items


def common_tally(
    first: Mapping[Item, Category], second: Mapping[Item, Category]
) -> Tally:
    """Return the confusion matrix of two annotators over their common items."""
    return tally(
        (label, second[item]) for item, label in first.items() if item in second
    )


def prevalence(tallied: Tally) -> dict[Category, float]:
    """Return each label's share of all ratings."""
    counted = _ratings(tallied)
    total = sum(counted.values())
    return {label: n / total for label, n in counted.items()}


def percent_agreement(tallied: Tally) -> Coefficient:
    """Return the share of items with two equal labels; undefined without items."""
    n = sum(tallied.values())
    if not n:
        return Coefficient(None, 0, "No item was judged by both annotators.")
    return Coefficient(_agreed(tallied) / n, n)


def cohen_kappa(tallied: Tally) -> Coefficient:
    """Return Cohen's unweighted kappa of two annotators' labels.

    (po - pe) / (1 - pe). Undefined without items, and where pe is 1: both
    annotators chose one and the same label throughout.
    """
    n = sum(tallied.values())
    if not n:
        return Coefficient(None, 0, "No item was judged by both annotators.")
    agreed = _agreed(tallied)
    margins: list[Counter[Category]] = [Counter(), Counter()]
    for labels, count in tallied.items():
        for margin, label in zip(margins, labels, strict=True):
            margin[label] += count
    expected = sum(count * margins[1][label] for label, count in margins[0].items())
    if expected == n * n:
        return Coefficient(None, n, _one_label(tallied))
    return Coefficient((agreed * n - expected) / (n * n - expected), n)


def pairwise_cohen_kappa(
    ratings: Mapping[str, Mapping[Item, Category]],
) -> dict[tuple[str, str], Coefficient]:
    """Return Cohen's kappa of every two annotators on their common items."""
    return {
        (first, second): cohen_kappa(common_tally(ratings[first], ratings[second]))
        for first, second in combinations(sorted(ratings), 2)
    }


def mean_of_defined(coefficients: Iterable[Coefficient]) -> Coefficient:
    """Return the mean of the defined values; ``n_items`` counts these values.

    Averaged pairwise kappas are no kappa of the group; show them under their name.
    """
    values = [c.value for c in coefficients if c.value is not None]
    if not values:
        return Coefficient(None, 0, "No two annotators have a defined kappa.")
    return Coefficient(sum(values) / len(values), len(values))


def fleiss_kappa(tallied: Tally) -> Coefficient:
    """Return Fleiss' kappa; the annotators may differ from item to item.

    Undefined unless every item has the same number of ratings, at least two, and
    where all ratings are one label.
    """
    n = sum(tallied.values())
    if not n:
        return Coefficient(None, 0, "There are no items.")
    sizes = set(map(len, tallied))
    if len(sizes) > 1:
        reason = (
            f"Items have {min(sizes)} to {max(sizes)} ratings; Fleiss' kappa needs "
            "the same number on each. Krippendorff's alpha allows for this."
        )
        return Coefficient(None, n, reason)
    raters = sizes.pop()
    if raters < 2:
        return Coefficient(None, n, "Every item was judged only once.")
    total = n * raters
    squares = sum(count * count for count in _ratings(tallied).values())
    if squares == total * total:
        return Coefficient(None, n, _one_label(tallied))
    agreeing = sum(count * _like_pairs(labels) for labels, count in tallied.items())
    observed = agreeing / (total * (raters - 1))
    expected = squares / (total * total)
    return Coefficient((observed - expected) / (1 - expected), n)


def krippendorff_alpha(tallied: Tally) -> Coefficient:
    """Return Krippendorff's alpha for nominal labels.

    Ratings may be missing; an item with fewer than two is left out. Undefined
    without a comparable item and where all ratings are one label. May be negative.
    """
    comparable = _comparable(tallied)
    n = sum(comparable.values())
    if not n:
        return Coefficient(None, 0, "No item was judged twice.")
    counted = _ratings(comparable)
    total = sum(counted.values())
    unlike = total * total - sum(count * count for count in counted.values())
    if not unlike:
        return Coefficient(None, n, _one_label(comparable))
    disagreeing = sum(
        count * (_pairs(labels) - _like_pairs(labels)) / (len(labels) - 1)
        for labels, count in comparable.items()
    )
    return Coefficient(1 - (total - 1) * disagreeing / unlike, n)


def gwet_ac1(tallied: Tally, n_categories: int | None = None) -> Coefficient:
    """Return Gwet's AC1, which stays sensible where one label prevails.

    Items with one rating count for the prevalence only. ``n_categories`` is the
    size of the label scheme, by default the number of labels that occur. Undefined
    without an item judged twice, and with a single category.
    """
    comparable = _comparable(tallied)
    n = sum(comparable.values())
    if not n:
        return Coefficient(None, 0, "No item was judged twice.")
    shares = _mean_shares(tallied)
    categories = max(len(shares), n_categories or 0)
    if categories < 2:
        return Coefficient(None, n, _one_label(comparable))
    agreeing = sum(
        count * _like_pairs(labels) / _pairs(labels)
        for labels, count in comparable.items()
    )
    chance = sum(share * (1 - share) for share in shares.values()) / (categories - 1)
    return Coefficient((agreeing / n - chance) / (1 - chance), n)


def _mean_shares(tallied: Tally) -> dict[Category, float]:
    """Return each label's share of an item's ratings, averaged over rated items."""
    rated = sum(count for labels, count in tallied.items() if labels)
    shares: dict[Category, float] = {}
    for labels, count in tallied.items():
        for label in labels:
            part = count / (len(labels) * rated)
            shares[label] = shares.get(label, 0.0) + part
    return shares


def _ratings(tallied: Tally) -> Counter[Category]:
    counted: Counter[Category] = Counter()
    for labels, count in tallied.items():
        for label in labels:
            counted[label] += count
    return counted


def _comparable(tallied: Tally) -> Tally:
    return {labels: count for labels, count in tallied.items() if len(labels) > 1}


def _agreed(tallied: Tally) -> int:
    return sum(count for labels, count in tallied.items() if len(set(labels)) == 1)


def _pairs(labels: Sequence[Category]) -> int:
    return len(labels) * (len(labels) - 1)


def _like_pairs(labels: Sequence[Category]) -> int:
    """Return the number of ordered pairs of ratings of one item that agree."""
    return sum(count * (count - 1) for count in Counter(labels).values())


def _one_label(tallied: Tally) -> str:
    (label,) = {label for labels in tallied for label in labels}
    n = sum(tallied.values())
    return (
        f"Only {label} was chosen, so that agreement by chance is certain and the "
        f"coefficient undefined. {n} of {n} items agree."
    )
