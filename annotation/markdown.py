"""Guidelines and consent texts as safe HTML. Pure."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

TEXT_TAGS = {"blockquote", "br", "code", "em", "hr", "p", "pre", "s", "strong"}
BLOCK_TAGS = {"a", "h2", "h3", "h4", "h5", "h6", "li", "ol", "ul"}
TABLE_TAGS = {"table", "tbody", "td", "th", "thead", "tr"}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
DEEPEST_HEADING = 6

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def render_markdown(text: str) -> str:
    """Return Markdown as HTML that is safe to show to everybody.

    Raw HTML is shown as text, and only plain formatting, tables and links to web
    and mail addresses come through. Headings start at the second level: the page
    around the text has the first. Images are left out, since they would tell a
    foreign server who reads.
    """
    tokens = _parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = min(int(token.tag[1]) + 1, DEEPEST_HEADING)
            token.tag = f"h{level}"
    html = _parser.renderer.render(tokens, _parser.options, {})
    return nh3.clean(
        html,
        tags=TEXT_TAGS | BLOCK_TAGS | TABLE_TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
