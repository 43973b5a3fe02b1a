"""The way from one answer to the next, worked out by hand."""

from __future__ import annotations

from typing import Any

from annotation.version_changes import answer_changes

SENTENCES = ["One.", "Two.", "Three.", "Four."]


def _rationales(*groups: list[int]) -> list[dict[str, Any]]:
    return [{"sentences": group, "roles": []} for group in groups]


def _changed(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> list[tuple[int, str, str]]:
    changes = answer_changes(("SUPPORT", old), ("SUPPORT", new), SENTENCES)
    return [(c.number, c.before, c.after) for c in changes.sentences]


def test_the_same_answer_has_no_changes() -> None:
    old = ("SUPPORT", _rationales([0], [2]))
    assert answer_changes(old, old, SENTENCES).is_empty


def test_another_label_is_named_with_the_old_one() -> None:
    changes = answer_changes(("SUPPORT", []), ("CONTRADICT", []), SENTENCES)
    assert (changes.old_label, changes.new_label) == ("SUPPORT", "CONTRADICT")
    assert not changes.is_empty


def test_a_sentence_more_and_one_less() -> None:
    assert _changed(_rationales([0, 1]), _rationales([1, 3])) == [
        (1, "rationale 1", "none"),
        (4, "none", "rationale 1"),
    ]


def test_a_rationale_that_only_changed_its_number_is_the_same() -> None:
    assert _changed(_rationales([0], [2]), _rationales([2])) == [
        (1, "rationale 2", "none")
    ]
    assert _changed(_rationales([0], [2]), _rationales([2], [0])) == []


def test_a_sentence_can_move_between_rationales() -> None:
    assert _changed(_rationales([0, 1]), _rationales([0], [1])) == [
        (2, "rationale 1", "rationale 2")
    ]


def test_roles_are_named() -> None:
    old = [{"sentences": [0, 1], "roles": ["PRIMARY", "SUPPLEMENTARY"]}]
    new = [{"sentences": [0, 1], "roles": ["PRIMARY", "PRIMARY"]}]
    assert _changed(old, new) == [
        (2, "supplementary in rationale 1", "primary in rationale 1")
    ]
