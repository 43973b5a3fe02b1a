"""The colours of the site: readable in both themes, computed as WCAG 2 says."""

from __future__ import annotations

import re

import pytest

from tests.paths import REPO

TOKENS = (REPO / "static/css/tokens.css").read_text(encoding="utf-8")
TEXT, FRAME = 4.5, 3.0
LABELS = ["support", "contradict", "nei", "mixed"]
TONES = ["good", "warn", "bad"]
GROUNDS = ["page", "surface", "sunken"]
PAIRS = [
    *[
        (text, ground, TEXT)
        for text in ("text", "muted", "accent")
        for ground in GROUNDS
    ],
    *[("text", f"{tone}-soft", TEXT) for tone in [*TONES, "accent"]],
    ("muted", "accent-soft", TEXT),
    ("accent", "accent-soft", TEXT),
    ("accent-text", "accent", TEXT),
    ("accent-text", "accent-hover", TEXT),
    ("accent-hover", "surface", TEXT),
    *[(name, f"{name}-soft", TEXT) for name in [*LABELS, *TONES]],
    *[(name, ground, TEXT) for name in [*LABELS, *TONES] for ground in GROUNDS],
    *[("line-strong", ground, FRAME) for ground in GROUNDS],
]


def colours(theme: str) -> dict[str, str]:
    """Return the colours that the style sheet gives to a theme."""
    block = re.search(rf'\[data-bs-theme="{theme}"\] \{{(.*?)\}}', TOKENS, re.DOTALL)
    assert block
    return dict(re.findall(r"--cd-([a-z-]+): (#[0-9a-f]{6});", block[1]))


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_in_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # The lightest grey that passes 4.5:1 on white, known from WCAG tutorials.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_pair_of_colours_has_enough_contrast(theme: str) -> None:
    palette = colours(theme)
    low = {
        (front, ground): round(contrast(palette[front], palette[ground]), 2)
        for front, ground, least in PAIRS
        if contrast(palette[front], palette[ground]) < least
    }
    assert low == {}


def test_both_themes_define_the_same_colours() -> None:
    assert colours("light").keys() == colours("dark").keys()


def test_only_the_token_sheet_names_colours() -> None:
    allowed = {"#ffffff"}  # the ground of a QR code
    for sheet in ("claimdesk.css", "parts.css"):
        css = (REPO / "static/css" / sheet).read_text(encoding="utf-8")
        assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b(?!')", css)) <= allowed
