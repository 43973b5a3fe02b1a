"""Adjudicating in a real browser: by keyboard alone, accessible in both themes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Adjudication, Verdict
from tests.accessibility import DESK, PHONE, assert_accessible_and_fitting
from tests.annotation.services.test_adjudications import disputed
from tests.annotation.work import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT
from tests.browser.people import at_work
from tests.factories import Team, make_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def team(transactional_db: None) -> Team:
    team = make_team(citances=4)
    for n, answer in enumerate((CONTRADICT, NOT_ENOUGH_INFO, CONTRADICT), start=1):
        disputed(team, answer, f"Tea number {n} eases pain.")
    # Its judgements agree: it can be drawn once more, and waits for nobody.
    disputed(team, SUPPORT, "Tea number 4 eases pain.")
    return team


def _at_the_judgements(page: Page, claim: str) -> None:
    expect(page.locator("#claim")).to_have_text(claim)
    expect(page.get_by_role("region", name="The judgements")).to_be_focused()


def test_three_pairs_are_decided_by_keyboard_alone(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    """Take one, take it back, change one, write another."""
    with at_work(browser, live_server.url, team.reviewer) as page:
        page.goto(f"/projects/{team.project.slug}/adjudicate/")
        page.keyboard.press("Enter")  # the button that begins has the focus
        _at_the_judgements(page, "Tea number 1 eases pain.")
        page.keyboard.press("b")
        _at_the_judgements(page, "Tea number 3 eases pain.")
        expect(page.get_by_text("The last one: one judgement taken.")).to_be_visible()
        page.keyboard.press("u")
        _at_the_judgements(page, "Tea number 1 eases pain.")
        page.keyboard.press("2")
        expect(page.get_by_role("heading", name="Judgement B, changed")).to_be_visible()
        page.get_by_label("Sentence 2", exact=True).focus()
        page.keyboard.press("ArrowDown")
        page.get_by_role("button", name="Decide so, then next").focus()
        page.keyboard.press("Enter")
        _at_the_judgements(page, "Tea number 3 eases pain.")
        page.keyboard.press("a")
        _at_the_judgements(page, "Tea number 2 eases pain.")
        page.keyboard.press("n")
        page.get_by_label("NOT ENOUGH INFO").focus()
        page.keyboard.press("Space")
        page.get_by_label("Note").focus()
        page.keyboard.type("The tea was not that tea.")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_text("No pair waits for a decision")).to_be_visible()
    decisions = Adjudication.objects.filter(undone_at=None).order_by("pk")
    assert [(d.decision, d.judgement.label) for d in decisions] == [
        ("edit", "CONTRADICT"),
        ("take", "SUPPORT"),
        ("write", "NOT_ENOUGH_INFO"),
    ]
    assert decisions[2].note == "The tea was not that tea."
    provenances = Verdict.objects.order_by("pair").values_list("provenance", flat=True)
    assert list(provenances) == ["adjudicated"] * 3 + ["unanimous"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_pages_are_accessible_and_fit(
    live_server: LiveServer, browser: Browser, team: Team, size: tuple[int, int]
) -> None:
    with at_work(browser, live_server.url, team.admin) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        here = f"/projects/{team.project.slug}/adjudicate/"
        pair = team.project.pairs.filter(state="disputed").first()
        assert pair is not None
        for path in (
            here,
            f"{here}{pair.pk}/",
            f"{here}{pair.pk}/?from=A",
            f"/projects/{team.project.slug}/progress/reannotation/",
        ):
            page.goto(path)
            assert_accessible_and_fitting(page)
        page.emulate_media(color_scheme="dark")
        page.goto(f"{here}{pair.pk}/")
        assert_accessible_and_fitting(page)
