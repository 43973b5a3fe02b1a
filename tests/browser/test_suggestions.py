"""Suggestions of a model on the page that verifies pairs, in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgement, SuggestionOffer
from tests.accessibility import assert_accessible
from tests.annotation.suggestions import settle, suggest
from tests.browser.people import at_work
from tests.browser.verifying import (
    TWENTY,
    expect_claim,
    listbox,
    make_pairs,
    open_first,
    press,
    rationales,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CANARY = "Zanthoxylum"
VALUES = {"sentences": [2, 4], "scores": [0.1, 0.1, 0.91, 0.2, 0.77] + [0.1] * 15}


def test_two_keys_accept_a_suggestion(
    live_server: LiveServer, browser: Browser
) -> None:
    team, pairs = make_pairs(TWENTY, TWENTY)
    settle(team, suggestion_policy="always")
    for pair in pairs:
        suggest(pair, **VALUES)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        expect(page.locator("[data-suggestion-words]")).to_be_visible()
        press(page, "0 Enter")
        expect_claim(page, 2)
        page.get_by_role("button", name="Take the sentences").click()
        expect(listbox(page)).to_be_focused()
        press(page, "2 Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    first, second = Judgement.objects.order_by("id")
    assert (first.label, rationales(first)) == ("SUPPORT", [[2, 4]])
    assert (first.suggestion_arm, first.suggestion_taken) == ("always", "all")
    assert (second.label, rationales(second)) == ("CONTRADICT", [[2, 4]])
    assert second.suggestion_taken == "sentences"


def test_it_comes_after_the_first_choice_and_can_be_put_back(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair,) = make_pairs(TWENTY)
    settle(team)
    suggest(pair, system=CANARY, **VALUES)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "a")
        assert CANARY not in page.content()
        press(page, "2")
        expect(page.get_by_text(CANARY)).to_be_visible()
        assert_accessible(page)
        marked = page.locator(".cd-sentence.is-suggested")
        expect(marked).to_have_count(2)
        expect(marked.first).to_contain_text("suggested, score ✦ 0.91")
        supports = page.locator(".cd-label-choice", has_text="SUPPORTS")
        expect(supports).to_contain_text("86 %")
        chosen = listbox(page).get_by_role("option", selected=True)
        press(page, "0")
        expect(chosen).to_have_count(2)
        expect(supports.get_by_role("radio")).to_be_checked()
        press(page, "0")
        expect(chosen).to_have_count(1)
        expect(supports.get_by_role("radio")).not_to_be_checked()
        # What was shown stays within sight, whatever is chosen, and after a new start.
        press(page, "0")
        expect(page.get_by_text("Draft saved.")).to_be_visible()
        page.reload()
        expect(marked).to_have_count(2)
        expect(listbox(page)).to_be_focused()
        press(page, "Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    offer, judgement = SuggestionOffer.objects.get(), Judgement.objects.get()
    assert (offer.first_label, offer.first_rationales) == (
        "CONTRADICT",
        [{"sentences": [0], "roles": []}],
    )
    assert (judgement.suggestion_arm, judgement.suggestion_taken) == (
        "after_first_choice",
        "all",
    )


def test_asked_for_by_the_key_it_comes_and_is_taken_by_the_same_key(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair,) = make_pairs(TWENTY)
    settle(team, suggestion_policy="on_demand")
    suggest(pair, **VALUES)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        expect(page.get_by_role("button", name="Ask the model")).to_be_visible()
        press(page, "0")
        expect(page.locator("[data-suggestion-words]")).to_be_visible()
        press(page, "0 Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert Judgement.objects.get().suggestion_taken == "all"
