"""Markdown becomes plain formatting, and nothing that could act."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from annotation.markdown import Heading, render_markdown, render_with_headings


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Read **all** of it.", "<p>Read <strong>all</strong> of it.</p>\n"),
        # The page around the text has the first level.
        ("# Rules", "<h2>Rules</h2>\n"),
        ("###### Deep", "<h6>Deep</h6>\n"),
        ("3. third", '<ol start="3">\n<li>third</li>\n</ol>\n'),
        ("a < b & c", "<p>a &lt; b &amp; c</p>\n"),
        ("P<5x10-8", "<p>P&lt;5x10-8</p>\n"),
    ],
)
def test_formatting(text: str, html: str) -> None:
    assert render_markdown(text) == html


def test_headings_can_be_led_to_by_ids_of_our_own() -> None:
    text = "# Rules\n\n#\n\n## Verify *all* <b id=x>\n\nText\n\nOld\n---\n"
    html, headings = render_with_headings(text, "part")

    assert headings == [
        Heading("part-1", "Rules", 2),
        Heading("part-2", "Verify all <b id=x>", 3),
        Heading("part-3", "Old", 3),
    ]
    assert '<h2 id="part-1">Rules</h2>' in html
    assert '<h3 id="part-2">Verify <em>all</em> &lt;b id=x&gt;</h3>' in html
    assert "id=" not in render_markdown(text).replace("&lt;b id=x&gt;", "")
    assert render_with_headings("No heading.", "part")[1] == []


def test_links_lead_out_without_telling_who_asks() -> None:
    html = render_markdown("[rules](https://example.org/a?b=1&c=2)")

    assert 'href="https://example.org/a?b=1&amp;c=2"' in html
    assert 'rel="noopener noreferrer nofollow"' in html


def test_tables() -> None:
    html = render_markdown("| label | when |\n|---|---|\n| SUPPORT | proven |\n")

    assert "<th>label</th>" in html
    assert "<td>proven</td>" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://tracker.example/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](JaVaScRiPt:alert(1))",
        "<a href='javascript:alert(1)'>x</a>",
        "[x](<java\nscript:alert(1)>)",
        '[x](https://example.org "\\" onmouseover=alert(1) x=\\"")',
        "<svg/onload=alert(1)>",
        "<style>body{display:none}</style>",
        '```"><script>alert(1)</script>\ncode\n```',
    ],
)
def test_nothing_in_a_text_can_act(text: str) -> None:
    page = Parsed(render_markdown(text))

    assert not page.tags & {"script", "img", "svg", "style", "iframe"}
    assert page.attributes <= {"href", "title", "rel", "start"}
    assert all(link.startswith(("https:", "mailto:")) for link in page.links)


class Parsed(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
