"""The way back and forth between annotators and reviewers, in real browsers."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Comment, Disagreement, Judgement, Review, Stage
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.claims import Draft, write_claims
from annotation.services.judgement_reviews import request_judgement_changes
from annotation.services.members import add_member
from annotation.services.reviews import Remark
from corpus.models import User
from corpus.records import ClaimKind
from tests.accessibility import DESK, PHONE, assert_accessible_and_fitting
from tests.annotation.work import approved, judged, written
from tests.browser.people import at_work
from tests.browser.test_screenshots import folder as folder  # a fixture
from tests.factories import Team, UserFactory, accept_texts, make_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLAIM = "Nettle tea does not ease knee pain."
BECAUSE = "Sentence 3 says so: the halves did not differ."


@pytest.fixture
def team(transactional_db: None) -> Team:
    return make_team(citances=5)


@pytest.fixture
def second(team: Team) -> User:
    """Another reviewer."""
    user: User = UserFactory()
    stages = [Stage.PROOFREAD, Stage.REVIEW]
    add_member(
        project=team.project,
        user=user,
        stages=stages,
        actor=team.admin,
        state="trusted",
    )
    accept_texts(team.project, user)
    return user


def _judgement(team: Team, text: str = CLAIM) -> Judgement:
    return judged(approved(team, text).pairs.get(), team.other_annotator)


def _open_queue(page: Page, team: Team, kind: str = "review") -> None:
    page.goto(f"/projects/{team.project.slug}/{kind}/")


def test_the_loop_by_keyboard_alone(
    live_server: LiveServer, browser: Browser, team: Team, second: User
) -> None:
    """Request changes, disagree, a second opinion: no pointer is used after sign-in."""
    judgement = _judgement(team)
    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team)
        page.keyboard.press("Enter")  # the button that begins has the focus
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("c")
        expect(page.get_by_label("Comment on sentence 3")).to_be_focused()
        page.keyboard.type("Is this about knees at all?")
        page.keyboard.press("Escape")
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("1")
        page.keyboard.press("r")
        expect(page.get_by_text("The last one: changes requested.")).to_be_visible()
    comment = Comment.objects.get()
    assert (comment.sentence, comment.text) == (2, "Is this about knees at all?")

    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.goto(f"/projects/{team.project.slug}/verify/")
        expect(page.get_by_text("Is this about knees at all?")).to_be_visible()
        page.get_by_text("I disagree with the reviewer").focus()
        page.keyboard.press("Enter")
        page.get_by_label("I disagree, because …").focus()
        page.keyboard.type(BECAUSE)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Sent to another reviewer")).to_be_visible()

    with at_work(browser, live_server.url, second) as page:
        _open_queue(page, team)
        expect(page.get_by_role("cell", name="the author disagrees")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_text(BECAUSE)).to_be_visible()
        expect(page.get_by_text("Is this about knees at all?").first).to_be_visible()
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("a")
        expect(page.get_by_text("The last one: approved.")).to_be_visible()
    judgement.refresh_from_db()
    assert judgement.state == "approved"
    assert Disagreement.objects.get().state == "upheld"


def test_the_loop_by_mouse_alone(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    """Request changes, revise, approve."""
    judgement = _judgement(team)
    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team)
        page.get_by_role("link", name=CLAIM).click()
        expect(page.get_by_role("listbox")).to_be_focused()
        page.get_by_role("option").nth(1).dblclick()
        page.get_by_label("Comment on sentence 2").fill("And this one?")
        page.get_by_role("button", name="Request changes").click()
        expect(page.get_by_text("Choose a reason first")).to_be_visible()
        page.get_by_label("A rationale is missing").check()
        page.get_by_role("button", name="Request changes").click()
        expect(page.get_by_text("The last one: changes requested.")).to_be_visible()

    with at_work(browser, live_server.url, team.other_annotator) as page:
        bell = page.locator(".cd-bell-count")
        expect(bell).to_have_text(re.compile("^1"))
        page.locator(".cd-bell").click()
        page.get_by_role("button", name=re.compile("^Open")).click()
        expect(page.get_by_text("And this one?")).to_be_visible()
        expect(bell).to_have_text(re.compile("^0"))
        page.get_by_label("Sentence 2", exact=True).select_option("Rationale 2")
        page.get_by_role("button", name="Send back").click()
        expect(page.get_by_text("Sent back for review.")).to_be_visible()

    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team)
        page.get_by_role("link", name=CLAIM).click()
        change = page.locator(".cd-changes li")
        expect(change).to_contain_text("Sentence 2")
        expect(change.locator("ins")).to_have_text("rationale 2")
        page.get_by_role("button", name="Approve and next").click()
        expect(page.get_by_text("The last one: approved.")).to_be_visible()
    judgement.refresh_from_db()
    assert (judgement.state, judgement.version) == ("approved", 2)


def test_a_fix_is_seen_by_the_author_with_what_changed(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    _judgement(team)
    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team)
        page.get_by_role("link", name=CLAIM).click()
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("f")
        page.get_by_label("Sentence 1", exact=True).select_option("Rationale 1")
        page.get_by_label("REFUTES").check()
        page.get_by_role("button", name="Fix and approve, then next").click()
        expect(page.get_by_text("The last one: fixed and approved.")).to_be_visible()

    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.goto("/notices/")
        page.get_by_role("button", name=re.compile("^Open")).click()
        expect(page.get_by_text("Version 2", exact=True)).to_be_visible()
        thread = page.locator(".cd-thread")
        expect(thread.locator("del").first).to_contain_text("SUPPORTS")
        expect(thread.locator("ins").first).to_contain_text("REFUTES")
        expect(page.locator(".cd-changes")).to_contain_text("Sentence 1")


def test_a_decision_is_undone_and_the_next_item_has_the_focus(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    first = _judgement(team)
    _judgement(team, "Nettle tea eases knee pain.")
    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team)
        page.get_by_role("link", name=CLAIM).click()
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("a")
        expect(page.get_by_text("Nettle tea eases knee pain.").first).to_be_visible()
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("u")
        expect(page.get_by_text("Taken back.")).to_be_visible()
        expect(page.locator("#claim")).to_have_text(CLAIM)
    first.refresh_from_db()
    assert first.state == "submitted"
    assert Review.objects.get(judgement_version__judgement=first).undone_at


def test_two_reviewers_do_not_decide_on_one_judgement(
    live_server: LiveServer, browser: Browser, team: Team, second: User
) -> None:
    judgement = _judgement(team)
    address = f"/projects/{team.project.slug}/review/{judgement.pk}/"
    with (
        at_work(browser, live_server.url, team.reviewer) as page,
        at_work(browser, live_server.url, second) as other,
    ):
        page.goto(address)
        expect(page.get_by_role("listbox")).to_be_focused()
        other.goto(address)
        expect(other.get_by_text("Somebody else has this one")).to_be_visible()
        expect(other.get_by_role("button", name="Approve and next")).to_have_count(0)
        page.keyboard.press("a")
        expect(page.get_by_text("The last one: approved.")).to_be_visible()


def test_a_link_to_a_sentence_puts_it_at_hand(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    judgement = _judgement(team)
    with at_work(browser, live_server.url, team.reviewer) as page:
        page.goto(f"/projects/{team.project.slug}/review/{judgement.pk}/#s3")
        row = page.get_by_role("option").nth(2)
        expect(row).to_have_attribute("aria-selected", "true")


def test_a_claim_is_fixed_with_a_live_diff_by_few_keys(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    first = written(team, "Nettle tea ease pain.")
    second_claim = written(team, "Gardeners drink tea.")
    with at_work(browser, live_server.url, team.reviewer) as page:
        _open_queue(page, team, "proofread")
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="The claim")).to_be_focused()
        page.keyboard.press("f")
        field = page.get_by_label("Claim", exact=True)
        expect(field).to_be_focused()
        field.fill("Nettle tea eases pain.")
        diff = page.locator(".cd-live-diff")
        expect(diff.locator("del")).to_have_text("ease")
        expect(diff.locator("ins")).to_have_text("eases")
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        expect(page.get_by_text("The last one: fixed and approved.")).to_be_visible()
        expect(page.get_by_role("region", name="The claim")).to_be_focused()
        page.keyboard.press("a")
        expect(page.get_by_text("The last one: approved.")).to_be_visible()
    first.refresh_from_db()
    second_claim.refresh_from_db()
    assert (first.state, first.text) == ("approved", "Nettle tea eases pain.")
    assert second_claim.state == "approved"
    assert first.pairs.count() == second_claim.pairs.count() == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit(
    live_server: LiveServer,
    browser: Browser,
    team: Team,
    theme: Literal["light", "dark"],
) -> None:
    returned = _judgement(team, "Gardeners drink tea.")
    request_judgement_changes(
        judgement=returned,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="Look again.",
        expected_version=1,
        remarks=[Remark(Comment.Part.SENTENCE, "This one, too?", 1)],
    )
    waiting = _judgement(team)
    claim = written(team, "Nettle tea is safe.")
    home = f"/projects/{team.project.slug}"
    pages = {
        team.reviewer: [
            f"{home}/review/",
            f"{home}/review/{waiting.pk}/",
            f"{home}/review/{waiting.pk}/?fix=1",
            f"{home}/proofread/{claim.pk}/",
            f"{home}/judgements/{returned.pk}/",
        ],
        team.other_annotator: [
            f"{home}/judgements/{returned.pk}/revise/",
            "/notices/",
        ],
    }
    for person, addresses in pages.items():
        with at_work(browser, live_server.url, person) as page:
            page.evaluate("t => localStorage.setItem('theme', t)", theme)
            page.emulate_media(color_scheme=theme)
            for address in addresses:
                page.goto(address)
                for size in (DESK, (768, 900), PHONE):
                    page.set_viewport_size({"width": size[0], "height": size[1]})
                    assert_accessible_and_fitting(page)


def test_the_pictures_of_reviewing(
    live_server: LiveServer, browser: Browser, team: Team, folder: Path
) -> None:
    judgement = _judgement(team)
    home = f"/projects/{team.project.slug}"
    with at_work(browser, live_server.url, team.reviewer) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        _open_queue(page, team)
        page.screenshot(path=folder / "review-queue.png")
        page.goto(f"{home}/review/{judgement.pk}/")
        expect(page.get_by_role("listbox")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("c")
        page.keyboard.type("Does this sentence belong to it?")
        page.screenshot(path=folder / "review-comment.png")
    request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="",
        expected_version=1,
        remarks=[Remark(Comment.Part.SENTENCE, "Does this belong to it?", 1)],
    )
    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{home}/judgements/{judgement.pk}/revise/")
        page.get_by_text("I disagree with the reviewer").click()
        page.screenshot(path=folder / "review-answer.png")
    for name in ("review-queue", "review-comment", "review-answer"):
        assert (folder / f"{name}.png").stat().st_size > 10_000


def test_a_returned_claim_is_answered_from_its_box(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    claim = written(team, "Nettle tea ease pain.")
    request_claim_changes(
        claim=claim,
        reviewer=team.reviewer,
        expected_version=1,
        reason_code="wording",
        note="",
    )
    with at_work(browser, live_server.url, team.annotator) as page:
        _open_queue(page, team, "write")
        box = page.get_by_label("Claim", exact=True)
        expect(box).to_be_focused()
        box.fill("Nettle tea eases pain.")
        box.press("ControlOrMeta+Enter")
        expect(page.get_by_text("Sent back for proofreading.")).to_be_visible()
    claim.refresh_from_db()
    assert (claim.state, claim.text) == ("submitted", "Nettle tea eases pain.")


def test_a_reviewer_is_told_how_to_comment_on_a_sentence(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    judgement = _judgement(team)
    with at_work(browser, live_server.url, team.reviewer) as page:
        page.goto(f"/projects/{team.project.slug}/review/{judgement.pk}/")
        expect(page.get_by_text("A double click on a sentence")).to_be_visible()


def test_every_column_of_the_own_work_is_in_sight(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    person = _judgement(team).annotator
    assert person is not None
    write_claims(
        source=team.project.sources.filter(state="open").order_by("position")[0],
        author=person,
        drafts=[Draft("Nettle tea eases pain.", ClaimKind.COMPOSED)],
        submission_key=uuid.uuid4(),
    )
    with at_work(browser, live_server.url, person) as page:
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        page.goto(f"/projects/{team.project.slug}/")
        table = page.get_by_role("region", name="What I wrote and judged")
        hidden = table.evaluate("e => e.scrollWidth - e.clientWidth")
        assert hidden <= 0
