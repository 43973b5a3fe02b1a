"""Agreement is computed as its authors define it, and says why where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement import (
    Coefficient,
    Tally,
    cohen_kappa,
    common_tally,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    mean_of_defined,
    pairwise_cohen_kappa,
    percent_agreement,
    prevalence,
    ratings_by_item,
    tally,
)

Items = Sequence[Sequence[str]]
MEASURES: list[Callable[[Tally], Coefficient]] = [
    percent_agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    gwet_ac1,
]

# Two readers of 50 proposals: po = 0.7, pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
PROPOSALS: Tally = {
    ("yes", "yes"): 20,
    ("yes", "no"): 5,
    ("no", "yes"): 10,
    ("no", "no"): 15,
}
# Fleiss 1971 as commonly retold: 14 ratings of 10 items in 5 categories.
FLEISS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
# Krippendorff 2011, section C: four observers, twelve units, some not rated.
OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def units() -> list[list[str]]:
    return [[v for v in unit if v != "."] for unit in zip(*OBSERVERS, strict=True)]


def test_cohen_of_the_textbook_table() -> None:
    found = cohen_kappa(PROPOSALS)
    assert found.value == pytest.approx(0.4)
    assert found.n_items == 50


def test_percent_and_prevalence_of_the_textbook_table() -> None:
    assert percent_agreement(PROPOSALS) == Coefficient(0.7, 50)
    assert prevalence(PROPOSALS) == {"yes": 0.55, "no": 0.45}


def test_gwet_of_the_textbook_table() -> None:
    # Chance agreement is 0.55 * 0.45 + 0.45 * 0.55 = 0.495.
    assert gwet_ac1(PROPOSALS).value == pytest.approx((0.7 - 0.495) / 0.505)


def test_fleiss_of_the_textbook_table() -> None:
    items = [[str(c) for c, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    assert fleiss_kappa(tally(items)).value == pytest.approx(0.20993, abs=5e-6)


def test_krippendorff_of_his_own_example() -> None:
    found = krippendorff_alpha(tally(units()))
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.n_items == 11  # one unit has a single rating


def test_total_disagreement_of_three_is_below_zero() -> None:
    found = krippendorff_alpha(tally([["A", "B", "C"]] * 4))
    assert found.value == pytest.approx(-0.375)


def test_skewed_labels_give_a_low_kappa_and_a_high_ac1() -> None:
    skewed: Tally = {("S", "S"): 118, ("S", "C"): 5, ("C", "S"): 2}
    kappa, ac1 = cohen_kappa(skewed).value, gwet_ac1(skewed).value
    assert kappa is not None
    assert ac1 is not None
    assert kappa < 0 < 0.9 < ac1


def test_gwet_counts_the_labels_of_the_scheme_where_it_is_known() -> None:
    same: Tally = {("S", "S"): 42}
    assert gwet_ac1(same).value is None
    assert gwet_ac1(same, n_categories=3).value == 1.0


UNDEFINED = [
    # (measure, items, words of the reason)
    (cohen_kappa, [], "No item was judged by both"),
    (percent_agreement, [], "No item was judged by both"),
    (cohen_kappa, [["S", "S"]], "Only S was chosen"),
    (cohen_kappa, [["S", "S"]] * 42, "42 of 42 items agree"),
    (fleiss_kappa, [], "There are no items"),
    (fleiss_kappa, [["S"], ["C"]], "judged only once"),
    (fleiss_kappa, [["S", "S"], ["S", "C", "C"]], "2 to 3 ratings"),
    (fleiss_kappa, [["S", "S", "S"]] * 5, "5 of 5 items agree"),
    (krippendorff_alpha, [], "No item was judged twice"),
    (krippendorff_alpha, [["S"], ["C"]], "No item was judged twice"),
    (krippendorff_alpha, [["S", "S"], ["C"]], "Only S was chosen"),
    (gwet_ac1, [["S"]], "No item was judged twice"),
    (gwet_ac1, [["S", "S"]], "Only S was chosen"),
]


@pytest.mark.parametrize(("measure", "items", "reason"), UNDEFINED)
def test_an_undefined_value_says_why(
    measure: Callable[[Tally], Coefficient], items: Items, reason: str
) -> None:
    found = measure(tally(items))
    assert found.value is None
    assert reason in found.reason


def test_one_constant_annotator_gives_zero() -> None:
    found = cohen_kappa({("S", "S"): 3, ("S", "C"): 1})
    assert found == Coefficient(0.0, 4)


def test_pairs_are_compared_on_their_common_items() -> None:
    ratings = {
        "bo": {1: "S", 2: "C"},
        "al": {1: "S", 2: "C", 3: "S"},
        "cy": {4: "S"},
    }
    found = pairwise_cohen_kappa(ratings)
    assert found["al", "bo"] == Coefficient(1.0, 2)
    assert found["al", "cy"].n_items == 0
    assert mean_of_defined(found.values()) == Coefficient(1.0, 1)
    assert mean_of_defined([found["al", "cy"]]).value is None
    assert ratings_by_item(ratings) == {
        1: ["S", "S"],
        2: ["C", "C"],
        3: ["S"],
        4: ["S"],
    }
    assert common_tally(ratings["al"], ratings["bo"]) == {
        ("S", "S"): 1,
        ("C", "C"): 1,
    }


# The definitions written out over lists, as slow and plain as they stand in papers.


def plain_cohen(items: Items) -> float | None:
    n = len(items)
    labels = {label for item in items for label in item}
    observed = sum(a == b for a, b in items) / n
    expected = sum(
        sum(a == c for a, _ in items) / n * sum(b == c for _, b in items) / n
        for c in labels
    )
    return None if len(labels) == 1 else (observed - expected) / (1 - expected)


def plain_fleiss(items: Items) -> float | None:
    raters = len(items[0])
    labels = {label for item in items for label in item}
    if len(labels) == 1:
        return None
    agreeing = [
        sum(a == b for a, b in permutations(item, 2)) / (raters * (raters - 1))
        for item in items
    ]
    shares = [
        sum(label == c for item in items for label in item) / (len(items) * raters)
        for c in labels
    ]
    expected = sum(share**2 for share in shares)
    return (sum(agreeing) / len(items) - expected) / (1 - expected)


def plain_krippendorff(items: Items) -> float | None:
    items = [item for item in items if len(item) > 1]
    values = [label for item in items for label in item]
    if len(set(values)) < 2:
        return None
    observed = sum(
        sum(a != b for a, b in permutations(item, 2)) / (len(item) - 1)
        for item in items
    ) / len(values)
    expected = sum(a != b for a, b in permutations(values, 2)) / (
        len(values) * (len(values) - 1)
    )
    return 1 - observed / expected


def plain_gwet(items: Items) -> float | None:
    labels = {label for item in items for label in item}
    comparable = [item for item in items if len(item) > 1]
    if len(labels) < 2 or not comparable:
        return None
    observed = sum(
        sum(a == b for a, b in permutations(item, 2)) / (len(item) * (len(item) - 1))
        for item in comparable
    ) / len(comparable)
    shares = [
        sum(item.count(c) / len(item) for item in map(list, items)) / len(items)
        for c in labels
    ]
    expected = sum(s * (1 - s) for s in shares) / (len(labels) - 1)
    return (observed - expected) / (1 - expected)


LABEL = st.sampled_from("SCNM")
OF_TWO = st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=20)
OF_SOME = st.lists(st.lists(LABEL, min_size=1, max_size=5), min_size=1, max_size=15)
OF_EQUAL = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(LABEL, min_size=raters, max_size=raters), min_size=1, max_size=15
    )
)


@given(OF_TWO)
def test_cohen_equals_the_plain_definition(items: Items) -> None:
    assert cohen_kappa(tally(items)).value == pytest.approx(plain_cohen(items))


@given(OF_EQUAL)
def test_fleiss_equals_the_plain_definition(items: Items) -> None:
    assert fleiss_kappa(tally(items)).value == pytest.approx(plain_fleiss(items))


@given(OF_SOME)
def test_krippendorff_equals_the_plain_definition(items: Items) -> None:
    expected = plain_krippendorff(items)
    assert krippendorff_alpha(tally(items)).value == pytest.approx(expected)


@given(OF_SOME)
def test_gwet_equals_the_plain_definition(items: Items) -> None:
    assert gwet_ac1(tally(items)).value == pytest.approx(plain_gwet(items))


@given(OF_TWO, st.randoms())
def test_neither_the_order_of_items_nor_of_annotators_matters(
    items: list[tuple[str, str]], random: object
) -> None:
    shuffled = sorted(items, key=lambda _: random.random())  # type: ignore[attr-defined]
    swapped = [(b, a) for a, b in shuffled]
    for measure in MEASURES:
        before, after = measure(tally(items)), measure(tally(swapped))
        assert before.value == pytest.approx(after.value)
        assert before.n_items == after.n_items


@given(OF_TWO)
def test_no_coefficient_is_above_one(items: Items) -> None:
    for measure in MEASURES:
        value = measure(tally(items)).value
        assert value is None or value <= 1 + 1e-12
