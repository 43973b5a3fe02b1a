"""Original and negation in pieces that add up to their texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.negation_diff import Piece, compare

WORDS = st.lists(
    st.sampled_from(["tea", "not", "eases", "no", "pain", "never", "𝛽", "—", "can't"])
).map(" ".join)


def test_both_sides_show_what_changed() -> None:
    comparison = compare("Tea lowers pain.", "Tea raises pain.")
    assert comparison.original == (
        Piece("equal", "Tea "),
        Piece("delete", "lowers"),
        Piece("equal", " pain."),
    )
    assert comparison.negation == (
        Piece("equal", "Tea "),
        Piece("insert", "raises"),
        Piece("equal", " pain."),
    )
    assert (comparison.triggers, comparison.is_same) == ((), False)


def test_a_new_trigger_is_cut_out_of_its_stretch() -> None:
    comparison = compare("Tea eases pain.", "Tea does not ease pain.")
    assert comparison.triggers == ("not",)
    flagged = [piece for piece in comparison.negation if piece.is_trigger]
    assert [(piece.kind, piece.text) for piece in flagged] == [("insert", "not")]


def test_a_trigger_of_both_is_not_flagged() -> None:
    comparison = compare("Tea does not ease pain.", "Tea does not ease fever.")
    assert comparison.triggers == ()
    assert not any(piece.is_trigger for piece in comparison.negation)


def test_nothing_has_changed_yet() -> None:
    assert compare("Tea eases pain.", "Tea eases pain.").is_same


@pytest.mark.parametrize("text", ["", "Tea."])
def test_empty_texts_have_no_empty_pieces(text: str) -> None:
    comparison = compare(text, "")
    pieces = (*comparison.original, *comparison.negation)
    assert all(piece.text for piece in pieces)


@given(WORDS, WORDS)
def test_the_pieces_add_up_to_the_texts(original: str, negation: str) -> None:
    comparison = compare(original, negation)
    assert "".join(piece.text for piece in comparison.original) == original
    assert "".join(piece.text for piece in comparison.negation) == negation
    has_flag = any(piece.is_trigger for piece in comparison.negation)
    assert has_flag == bool(comparison.triggers)
