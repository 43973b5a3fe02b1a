"""The normal forms, keys and tokens of texts."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.text import (
    bad_character,
    content_hash,
    content_key,
    csv_safe,
    doi_of,
    normalise,
    normalise_newlines,
    row_key,
    search_tokens,
    shorten,
    text_key,
)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("IL-6", "il-6"),
        ("\ufb01brosis", "fibrosis"),  # a ligature
        ("Stra\u00dfe", "strasse"),
        ("a\u00a0\u2009 b\r\n", "a b"),
        ("\U0001d6fd-catenin", "\u03b2-catenin"),  # mathematical beta
        ("e\u0301", "\u00e9"),
        ("", ""),
    ],
)
def test_the_normal_form_is_what_a_reader_would_call_the_same(
    text: str, normal: str
) -> None:
    assert normalise(text) == normal


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\nb", "a\nb"), ("\r\r\n", "\n\n")],
)
def test_every_line_end_becomes_lf(text: str, expected: str) -> None:
    assert normalise_newlines(text) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain \U0001f4a9", None),
        ("ab\x00", (2, "a NUL character (U+0000)")),
        ("\ud83d", (0, "a lone surrogate (U+D83D)")),
    ],
)
def test_characters_that_cannot_be_stored_are_found(
    text: str, found: tuple[int, str] | None
) -> None:
    assert bad_character(text) == found


def test_tokens_are_runs_of_letters_and_digits_in_order_with_repeats() -> None:
    assert search_tokens("TNF-α and tnf_α2, p<0.05!") == [
        *("tnf", "α", "and", "tnf", "α2", "p", "0", "05"),
    ]
    assert search_tokens("…!?") == []
    assert search_tokens("IL-6は高値") == ["il", "6", "は", "高", "値"]


ASCII = st.text(st.characters(max_codepoint=127))


@given(ASCII)
def test_plain_text_takes_a_short_way_to_the_same_result(text: str) -> None:
    # Beside an umlaut nothing of the short way is taken.
    assert normalise(f"{text} ü") == f"{normalise(text)} ü".lstrip()
    assert search_tokens(f"{text} ü") == [*search_tokens(text), "ü"]
    assert search_tokens(text) == re.findall("[a-z0-9]+", text.lower())


def test_a_text_key_forgets_case_and_spacing_but_not_borders() -> None:
    assert text_key("A  b", "C") == text_key("a b", "c")
    assert text_key("ab", "c") != text_key("a", "bc")


def test_a_content_hash_tells_every_different_content_apart() -> None:
    contents = [
        ("T", ["a", "b"], None),
        ("T", ["ab"], None),
        ("T", ["a", "b"], ["", " ", ""]),
        ("T", ["a", "b"], ["", "  ", ""]),
        ("t", ["a", "b"], None),
        ("", ["T", "a", "b"], None),
    ]
    assert len({content_hash(*content) for content in contents}) == len(contents)


@pytest.mark.parametrize("start", list("=+-@\t\r"))
def test_formula_starts_are_neutralised(start: str) -> None:
    assert csv_safe(f"{start}1+1") == f"'{start}1+1"
    assert csv_safe(f"1{start}") == f"1{start}"


def test_long_text_ends_in_an_ellipsis_within_the_limit() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_a_content_key_is_the_start_of_a_sha256_of_the_joined_texts() -> None:
    expected = sha256("é\0b".encode()).hexdigest()[:16]
    assert content_key("é", "b") == expected


def test_the_place_of_a_cut_between_texts_matters() -> None:
    assert (
        len({content_key("ab", "c"), content_key("a", "bc"), content_key("abc")}) == 3
    )


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://doi.org/10.1234/Ab.c(1)", "10.1234/Ab.c(1)"),
        ("http://dx.doi.org/10.1234/x", "10.1234/x"),
        ("HTTPS://DOI.ORG/10.1234/x ", "10.1234/x"),
        ("10.1234/x", "10.1234/x"),
        ("doi: 10.1234/x", "10.1234/x"),
        ("https://example.org/doi/abs/10.1234/x", ""),
        ("https://doi.org/", ""),
        ("10.1234", ""),
        ("10.1234/x y", ""),
        ("", ""),
    ],
)
def test_a_doi_is_taken_from_doi_addresses_only(url: str, doi: str) -> None:
    assert doi_of(url) == doi


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("7", 7),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, None),
        ("", None),
        (None, None),
        ("-1", None),
        ("1.0", None),
        ("\u0663", None),
        ("\u00b2", None),
    ],
)
def test_a_key_from_outside_is_a_number_that_fits_its_column(
    text: str | None, key: int | None
) -> None:
    assert row_key(text) == key
