"""Cells go out safe for spreadsheets, and come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.study_cells import from_cell, to_cell

ODD = st.text(alphabet="=+-@'\t\r\na 1", max_size=8)


@given(st.one_of(ODD, st.text(max_size=20)))
def test_every_text_comes_back(text: str) -> None:
    assert from_cell(to_cell(text)) == text


@given(ODD)
def test_no_cell_starts_a_formula(text: str) -> None:
    assert not to_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("-3 points", "'-3 points"),
        ("'=1", "''=1"),
        ("''s", "'''s"),
        ("'t Hart", "'t Hart"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_only_what_a_spreadsheet_would_run_is_marked(text: str, cell: str) -> None:
    assert to_cell(text) == cell
