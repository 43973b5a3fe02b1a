"""Keys and tags: unique, complete as soon as they are typed, and short."""

from __future__ import annotations

import pytest

from annotation.shortcuts import (
    DEFAULT_KEYS,
    check_keys,
    key_map,
    letters_of_actions,
    sentence_tags,
)


def test_the_usual_keys_are_sound_and_leave_22_letters() -> None:
    assert check_keys(DEFAULT_KEYS) == {}
    tags = sentence_tags(22, DEFAULT_KEYS)
    assert "".join(tags) == "abcdeghijklmopqrtvwxyz"


def test_the_letters_that_are_no_tags_are_those_of_the_actions() -> None:
    assert letters_of_actions(DEFAULT_KEYS) == ["F", "N", "S", "U"]
    keys = key_map({"flag": "+", "label_1": "a"})
    assert letters_of_actions(keys) == ["A", "N", "S", "U"]
    assert letters_of_actions({}) == []


@pytest.mark.parametrize("count", [0, 1, 20, 22, 23, 41, 43, 44, 100, 300, 484])
def test_no_tag_begins_another_one(count: int) -> None:
    tags = sentence_tags(count, DEFAULT_KEYS)
    assert len(tags) == len(set(tags)) == count
    assert not [(a, b) for a in tags for b in tags if a != b and b.startswith(a)]
    assert max((len(tag) for tag in tags), default=0) <= 2


def test_forty_one_sentences_have_21_tags_of_one_letter() -> None:
    tags = sentence_tags(41, DEFAULT_KEYS)
    assert [len(tag) for tag in tags] == [1] * 21 + [2] * 20
    assert tags[21:23] == ["za", "zb"]


def test_own_keys_take_letters_from_the_tags_and_give_others_back() -> None:
    keys = key_map({"label_1": "a", "undo": "+"})
    assert sentence_tags(2, keys) == ["b", "c"]
    assert "u" in sentence_tags(22, keys)


@pytest.mark.parametrize("key", ["", "ab", " ", "\n", "\x07"])
def test_a_key_is_one_visible_character(key: str) -> None:
    assert "undo" in check_keys({**DEFAULT_KEYS, "undo": key})


def test_two_actions_never_share_a_key() -> None:
    problems = check_keys({**DEFAULT_KEYS, "undo": "N"})
    assert set(problems) == {"undo", "next_rationale"}
    assert check_keys({"nonsense": "x"}).keys() == {"nonsense"}
