"""BibTeX and LaTeX with names that people may write."""

from __future__ import annotations

import re
import string

import pytest

from verification.citing import Citation, bibtex, latex, latex_row

HOSTILE = r"""}\input{/etc/passwd}%$ \write18{rm -rf ~} {{ "a" & #1_^| <b> @misc{x,"""


def _citation(**about: str) -> Citation:
    values = {
        "key": "moss-and-rain-a_b",
        "system": "Moss 2",
        "by": "Fern and Moss lab",
        "benchmark": "Moss & rain",
        "phase": "Test",
        "url": "https://site.example/submissions/a_b-c/",
        "signature": "task:scifact_pipeline|claims:12|scorer:1.0",
    }
    return Citation(**(values | about), year=2026)


def test_an_entry_as_bibtex() -> None:
    assert bibtex(_citation()) == "\n".join(
        [
            "@misc{moss-and-rain-a-b,",
            "  author = {{Fern and Moss lab}},",
            r"  title = {{Moss 2: entry on Moss \& rain, Test}},",
            "  year = {2026},",
            "  howpublished = {Claimdesk},",
            "  url = {https://site.example/submissions/a_b-c/},",
            r"  note = {task:scifact\_pipeline\textbar{}claims:12"
            r"\textbar{}scorer:1.0},",
            "}",
        ]
    )


def test_what_is_not_told_has_no_field() -> None:
    text = bibtex(_citation(by="", signature=""))
    assert "author" not in text
    assert "note" not in text


def test_a_table_row_ends_with_the_signature_as_a_comment() -> None:
    row = latex_row("Moss_2 & co", ["66.7", "60.1–72.2"], "task:x|\nclaims:12\r%")
    assert row == r"Moss\_2 \& co & 66.7 & 60.1–72.2 \\ % task:x| claims:12 %"
    assert latex_row("M", ["–"], "") == r"M & – \\"


def test_every_special_character_is_escaped() -> None:
    """As the manual of LaTeX names them, and those that other encodings change."""
    assert latex("\\{}$&#^_%~") == (
        r"\textbackslash{}\textbraceleft{}\textbraceright{}\$\&\#"
        r"\textasciicircum{}\_\%\textasciitilde{}"
    )
    assert latex("a\n\n\tb\x00\x1b\u202e\u2028c") == "a b c"
    plain = string.ascii_letters + string.digits + " .,:;!?()[]*/+-=@'é漢"
    assert latex(plain) == plain.strip()


@pytest.mark.parametrize("field", ["system", "by", "benchmark", "phase", "url", "key"])
def test_hostile_text_neither_ends_a_field_nor_runs_a_command(field: str) -> None:
    text = bibtex(_citation(**{field: HOSTILE}))
    assert text.count("\n") == 7
    assert _unbalanced(text) == 0
    commands = set(re.findall(r"\\([a-zA-Z]+)", text))
    assert commands <= {
        "textbackslash",
        "textbraceleft",
        "textbraceright",
        "textasciitilde",
        "textasciicircum",
        "textless",
        "textgreater",
        "textbar",
        "char",
    }
    # One entry: every line but the first and the last is a whole field.
    assert all(re.fullmatch(r"  \w+ = \{.*\},", x) for x in text.split("\n")[1:-1])


def _unbalanced(text: str) -> int:
    """How BibTeX counts: every brace, whatever stands before it."""
    depth = 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    return depth


def test_a_hostile_row_stays_a_row() -> None:
    row = latex_row(HOSTILE, [HOSTILE], "a")
    assert row.endswith(r"\\ % a")
    assert "\n" not in row
    body = row.removesuffix(r" \\ % a")
    assert len(re.findall(r"(?<!\\)&", body)) == 1
    assert not re.search(r"(?<!\\)[%$#_]", body)
