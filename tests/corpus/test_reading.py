"""Sentences with their rationales, and word diffs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.reading import Change, Mark, mark_sentences, word_diff
from corpus.records import Rationale, SentenceRole

PRIMARY, SUPPLEMENTARY = SentenceRole.PRIMARY, SentenceRole.SUPPLEMENTARY


def test_sentences_and_rationales_are_counted_from_one() -> None:
    first, second, third = mark_sentences(
        ["a", "b", "c"], [Rationale((2,)), Rationale((0, 2))]
    )
    assert (first.number, first.text, first.marks) == (1, "a", (Mark(2),))
    assert second.marks == ()
    assert third.marks == (Mark(1), Mark(2))


def test_a_sentence_that_only_helps_is_told_from_one_that_decides() -> None:
    sentences = mark_sentences(
        ["a", "b", "c"],
        [
            Rationale((0, 1), (PRIMARY, SUPPLEMENTARY)),
            Rationale((0,), (SUPPLEMENTARY,)),
        ],
    )
    only_helps = [sentence.is_only_supplementary for sentence in sentences]
    assert only_helps == [False, True, False]


def test_a_sentence_named_twice_by_one_rationale_is_marked_once() -> None:
    (sentence,) = mark_sentences(["a"], [Rationale((0, 0))])
    assert sentence.marks == (Mark(1),)


@pytest.mark.parametrize("index", [-1, 2])
def test_a_rationale_outside_the_abstract_is_a_fault(index: int) -> None:
    with pytest.raises(IndexError, match=f"rationale 1 names sentence {index}"):
        mark_sentences(["a", "b"], [Rationale((index,))])


def test_a_diff_is_in_whole_words() -> None:
    assert word_diff("A nap improves recall.", "A nap impairs recall.") == [
        Change("equal", "A nap "),
        Change("delete", "improves"),
        Change("insert", "impairs"),
        Change("equal", " recall."),
    ]


@given(st.text(), st.text())
def test_a_diff_keeps_both_texts_exactly(before: str, after: str) -> None:
    changes = word_diff(before, after)
    old = "".join(c.text for c in changes if c.kind in {"equal", "delete"})
    new = "".join(c.text for c in changes if c.kind in {"equal", "insert"})
    assert (old, new) == (before, after)
