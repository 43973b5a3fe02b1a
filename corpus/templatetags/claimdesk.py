"""Small filters and tags for templates: badges, figures and times left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django import template

from corpus.records import Label

register = template.Library()

THIN_SPACE = "\u202f"  # narrow and unbreakable


@dataclass(frozen=True, slots=True)
class LabelLook:
    """How one label looks: never by colour alone."""

    icon: str
    word: str
    css: str


LABEL_LOOKS = {
    Label.SUPPORT: LabelLook("✓", "SUPPORT", "support"),
    Label.CONTRADICT: LabelLook("✕", "CONTRADICT", "contradict"),
    Label.NOT_ENOUGH_INFO: LabelLook("?", "NOT ENOUGH INFO", "not-enough-info"),
    Label.MIXED: LabelLook("±", "MIXED", "mixed"),
}

# Tone, icon and the states that have it; a state that is not listed looks plain.
STATE_TONES = (
    (
        "good",
        "✓",
        "adjudicated approve approved done fix_and_approve imported trusted upheld",
    ),
    ("active", "▸", "judged open running submitted unreviewed"),
    (
        "warn",
        "!",
        "changes_requested disputed probation quiz request_changes skipped warning",
    ),
    ("bad", "✕", "error failed overruled reject rejected suspended"),
)
STATE_LOOKS = {
    state: (tone, icon)
    for tone, icon, states in STATE_TONES
    for state in states.split()
}


@register.inclusion_tag("parts/_label.html")
def label_badge(label: str, word: str = "") -> dict[str, Any]:
    """Show a label with icon, word and colour.

    ``word`` is what the project calls the label; without it, our own word.
    """
    look = LABEL_LOOKS[Label(label)]
    return {"icon": look.icon, "word": word or look.word, "css": look.css}


@register.filter
def word_of(labels: Iterable[Any], label: str) -> str:
    """Return what a project calls a label; nothing if it does not offer it."""
    return next((choice.word for choice in labels if choice.label == label), "")


@register.inclusion_tag("parts/_state.html")
def state_badge(state: str, word: str = "") -> dict[str, Any]:
    """Show a state with icon and word; the colour groups states by their tone."""
    tone, icon = STATE_LOOKS.get(state, ("plain", "•"))
    return {"tone": tone, "icon": icon, "word": word or state.replace("_", " ")}


@register.filter
def number(value: float | int | None) -> str:
    """Write a number with narrow spaces between thousands; nothing for ``None``.

    Whole numbers stay whole. Other numbers keep the digits that they have: round
    them before, where it is known how many of them mean something.
    """
    if value is None:
        return ""
    return f"{value:,}".replace(",", THIN_SPACE)


@register.filter
def words(code: str) -> str:
    """Write a code such as ``fix_and_approve`` as words."""
    return code.replace("_", " ")


@register.filter
def item(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return what a mapping holds for a key; nothing if it does not have it."""
    return mapping.get(key, "")


@register.filter
def doi_url(doi: str) -> str:
    """Return the address that a DOI leads to; whatever it holds, on that site."""
    return f"https://doi.org/{quote(doi)}"


@register.filter
def duration(seconds: float | int | None) -> str:
    """Write a time left roughly, in the largest unit that says enough."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


@register.filter
def hours(seconds: int | None) -> str:
    """Write working time in hours and whole minutes, such as 5 h 42 min."""
    if seconds is None:
        return ""
    whole, minutes = divmod(seconds // 60, 60)
    if whole:
        return f"{whole}{THIN_SPACE}h {minutes}{THIN_SPACE}min"
    return f"{minutes}{THIN_SPACE}min"
