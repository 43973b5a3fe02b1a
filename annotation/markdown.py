"""Guidelines and consent texts as safe HTML. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

TEXT_TAGS = {"blockquote", "br", "code", "em", "hr", "p", "pre", "s", "strong"}
BLOCK_TAGS = {"a", "h2", "h3", "h4", "h5", "h6", "li", "ol", "ul"}
TABLE_TAGS = {"table", "tbody", "td", "th", "thead", "tr"}
HEADINGS = ("h2", "h3", "h4", "h5", "h6")
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
DEEPEST_HEADING = 6

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text, and the id that leads to it."""

    anchor: str
    text: str
    level: int


def render_markdown(text: str) -> str:
    """Return Markdown as HTML that is safe to show to everybody.

    Raw HTML is shown as text, and only plain formatting, tables and links to web
    and mail addresses come through. Headings start at the second level: the page
    around the text has the first. Images are left out, since they would tell a
    foreign server who reads.
    """
    return _safe(_parsed(text))


def render_with_headings(text: str, prefix: str) -> tuple[str, list[Heading]]:
    """Return the same HTML with an id at each heading, and the headings in order.

    The ids are ``prefix`` and a number: what a heading says is in none of them.
    """
    tokens = _parsed(text)
    headings = []
    for number, (opening, words) in enumerate(_headings(tokens), start=1):
        anchor = f"{prefix}-{number}"
        opening.attrSet("id", anchor)
        headings.append(Heading(anchor, words, int(opening.tag[1])))
    return _safe(tokens, {name: {"id"} for name in HEADINGS}), headings


def _parsed(text: str) -> list[Token]:
    tokens = _parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = min(int(token.tag[1]) + 1, DEEPEST_HEADING)
            token.tag = f"h{level}"
    return tokens


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Each heading's first token with its words; none for one without any."""
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        parts = (child.content for child in inside.children or ())
        if words := "".join(parts).strip():
            yield token, words


def _safe(tokens: Sequence[Token], also: dict[str, set[str]] | None = None) -> str:
    html = _parser.renderer.render(tokens, _parser.options, {})
    return nh3.clean(
        html,
        tags=TEXT_TAGS | BLOCK_TAGS | TABLE_TAGS,
        attributes=ATTRIBUTES | (also or {}),
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
