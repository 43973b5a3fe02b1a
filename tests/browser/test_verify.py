"""Verifying pairs in Chromium, by keyboard alone and by mouse alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Flag, Judgement, Skip
from annotation.services.guidelines import accept_guideline, publish_guideline
from tests.accessibility import assert_accessible
from tests.browser.people import at_work
from tests.browser.verifying import (
    TWENTY,
    expect_claim,
    expect_sent,
    listbox,
    make_pairs,
    open_first,
    press,
    rationales,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_keyboard_alone_judges_pair_after_pair(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        expect_claim(page, 1)
        hint = page.get_by_text("Click the sentences that prove your label")
        expect(hint).to_be_visible()
        press(page, "1 a c")
        expect(hint).to_be_hidden()
        expect(page.get_by_text("Would other sentences, on their own")).to_be_visible()
        press(page, "n e Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        press(page, "3 Enter")
        expect_claim(page, 3)
        press(page, "2 ArrowDown ArrowDown Space Home Space ArrowDown Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    first, second, third = Judgement.objects.order_by("id")
    assert (first.label, rationales(first)) == ("SUPPORT", [[0, 2], [4]])
    assert (second.label, rationales(second)) == ("NOT_ENOUGH_INFO", [])
    assert (third.label, rationales(third)) == ("CONTRADICT", [[0, 2]])
    assert first.active_seconds is not None
    assert first.elapsed_seconds is not None
    assert first.active_seconds <= first.elapsed_seconds


def test_the_mouse_alone_judges_flags_skips_and_takes_back(
    live_server: LiveServer, browser: Browser
) -> None:
    team, pairs = make_pairs(TWENTY, TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        listbox(page).get_by_role("option").nth(1).click()
        listbox(page).get_by_role("option").nth(7).click()
        page.locator(".cd-label-choice", has_text="SUPPORTS").click()
        page.get_by_role("button", name="New rationale").click()
        listbox(page).get_by_role("option").nth(3).click()
        page.get_by_role("button", name="Rationale 1").click()
        listbox(page).get_by_role("option").nth(1).click()
        page.get_by_role("button", name="Submit and next").click()
        expect_claim(page, 2)
        page.get_by_role("button", name="Undo").click()
        expect_claim(page, 1)
        news = page.locator(".cd-judge-problem.is-news")
        expect(news).to_have_text("Taken back. Change your answer and submit it again.")
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(2)
        page.locator(".cd-label-choice", has_text="REFUTES").click()
        page.get_by_role("button", name="Submit and next").click()
        expect_claim(page, 2)
        page.get_by_text("Flag for yourself").click()
        page.get_by_label("Note to yourself").fill("Which dose?")
        page.get_by_role("button", name="Flag", exact=True).click()
        expect(page.get_by_text("Flagged for you", exact=True)).to_be_visible()
        page.get_by_text("Skip this pair").click()
        page.get_by_label("Why is it left to others?").select_option(index=0)
        page.get_by_role("button", name="Skip and next").click()
        expect_claim(page, 3)
    judgement = Judgement.objects.exclude(state="withdrawn").get()
    assert (judgement.label, rationales(judgement)) == ("CONTRADICT", [[7], [3]])
    assert Judgement.objects.filter(state="withdrawn").count() == 1
    assert Flag.objects.get().note == "Which dose?"
    assert Skip.objects.get().item_id == pairs[1].pk


def _is_chosen(page: Page) -> list[bool]:
    options = listbox(page).get_by_role("option").all()
    return [o.get_attribute("aria-selected") == "true" for o in options]


def test_two_sentences_of_twenty_take_at_most_five_keys_and_no_evidence_two(
    live_server: LiveServer, browser: Browser
) -> None:
    """The keys of every pair are the same: a label, two tags, Enter. All 190 are tried
    on the page, and one of them is submitted."""
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        tags = [
            o.get_attribute("data-tag") or ""
            for o in listbox(page).get_by_role("option").all()
        ]
        assert len(set(tags)) == 20
        for i in range(20):
            for j in range(i + 1, 20):
                keys = ["1", *tags[i], *tags[j], "Enter"]
                assert len(keys) <= 5
                press(page, " ".join(keys[:-1]))
                chosen = [
                    index for index, is_on in enumerate(_is_chosen(page)) if is_on
                ]
                assert chosen == [i, j]
                press(page, " ".join(keys[1:-1]))  # taken out again
        press(page, "1 t a Enter")
        expect_claim(page, 2)
        press(page, "3 Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    first, second = Judgement.objects.order_by("id")
    assert rationales(first) == [[0, 16]]
    assert second.label == "NOT_ENOUGH_INFO"


def test_forty_one_sentences_have_tags_that_never_wait(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs([f"Invented sentence {n}." for n in range(41)])
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        last = listbox(page).get_by_role("option").nth(40)
        tag = last.get_attribute("data-tag") or ""
        assert len(tag) == 2
        press(page, "1 a")
        press(page, tag[0])
        expect(page.locator(".is-possible")).to_have_count(20)
        press(page, "Escape")
        expect(page.locator(".is-possible")).to_have_count(0)
        press(page, " ".join(tag))
        expect(last).to_have_attribute("aria-selected", "true")
        expect(last).to_be_in_viewport()
        press(page, "Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert rationales(Judgement.objects.get()) == [[0, 40]]


def test_hostile_and_astral_sentences_are_shown_and_chosen_as_they_are(
    live_server: LiveServer, browser: Browser
) -> None:
    sentences = [
        "We found p<0.05 & q>3; <b>no</b> effect.",
        "𝛽-catenin 👩‍🚒 raised IL-6 &lt;twice&gt;.",
        "العلاج آمن.",
    ]
    team, _ = make_pairs(sentences)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        texts = page.locator(".cd-sentence-text").all_inner_texts()
        assert texts == sentences
        press(page, "1 b c Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert rationales(Judgement.objects.get()) == [[1, 2]]


def test_keys_act_only_in_the_list_and_never_with_a_modifier(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "Control+c Alt+a Meta+b Shift+d")
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(0)
        press(page, "f")
        note = page.get_by_label("Note to yourself")
        expect(note).to_be_focused()
        page.keyboard.type("1 ab u?")
        expect(note).to_have_value("1 ab u?")
        press(page, "Escape")
        expect(listbox(page)).to_be_focused()
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(0)
        press(page, "?")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        expect(dialog.get_by_text("Read the whole abstract.")).to_be_visible()
        press(page, "a Escape")
        expect(listbox(page)).to_be_focused()
        press(page, "Enter")
        expect(page.get_by_text("Choose a label first.")).to_be_visible()
        press(page, "1 Enter")
        expect(page.get_by_text("Choose the sentences that justify")).to_be_visible()
        press(page, "a 3 Enter")
        expect(
            page.get_by_role("button", name="Take the sentences away")
        ).to_be_visible()
        expect_claim(page, 1)
        page.get_by_role("button", name="Take the sentences away").click()
        press(page, "Enter")
        expect_claim(page, 2)
        expect_sent(page, "NOT ENOUGH INFO")
    assert Judgement.objects.get().label == "NOT_ENOUGH_INFO"


def test_own_keys_and_switched_off_keys(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.goto("/me/preferences/")
        page.get_by_label("Choose the first label").fill("a")
        page.get_by_label("Start another rationale").fill("a")
        page.get_by_role("button", name="Save the keys").click()
        expect(page.get_by_text("“a” is used twice.").first).to_be_visible()
        page.get_by_label("Start another rationale").fill("+")
        page.get_by_role("button", name="Save the keys").click()
        expect(page.get_by_text("Your keys are saved.")).to_be_visible()
        open_first(page, team)
        press(page, "a b + n Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        page.goto("/me/preferences/")
        page.get_by_label("Use single-key shortcuts").uncheck()
        page.get_by_role("button", name="Save the keys").click()
        expect(page.get_by_text("Your keys are saved.")).to_be_visible()
        open_first(page, team)
        press(page, "a b n 3 u ?")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(0)
        press(page, "ArrowDown Space")
        page.get_by_label("SUPPORTS").check()
        page.get_by_role("button", name="Submit and next").press("Enter")
        expect_claim(page, 3)
        expect_sent(page, "SUPPORTS")
    first, second = Judgement.objects.order_by("id")
    assert (first.label, rationales(first)) == ("SUPPORT", [[0], [11]])
    assert rationales(second) == [[1]]


def test_check_covid_has_one_rationale_whose_sentences_cycle(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, protocol="check-covid")
    with at_work(browser, live_server.url, team.annotator) as page:
        open_first(page, team)
        press(page, "2 b b Enter")
        expect(
            page.get_by_text("At least one sentence must be PRIMARY.")
        ).to_be_visible()
        press(page, "a c c c Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    rationale = Judgement.objects.get().rationales.get()
    assert (rationale.sentences, rationale.roles) == (
        [0, 1],
        ["PRIMARY", "SUPPLEMENTARY"],
    )


def test_undo_reaches_back_over_several_pairs(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "1 a Enter")
        expect_claim(page, 2)
        press(page, "2 b Enter")
        expect_claim(page, 3)
        press(page, "1 c u")
        expect_claim(page, 2)
        press(page, "u")
        expect_claim(page, 1)
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(1)
        press(page, "d Enter")
        expect_claim(page, 2)
        expect(page.get_by_label("REFUTES")).to_be_checked()
        press(page, "3 b Enter")
        expect_claim(page, 3)
        expect(page.get_by_label("SUPPORTS")).to_be_checked()
        press(page, "Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    standing = Judgement.objects.exclude(state="withdrawn").order_by("id")
    assert [(j.label, rationales(j)) for j in standing] == [
        ("SUPPORT", [[0, 3]]),
        ("NOT_ENOUGH_INFO", []),
        ("SUPPORT", [[2]]),
    ]


def test_help_leads_to_the_part_of_the_guideline_about_verifying(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair,) = make_pairs(TWENTY)
    paragraphs = "Read every sentence before you decide.\n\n" * 40
    text = f"# Rules\n\n## Write claims\n\n{paragraphs}## Verify\n\n{paragraphs}"
    guideline = publish_guideline(
        project=team.project, text=text, actor=team.admin, change_note="Longer."
    )
    accept_guideline(guideline=guideline, user=team.other_annotator)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        expect(page.get_by_text("There is no sentence F, N, S and U")).to_be_visible()
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keys, guideline, glossary")
        heading = dialog.get_by_role("heading", name="Verify", exact=True)
        expect(heading).not_to_be_in_viewport()
        expect(dialog).to_contain_text("never a tag: F, N, S and U")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        link = dialog.get_by_role("link", name="The guideline on this page’s work")
        expect(link).to_be_focused()
        page.keyboard.press("Enter")
        expect(heading).to_be_in_viewport()
        expect(heading).to_be_focused()
        assert page.url.endswith(f"/verify/{pair.pk}/")
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(listbox(page)).to_be_focused()
