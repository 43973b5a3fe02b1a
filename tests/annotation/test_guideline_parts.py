"""The part of a guideline that somebody who verifies looks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.guideline_parts import verifying_part
from annotation.markdown import render_with_headings

DEMO = Path("annotation/demo/guidelines")


def _part(text: str) -> str | None:
    found = verifying_part(render_with_headings(text, "part")[1])
    return found.text if found else None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            "# Our rules\n## Write claims\n## Verifying pairs\n## Labels",
            "Verifying pairs",
        ),
        ("## Write\n## Mark the evidence\n## Labels", "Mark the evidence"),
        # The title is about everything.
        ("# Write and verify claims\n## Write\n## Judgements", "Judgements"),
        # A text with one heading has no title above it.
        ("# How to verify\nRead.", "How to verify"),
        ("# Verify\n# Write", "Verify"),
        # Nothing fits: the text is read from its beginning.
        ("# Rules\n## Unlabelled data\n## Write", None),
        ("Read all of it.", None),
        ("", None),
    ],
)
def test_the_first_heading_about_verifying(text: str, part: str | None) -> None:
    assert _part(text) == part


def test_the_guidelines_of_the_demo_have_such_a_part() -> None:
    parts = {
        path.stem: _part(path.read_text(encoding="utf-8"))
        for path in DEMO.glob("*.md")
        if path.stem != "consent"
    }
    assert set(parts.values()) == {"Verify", "Mark the evidence", "Label a study"}
