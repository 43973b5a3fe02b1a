"""The checks of a claim: what each must catch, what it must leave alone, its rate."""

from __future__ import annotations

import json

import pytest

from annotation.claim_checks import ClaimWarning, check_claim, warnings_as_json
from annotation.claim_reasons import REASONS
from benchmarks.claim_checks import (
    MOST,
    claims_of_check_covid,
    claims_of_scifact,
    rates,
)
from tests.annotation.claim_check_cases import (
    CAUGHT,
    COPIED,
    IN_OWN_WORDS,
    NEAR_MISSES,
)
from tests.paths import shared_file

MAX_WORDS = 20


def _check(text: str, source: str = "") -> dict[str, ClaimWarning]:
    found = check_claim(text, source_text=source, max_words=MAX_WORDS)
    return {warning.code: warning for warning in found}


def _cases(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(code, text) for code, texts in table.items() for text in texts]


@pytest.mark.parametrize(("code", "text"), _cases(CAUGHT))
def test_a_check_catches_what_it_is_for(code: str, text: str) -> None:
    assert code in _check(text)


@pytest.mark.parametrize(("code", "text"), _cases(NEAR_MISSES))
def test_a_check_leaves_near_misses_alone(code: str, text: str) -> None:
    assert code not in _check(text)


@pytest.mark.parametrize(("text", "source"), COPIED)
def test_words_copied_from_the_source_are_seen(text: str, source: str) -> None:
    assert "copied" in _check(text, source)


@pytest.mark.parametrize(("text", "source"), IN_OWN_WORDS)
def test_own_words_are_not_taken_for_copied(text: str, source: str) -> None:
    assert "copied" not in _check(text, source)


def test_every_check_has_enough_cases() -> None:
    assert {*CAUGHT, "copied"} == {*NEAR_MISSES, "copied"} == set(REASONS)
    listed = [*CAUGHT.values(), *NEAR_MISSES.values()]
    assert min(len(COPIED), len(IN_OWN_WORDS), *map(len, listed)) >= 15


@pytest.mark.parametrize("code", REASONS)
def test_examples_show_the_check_and_its_cure(code: str) -> None:
    reason = REASONS[code]
    source = reason.example_bad if code == "copied" else ""
    assert code in _check(reason.example_bad, source)
    assert not _check(reason.example_good, source)


def test_each_reason_has_words_of_its_own() -> None:
    for field in ("title", "advice", "example_bad"):
        assert len({getattr(reason, field) for reason in REASONS.values()}) == 8


def test_a_warning_says_where() -> None:
    text = "🦇 Night shifts raise the risk of CVD."
    warning = _check(text)["acronym"]
    assert text[warning.start : warning.end] == "CVD"
    assert "cardiovascular disease" in warning.message


def test_the_source_says_what_an_abbreviation_stands_for() -> None:
    source = "Slow wave disorder (SWD) is rare in adults."
    assert "Slow wave disorder" in _check("Tea delays SWD.", source)["acronym"].message


def test_a_project_may_know_more_abbreviations() -> None:
    text = "Night shifts raise the risk of CVD."
    assert not check_claim(text, max_words=20, known_acronyms=frozenset({"CVD"}))


def test_the_number_of_words_is_said() -> None:
    message = _check(" ".join(["word"] * 23))["too_long"].message
    assert message.startswith("23 words; more than 20")


def test_a_claim_meant_word_for_word_is_checked_without_its_source() -> None:
    text, _ = COPIED[0]
    assert "copied" not in _check(text)


@pytest.mark.parametrize("text", ["", " ", "\n", "?", "<b>&", "and and", "𝔘𝔫𝔦", "…;…"])
def test_odd_texts_are_no_trouble(text: str) -> None:
    assert not _check(text, text)


@pytest.mark.parametrize(
    "unit", ["A", "1", "and ", "of 1 ", "AB ", "it ", "may ", "  "]
)
def test_long_nonsense_ends(unit: str) -> None:
    check_claim(unit * (2_000 // len(unit)), source_text=unit * 2_000, max_words=20)


def test_warnings_travel_as_json() -> None:
    text = "Night shifts may raise the risk of CVD."
    found = check_claim(text, max_words=20)
    rows = json.loads(json.dumps(warnings_as_json(text, found)))
    assert [(row["code"], row["excerpt"]) for row in rows] == [
        ("acronym", "CVD"),
        ("hedge", "may raise"),
    ]
    assert rows[0]["title"] == "Abbreviation not written out"


@pytest.mark.parametrize("code", REASONS)
def test_published_claims_are_rarely_warned_of(code: str) -> None:
    """At most one claim in twenty of SciFact train+dev and composed Check-COVID."""
    scifact = claims_of_scifact(shared_file("data/scifact"))
    check_covid = claims_of_check_covid(shared_file("data/check-covid"))
    assert len(scifact) == 1_109
    assert len(check_covid) == 1_182
    for claims in (scifact, check_covid, list(dict.fromkeys(check_covid))):
        assert rates(claims)[code] <= MOST * len(claims)
