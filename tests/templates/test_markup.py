"""What no template may contain: the policy of the site would switch it off."""

from __future__ import annotations

import re

import pytest

from tests.paths import REPO

TEMPLATES = sorted((REPO / "templates").rglob("*.html"))
FORBIDDEN = {
    "an inline style": r"\sstyle=|<style",
    "an inline handler": r"\son[a-z]+=|\shx-on",
    "an inline script": r"<script(?![^>]*\ssrc=)",
    "something of another site": r"(?:src|href)=[\"']https?://",
    "unescaped text": r"\|safe\b|autoescape off|mark_safe",
}
# Django writes help texts as HTML (its password rules are a list); ours come from
# code, never from people. The report of a batch is a file for people to keep, which
# must need nothing else; it is never shown as a page of the site.
ALLOWED = {
    ("parts/_field_notes.html", "unescaped text"),
    ("verification/batch_report.html", "an inline style"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_contains(what: str) -> None:
    found = {
        path.relative_to(REPO / "templates").as_posix()
        for path in TEMPLATES
        if re.search(FORBIDDEN[what], path.read_text(encoding="utf-8"))
    }
    assert found <= {name for name, allowed in ALLOWED if allowed == what}
