"""Verifying pairs while sessions end, tabs disagree and the network fails."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Draft, Judgement, Pair
from annotation.services.judgement_reviews import approve_judgement
from corpus.models import User
from tests.annotation.work import judged
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
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _saved(page: Page) -> None:
    expect(page.locator("[data-draft-status]")).to_have_text("Draft saved.")


def _chosen(page: Page) -> list[int]:
    options = listbox(page).get_by_role("option").all()
    return [
        index
        for index, option in enumerate(options)
        if option.get_attribute("aria-selected") == "true"
    ]


def _sign_in(page: Page, user: User) -> None:
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_a_draft_is_there_again_after_a_reload_and_goes_with_the_submit(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "2 a c n e")
        _saved(page)
        page.reload()
        expect(listbox(page)).to_be_focused()
        assert _chosen(page) == [0, 2, 4]
        expect(page.get_by_label("REFUTES")).to_be_checked()
        press(page, "Enter")
        expect_claim(page, 2)
        expect_sent(page, "REFUTES")
    assert not Draft.objects.exists()
    assert rationales(Judgement.objects.get()) == [[0, 2], [4]]


def test_the_second_tab_shows_both_versions_and_lets_the_person_choose(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair,) = make_pairs(TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as first:
        open_first(first, team)
        second = first.context.new_page()
        open_first(second, team)
        first.bring_to_front()
        press(first, "1 a")
        _saved(first)
        second.bring_to_front()
        press(second, "2 b")
        choice = second.get_by_role("region", name="Two versions of your answer")
        expect(choice).to_be_visible()
        expect(choice).to_contain_text("Label: REFUTES")
        expect(choice).to_contain_text("Label: SUPPORTS")
        draft = Draft.objects.get()
        assert draft.content == {"label": "SUPPORT", "sentence_0": "1"}
        second.get_by_role("button", name="Go on with the version here").click()
        _saved(second)
        expect(listbox(second)).to_be_focused()
        draft.refresh_from_db()
        assert draft.content == {"label": "CONTRADICT", "sentence_1": "1"}
        first.bring_to_front()
        press(first, "c")
        first.get_by_role("button", name="Go on with the other version").click()
        expect(first.get_by_label("REFUTES")).to_be_checked()
        assert _chosen(first) == [1]
        listbox(first).focus()
        press(first, "Enter")
        expect(first.get_by_text("No pair is waiting for you")).to_be_visible()
    assert rationales(Judgement.objects.get(pair=pair)) == [[1]]


def test_a_submit_after_the_session_ended_leads_through_the_sign_in_back(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair, _) = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        Session.objects.all().delete()
        press(page, "1 a c n e Enter")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        _sign_in(page, team.other_annotator)
        expect_claim(page, 1)
        assert page.url.endswith(f"/verify/{pair.pk}/")
        expect(page.get_by_label("SUPPORTS")).to_be_checked()
        expect(listbox(page).get_by_role("option", selected=True)).to_have_count(3)
        press(page, "Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
    assert rationales(Judgement.objects.get()) == [[0, 2], [4]]


def test_the_answer_of_one_account_is_never_shown_to_another(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair,) = make_pairs(TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        Session.objects.all().delete()
        press(page, "1 a")
        expect(page.locator("[data-draft-status]")).to_contain_text("signed out")
        page.goto("/accounts/login/")
        _sign_in(page, team.admin)
        expect(page.get_by_text(team.admin.display_name).first).to_be_attached()
        page.goto(f"/projects/{team.project.slug}/verify/")
        # The first one still holds the pair, so the admin is not given it.
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
        pair.project.leases.all().delete()
        open_first(page, team)
        assert _chosen(page) == []
        expect(page.get_by_label("SUPPORTS")).not_to_be_checked()


def test_a_page_of_one_account_is_not_submitted_by_another(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        other = page.context.new_page()
        Session.objects.all().delete()
        other.goto("/accounts/login/")
        _sign_in(other, team.admin)
        expect(other.get_by_text(team.admin.display_name).first).to_be_attached()
        page.bring_to_front()
        press(page, "1 a Enter")
        expect(page.get_by_text("Somebody else has signed in").first).to_be_visible()
    assert not Judgement.objects.exists()


def test_back_after_a_submit_says_what_was_judged(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair, _) = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "1 a Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        page.go_back()
        heading = page.get_by_role("heading", name="You have judged this pair")
        expect(heading).to_be_visible()
        page.get_by_role("button", name="Take it back and change it").click()
        expect_claim(page, 1)
        assert _chosen(page) == [0]
        press(page, "b Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        judgement = Judgement.objects.get(state="submitted")
        approve_judgement(
            judgement=judgement, reviewer=team.reviewer, expected_version=1
        )
        page.goto(f"/projects/{team.project.slug}/verify/{pair.pk}/")
        expect(page.get_by_text("it can no longer be taken back")).to_be_visible()
    assert rationales(judgement) == [[0, 1]]


def test_enter_pressed_twice_submits_once(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "1 a Enter Enter Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
    assert Judgement.objects.count() == 1


class _Network:
    """Fails submits: before they arrive, or after, when the answer is lost."""

    def __init__(self, context: BrowserContext) -> None:
        self.fails = {"before": 0, "after": 0}
        context.route("**/verify/*/", self._pass)

    def _pass(self, route: Route) -> None:
        if route.request.method == "POST" and self.fails["before"]:
            self.fails["before"] -= 1
            route.abort()
        elif route.request.method == "POST" and self.fails["after"]:
            self.fails["after"] -= 1
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_network_that_loses_requests_or_answers_makes_one_row(
    live_server: LiveServer, browser: Browser, where: str
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        network = _Network(page.context)
        open_first(page, team)
        network.fails[where] = 2
        press(page, "1 a Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        assert network.fails[where] == 0
    assert rationales(Judgement.objects.get()) == [[0]]


def test_a_network_that_is_gone_keeps_the_answer_until_it_is_back(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        network = _Network(page.context)
        open_first(page, team)
        # The next pair is loaded before the network goes.
        with page.expect_response("**/verify/next/**") as loaded:
            page.reload()
        assert loaded.value.ok
        expect(listbox(page)).to_be_focused()
        network.fails["before"] = 1000
        press(page, "1 a Enter")
        expect_claim(page, 2)
        problem = page.get_by_text("Your answer is kept here and not sent yet.")
        expect(problem).to_be_visible(timeout=30_000)
        press(page, "3")
        network.fails["before"] = 0
        page.get_by_role("button", name="Try again").click()
        expect_sent(page, "SUPPORTS")
        expect(page.get_by_label("NOT ENOUGH INFO")).to_be_checked()
    assert Judgement.objects.count() == 1


def test_an_answer_that_never_arrived_is_there_after_looking_elsewhere(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair, _) = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        page.on("dialog", lambda dialog: dialog.accept())
        page.context.route("**/*", _without_posts)
        press(page, "1 a c Enter")
        problem = page.get_by_text("Your answer is kept here and not sent yet.")
        expect(problem).to_be_visible(timeout=30_000)
        page.context.unroute("**/*", _without_posts)
        page.goto(f"/projects/{team.project.slug}/flags/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto(f"/projects/{team.project.slug}/verify/{pair.pk}/")
        expect(page.get_by_label("SUPPORTS")).to_be_checked()
        assert _chosen(page) == [0, 2]
    assert not Judgement.objects.exists()


def _without_posts(route: Route) -> None:
    """A network on which nothing can be sent any more."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_a_pair_taken_back_from_a_dead_network_can_be_sent_again(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        network = _Network(page.context)
        open_first(page, team)
        network.fails["before"] = 1000
        press(page, "1 a Enter")
        back = page.get_by_role("button", name="Back to that pair")
        expect(back).to_be_visible(timeout=30_000)
        back.click()
        network.fails["before"] = 0
        expect(listbox(page)).to_be_focused()
        press(page, "c Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert rationales(Judgement.objects.get()) == [[0, 2]]


LOSES_ONE_BODY = """
const whole = window.fetch;
let isLost = false;
window.fetch = async (url, options) => {
  const response = await whole(url, options);
  if (!isLost && options?.method === "POST" && /verify\\/\\d+\\/$/.test(url)) {
    isLost = true;
    response.text = () => Promise.reject(new TypeError("network error"));
  }
  return response;
};
"""


def test_an_answer_whose_reply_breaks_off_is_sent_again(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.add_init_script(LOSES_ONE_BODY)
        open_first(page, team)
        press(page, "1 a Enter")
        expect_claim(page, 2)
        expect_sent(page, "SUPPORTS")
        press(page, "3 Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert Judgement.objects.count() == 2


def test_a_pair_that_somebody_else_judged_meanwhile_is_told_and_nothing_is_lost(
    live_server: LiveServer, browser: Browser
) -> None:
    team, (pair, _) = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        # The lease is gone, and an admin was faster.
        pair.project.leases.update(expires_at=pair.project.created_at)
        judged(Pair.objects.get(pk=pair.pk), team.admin)
        press(page, "1 a Enter")
        expect(page.get_by_text("no longer waiting for you").first).to_be_visible()
        expect(page.locator(".cd-claim")).to_have_text(
            "Invented claim 1 on nettle tea."
        )
        assert _chosen(page) == [0]
        expect(page.get_by_text("Enter leads on").first).to_be_visible()
        page.keyboard.press("Enter")
        expect_claim(page, 2)
        press(page, "3 Enter")
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    assert Judgement.objects.count() == 2


def test_a_break_is_suggested_after_fifty_minutes(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.clock.install()
        open_first(page, team)
        hint = page.get_by_text("You have worked for 50 minutes")
        for _minute in range(51):
            expect(hint).to_be_hidden()
            page.clock.run_for(60_000)
            press(page, "ArrowDown")
        page.clock.run_for(20_000)
        expect(hint).to_be_visible()
        expect(listbox(page)).to_be_focused()
