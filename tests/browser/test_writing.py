"""Writing and negating in Chromium, by keyboard alone and by mouse alone."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Claim, EarlyAnswer
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.negations import negate_claim
from corpus.models import User
from tests.accessibility import DESK, PHONE, assert_accessible, assert_fits
from tests.annotation.work import approved
from tests.browser.people import at_work
from tests.factories import PASSWORD, Team, make_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLET = (768, 1024)
ORIGINAL, NEGATION = "Nettle tea eases knee pain.", "Nettle tea worsens knee pain."


def _open(page: Page, team: Team, what: str) -> None:
    page.goto(f"/projects/{team.project.slug}/{what}/")


def _type(page: Page, text: str) -> None:
    """Type into whatever has the focus, as a person does."""
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def _look(page: Page) -> None:
    """Light and dark, on a desk, a tablet and a phone."""
    for width, height in (DESK, TABLET, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            expect(page.locator("html")).to_have_attribute("data-bs-theme", theme)
            assert_accessible(page)
            assert_fits(page)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


def test_the_keyboard_alone_writes_source_after_source(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=2)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        expect(page.get_by_label("Claim 1")).to_be_focused()
        _type(page, "This study might ease pain.")
        remarks = page.locator("#checks-1 li")
        expect(remarks.filter(has_text="Hedged")).to_be_visible()
        expect(page.locator("#checks-note-1")).to_contain_text("on claim 1")
        _look(page)
        page.get_by_label("Claim 1").focus()
        _type(page, "Nettle tea eases knee pain.")
        expect(remarks).to_have_count(0)
        page.keyboard.press("Tab")
        expect(page.get_by_label("Claim 2")).to_be_focused()
        _type(page, "Nettle tea is safe.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Submitted: 2 for proofreading.")).to_be_visible()
        expect(page.get_by_label("Claim 1")).to_be_focused()
        expect(page.get_by_label("Claim 1")).to_have_value("")
        assert page.evaluate("scrollY") == 0
        _type(page, "Herbal teas are popular.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Nothing is waiting to be written")).to_be_visible()
    texts = Claim.objects.order_by("position").values_list("text", flat=True)
    assert list(texts) == [
        "Nettle tea eases knee pain.",
        "Nettle tea is safe.",
        "Herbal teas are popular.",
    ]


def test_the_mouse_alone_submits_takes_back_and_skips(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=2)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        page.get_by_label("Claim 1").fill("Nettle tea eases knee pain.")
        page.get_by_role("button", name="Submit and next").click()
        expect(page.get_by_text("Submitted: 1 for proofreading.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_label("Claim 1")).to_have_value(ORIGINAL)
        page.get_by_role("button", name="Submit and next").click()
        expect(page.get_by_label("Claim 1")).to_have_value("")
        page.get_by_text("Skip this one").click()
        page.get_by_label("Why is this one skipped?").fill("No finding.")
        page.get_by_role("button", name="Skip and next").click()
        expect(page.get_by_text("Nothing is waiting to be written")).to_be_visible()
    assert Claim.objects.filter(state="submitted").count() == 1
    states = team.project.sources.order_by("position").values_list("state", flat=True)
    assert list(states) == ["done", "skipped"]


def test_a_box_grows_with_its_text(live_server: LiveServer, browser: Browser) -> None:
    team = make_team(citances=1)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        box = page.get_by_label("Claim 1")
        box.fill("Nettle tea eases pain. " * 30)
        assert box.evaluate("box => box.scrollHeight <= box.clientHeight")


def test_the_back_button_after_a_submit_writes_nothing_twice(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=2)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        first = page.url
        page.get_by_label("Claim 1").fill(ORIGINAL)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Submitted: 1 for proofreading.")).to_be_visible()
        page.go_back()
        page.wait_for_url(first)
        page.get_by_label("Claim 1").fill("Something else entirely.")
        page.get_by_role("button", name="Submit and next").click()
        expect(page.locator("main")).to_contain_text("Not saved")
    assert Claim.objects.get().text == ORIGINAL


def test_who_is_signed_out_meanwhile_loses_no_word(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=1)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        page.context.clear_cookies()
        page.get_by_label("Claim 1").fill(ORIGINAL)
        page.get_by_role("button", name="Submit and next").click()
        _sign_in_again(page, team.annotator)
        _open(page, team, "write")
        expect(page.get_by_label("Claim 1")).to_have_value(ORIGINAL)
        page.get_by_role("button", name="Submit and next").click()
        expect(page.get_by_text("Submitted: 1 for proofreading.")).to_be_visible()
    assert Claim.objects.get().text == ORIGINAL


def _sign_in_again(page: Page, user: User) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(user.display_name).first).to_be_attached()


def _is_draft_asked_for(response: Response) -> bool:
    return "/drafts/" in response.url and response.request.method == "GET"


def _is_draft_saved(response: Response) -> bool:
    return "/drafts/" in response.url and response.request.method == "POST"


def test_two_tabs_show_both_versions(live_server: LiveServer, browser: Browser) -> None:
    team = make_team(citances=1)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        other = page.context.new_page()
        for tab in (page, other):
            with tab.expect_response(_is_draft_asked_for):
                tab.goto(page.url)
            expect(tab.get_by_label("Claim 1")).to_be_focused()
        with page.expect_response(lambda r: _is_draft_saved(r) and r.ok):
            page.get_by_label("Claim 1").fill("Written here.")
        with other.expect_response(lambda r: _is_draft_saved(r) and r.status == 409):
            other.get_by_label("Claim 1").fill("Written there.")
        conflict = other.get_by_label("Two versions of your answer")
        expect(conflict).to_contain_text("Written here.")
        expect(conflict).to_contain_text("Written there.")
        conflict.get_by_role("button", name="Go on with the other version").click()
        expect(other.get_by_label("Claim 1")).to_have_value("Written here.")


def test_the_keyboard_alone_negates(live_server: LiveServer, browser: Browser) -> None:
    team = make_team(citances=2)
    approved(team, ORIGINAL)
    approved(team, "Nettle tea is safe.")
    with at_work(browser, live_server.url, team.other_annotator) as page:
        _open(page, team, "negate")
        box = page.get_by_label("Negation", exact=True)
        expect(box).to_be_focused()
        expect(box).to_have_value(ORIGINAL)
        _type(page, "Nettle tea does not ease knee pain.")
        expect(page.locator("#negation-flags")).to_contain_text("“not”")
        expect(page.locator("mark.cd-trigger")).to_have_text("not")
        _look(page)
        box.focus()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("alert")).to_contain_text("does not say “not”")
        expect(page.get_by_role("alert")).to_be_focused()
        expect(box).to_have_value("Nettle tea does not ease knee pain.")
        box.focus()
        _type(page, NEGATION)
        expect(page.locator("#negation-flags")).to_be_empty()
        expect(page.locator("#negation-check ins")).to_have_text("worsens")
        expect(page.locator("#negation-check del")).to_have_text("eases")
        page.keyboard.press("Control+Enter")
        expect(box).to_have_value("Nettle tea is safe.")
        expect(box).to_be_focused()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("Nettle tea never harms.")
        page.keyboard.press("Tab")
        expect(page.get_by_label("Why it needs a trigger word")).to_be_focused()
        page.keyboard.type("“Unsafe” would be vague.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("No claim waits for its negation")).to_be_visible()
    texts = Claim.objects.exclude(negates=None).order_by("position")
    assert [claim.text for claim in texts] == [NEGATION, "Nettle tea never harms."]


def test_the_mouse_alone_negates_takes_back_and_skips(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=2)
    approved(team, ORIGINAL)
    approved(team, "Nettle tea is safe.")
    with at_work(browser, live_server.url, team.other_annotator) as page:
        _open(page, team, "negate")
        box = page.get_by_label("Negation", exact=True)
        box.fill(NEGATION)
        page.get_by_role("button", name="Submit and next").click()
        expect(box).to_have_value("Nettle tea is safe.")
        page.get_by_role("button", name="Undo").click()
        expect(box).to_have_value(NEGATION)
        page.get_by_role("button", name="Submit and next").click()
        expect(box).to_have_value("Nettle tea is safe.")
        page.get_by_text("Skip this one").click()
        page.get_by_label("Only an obvious trigger word").check()
        page.get_by_role("button", name="Skip and next").click()
        expect(page.get_by_text("No claim waits for its negation")).to_be_visible()
    assert Claim.objects.exclude(negates=None).get(state="submitted").text == NEGATION


def test_the_keyboard_alone_writes_and_judges_a_pair(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(protocol="check-covid", citances=1)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        claim = page.get_by_label("Claim", exact=True)
        expect(claim).to_be_focused()
        _look(page)
        take = page.get_by_role("button", name="Take sentence 2")
        take.focus()
        page.keyboard.press("Enter")
        expect(claim).to_have_value("Nettle tea did not ease knee pain [1].")
        expect(claim).to_be_focused()
        expect(page.get_by_label("Extracted: word for word")).to_be_checked()
        page.get_by_label("Negation", exact=True).focus()
        page.keyboard.type("Nettle tea eased knee pain.")
        expect(page.locator("#negation-check ins").first).to_be_visible()
        page.get_by_role("button", name="Sentence 1, claim").focus()
        for key in ("End", "Space", "ArrowRight", "Space", "ArrowUp", "Space", "Space"):
            page.keyboard.press(key)
        page.get_by_role("group", name="Label of the claim").get_by_label(
            "SUPPORT", exact=True
        ).focus()
        page.keyboard.press("Space")
        page.get_by_role("group", name="Label of the negation").get_by_label(
            "SUPPORT", exact=True
        ).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("and your labels with them")).to_be_visible()
    _assert_pair_is_written("extracted", [[1, 2]], ["SUPPLEMENTARY", "PRIMARY"])


def _assert_pair_is_written(
    kind: str, negated: list[list[int]], roles: list[str]
) -> None:
    claim, negation = Claim.objects.exclude(state="withdrawn").order_by("position")
    assert (claim.kind, negation.negates) == (kind, claim)
    early = EarlyAnswer.objects.filter(state="waiting").order_by("pk")
    assert [answer.label for answer in early] == ["SUPPORT", "CONTRADICT"]
    assert [r["sentences"] for r in early[0].rationales] == [[2]]
    assert [r["sentences"] for r in early[1].rationales] == negated
    assert early[1].rationales[0]["roles"] == roles


def test_the_mouse_alone_writes_and_judges_a_pair(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(protocol="check-covid", citances=1)
    with at_work(browser, live_server.url, team.annotator) as page:
        _open(page, team, "write")
        page.get_by_role("button", name="Take sentence 1").click()
        page.get_by_label("Claim", exact=True).fill("Tea leaves knees as they are.")
        expect(page.get_by_label("Composed: I wrote it")).to_be_checked()
        page.get_by_label("Negation", exact=True).fill("Tea eases knee pain.")
        page.get_by_role("button", name="Sentence 3, claim").click()
        page.get_by_role("button", name="Same sentences for the negation").click()
        for group, label in (("claim", "SUPPORT"), ("negation", "REFUTE")):
            fields = page.get_by_role("group", name=f"Label of the {group}")
            fields.get_by_label(label, exact=True).check()
        page.get_by_role("button", name="Submit and next").click()
        expect(page.get_by_text("and your labels with them")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Sentence 3, negation")).to_have_text(
            "PRIMARY"
        )
        page.get_by_role("button", name="Submit and next").click()
        expect(page.get_by_text("and your labels with them")).to_be_visible()
    _assert_pair_is_written("composed", [[2]], ["PRIMARY"])


def _top(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_what_is_said_after_a_submit_moves_no_form(
    live_server: LiveServer, browser: Browser, size: tuple[int, int]
) -> None:
    team = make_team(citances=5)
    with at_work(browser, live_server.url, team.annotator) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        _open(page, team, "write")
        box = page.get_by_label("Claim 1")
        before = _top(box)
        box.fill("Nettle tea eases knee pain.")
        page.get_by_label("Claim 2").fill("Nettle tea is safe.")
        page.keyboard.press("Control+Enter")
        said = page.get_by_text("Submitted: 2 for proofreading.")
        expect(said).to_be_in_viewport()
        expect(page.get_by_role("status").filter(has=said)).to_be_visible()
        expect(box).to_have_value("")
        assert _top(box) == before
    with at_work(browser, live_server.url, team.reviewer) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        _open(page, team, "proofread")
        page.get_by_role("button", name="Proofread the next claim").click()
        approve = page.get_by_role("button", name="Approve and next")
        before = _top(approve)
        approve.click()
        expect(page.get_by_text("The last one: Approve")).to_be_visible()
        assert _top(approve) == before


def test_a_returned_negation_is_flagged_while_it_is_rewritten(
    live_server: LiveServer, browser: Browser
) -> None:
    team = make_team(citances=1)
    negation = negate_claim(
        original=approved(team, ORIGINAL),
        author=team.other_annotator,
        text=NEGATION,
        submission_key=uuid.uuid4(),
    )
    request_claim_changes(
        claim=negation,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    with at_work(browser, live_server.url, team.other_annotator) as page:
        _open(page, team, "negate")
        box = page.get_by_label("Claim", exact=True)
        expect(box).to_be_focused()
        _type(page, "Nettle tea does not ease knee pain.")
        flag = page.locator("#negation-flags")
        expect(flag).to_contain_text("New trigger word: “not”")
        assert_accessible(page)
        _type(page, "Nettle tea worsens knee pain a little.")
        expect(flag).to_be_empty()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Sent back for proofreading.")).to_be_visible()
