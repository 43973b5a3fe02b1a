"""Trigger words of negations: whole words, counted against the original."""

from __future__ import annotations

import doctest

import pytest

from annotation import negation_triggers
from annotation.negation_triggers import find_triggers, new_triggers, trigger_names


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(negation_triggers).failed == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Zinc does not shorten colds.", ["not"]),
        ("Zinc doesn't shorten colds.", ["not"]),
        ("Zinc doesn\u2019t shorten colds.", ["not"]),
        ("Zinc cannot shorten colds.", ["cannot"]),
        ("Zinc can not shorten colds; it can\u2019t.", ["cannot", "cannot"]),
        ("Zinc has no effect.", ["no"]),
        ("Zinc is NO longer used.", ["no longer"]),
        ("Zinc never helps, nor does iron.", ["never", "nor"]),
        ("Neither zinc nor iron helps.", ["neither", "nor"]),
        ("Zinc fails to help; it failed  to help.", ["fails to", "fails to"]),
        ("Failure of zinc to help.", ["fails to"]),
        ("A lack of zinc; zinc lacks effect.", ["lack of", "lack of"]),
        ("The absence of zinc.", ["absence of"]),
        ("Zinc is absent.", ["absence of"]),
        ("Mice without zinc are unable to run.", ["without", "unable to"]),
        ("None of them gained; nothing changed.", ["none", "nothing"]),
    ],
)
def test_triggers_are_found(text: str, names: list[str]) -> None:
    assert [trigger.name for trigger in find_triggers(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Notable knots are known in the north.",
        "Nocturnal nobles annotate.",
        "Protein No. 5 binds zinc.",
        "Heart failure is common; slacks and blacks.",
        "A nonetheless effective dose.",
        "Cannabis lowers pain.",
    ],
)
def test_other_words_are_none(text: str) -> None:
    assert find_triggers(text) == ()


def test_places_are_counted_in_code_points() -> None:
    text = "\U0001d6fd-catenin does not bind."
    (trigger,) = find_triggers(text)
    assert text[trigger.start : trigger.end] == "not"


@pytest.mark.parametrize(
    ("original", "negation", "names"),
    [
        ("Zinc helps.", "Zinc does not help.", ["not"]),
        ("Zinc does not help.", "Zinc helps.", []),
        ("Zinc does not help men.", "Zinc does not help women.", []),
        ("Zinc does not help.", "It is not true that zinc does not help.", ["not"]),
        ("Zinc has no effect.", "Zinc does not have an effect.", ["not"]),
        ("Zinc lowers pain.", "Zinc raises pain.", []),
    ],
)
def test_only_triggers_that_the_original_lacks_are_new(
    original: str, negation: str, names: list[str]
) -> None:
    assert [trigger.name for trigger in new_triggers(original, negation)] == names


def test_names_are_given_once() -> None:
    triggers = find_triggers("No tea, no coffee, not even water.")
    assert trigger_names(triggers) == ["no", "not"]
