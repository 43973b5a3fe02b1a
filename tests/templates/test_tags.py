"""Badges and figures as templates show them."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from lxml import html

from annotation.protocols import LabelChoice
from corpus.records import Label


def render(source: str, **context: object) -> str:
    """Render a template text that has our tags loaded."""
    return Template("{% load claimdesk %}" + source).render(Context(context)).strip()


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        (Label.SUPPORT, "✓SUPPORT"),
        (Label.CONTRADICT, "✕CONTRADICT"),
        (Label.NOT_ENOUGH_INFO, "?NOT ENOUGH INFO"),
        (Label.MIXED, "±MIXED"),
    ],
)
def test_a_label_has_icon_and_word(label: Label, shown: str) -> None:
    badge = html.fromstring(render("{% label_badge label %}", label=label.value))
    assert badge.text_content() == shown


def test_a_label_can_carry_the_word_of_the_project() -> None:
    badge = html.fromstring(render("{% label_badge 'CONTRADICT' 'REFUTES' %}"))
    assert badge.text_content() == "✕REFUTES"


def test_the_word_of_a_label_is_found_in_the_scheme_of_the_project() -> None:
    labels = (LabelChoice(Label.SUPPORT, "ENTAIL"), LabelChoice(Label.MIXED, "BOTH"))
    assert render("{{ labels|word_of:'MIXED' }}", labels=labels) == "BOTH"
    assert render("{{ labels|word_of:'CONTRADICT' }}", labels=labels) == ""


def test_an_unknown_label_is_a_fault_and_not_a_grey_badge() -> None:
    with pytest.raises(ValueError, match="MAYBE"):
        render("{% label_badge 'MAYBE' %}")


@pytest.mark.parametrize(
    ("state", "tone", "shown"),
    [
        ("approved", "good", "✓approved"),
        ("changes_requested", "warn", "!changes requested"),
        ("failed", "bad", "✕failed"),
        ("draft", "plain", "•draft"),
    ],
)
def test_a_state_has_icon_and_word(state: str, tone: str, shown: str) -> None:
    badge = html.fromstring(render("{% state_badge state %}", state=state))
    assert badge.text_content() == shown
    assert f"cd-state-{tone}" in badge.get("class")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (5183, "5\u202f183"),
        (1234567, "1\u202f234\u202f567"),
        (-1200, "-1\u202f200"),
        (1234.5, "1\u202f234.5"),
        (None, ""),
    ],
)
def test_numbers_are_grouped_in_threes(value: float | None, shown: str) -> None:
    assert render("{{ value|number }}", value=value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "1 s"),
        (42, "42 s"),
        (95, "2 min"),
        (5399, "90 min"),
        (5400, "1.5 h"),
        (None, ""),
    ],
)
def test_a_time_left_is_rough(seconds: float | None, shown: str) -> None:
    assert render("{{ value|duration }}", value=seconds) == shown
