"""An item stays in hand while somebody works; who holds what, on every screen."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.access import get_project
from annotation.models import Lease, Stage
from annotation.services.leases import skip_item, take_next
from corpus.models import User
from tests.accessibility import assert_accessible_and_fitting
from tests.annotation.work import approved
from tests.browser.people import at_work
from tests.factories import PASSWORD, Team, make_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TYPED = "Nettle tea does not ease knee pain."


@pytest.fixture
def team(transactional_db: None) -> Team:
    return make_team(citances=3)


def is_renewal(address: str) -> bool:
    return address.endswith("/renew/")


def expire() -> None:
    Lease.objects.update(expires_at=timezone.now() - timedelta(minutes=1))


def sign_in_again(page: Page, user: User) -> None:
    """Lose the session, and sign in with a new one in another tab."""
    Session.objects.all().delete()
    other = page.context.new_page()
    other.goto("/accounts/login/")
    other.get_by_label("Email").fill(user.email)
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_text(user.display_name).first).to_be_attached()
    page.bring_to_front()


def test_a_tab_goes_on_after_its_person_has_signed_in_again_in_another(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    with at_work(browser, live_server.url, team.annotator) as page:
        page.clock.install()
        page.goto(f"/projects/{team.project.slug}/write/")
        field = page.locator("#id_text_1")
        field.fill(TYPED)
        sign_in_again(page, team.annotator)
        expire()
        page.clock.run_for(61_000)
        with page.expect_response(lambda r: is_renewal(r.url)) as renewal:
            field.press("End")
        assert renewal.value.status == 200
        with page.expect_response(lambda r: r.url.endswith("/check/")) as check:
            field.press_sequentially(" It")
            page.clock.run_for(1_000)
        assert check.value.status == 200
        assert Lease.objects.get().expires_at > timezone.now()


def test_activity_keeps_an_item_and_silence_does_not(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    with at_work(browser, live_server.url, team.annotator) as page:
        told: list[str] = []
        page.on("request", lambda request: told.append(request.url))
        page.clock.install()
        page.goto(f"/projects/{team.project.slug}/write/")
        field = page.locator("#id_text_1")
        field.fill(TYPED)
        expire()
        page.clock.run_for(61_000)
        assert not any(map(is_renewal, told))
        with page.expect_response(lambda r: is_renewal(r.url)) as answer:
            field.press("End")
        assert answer.value.status == 200
        assert Lease.objects.get().expires_at > timezone.now()
        # Once a minute at most, however much happens.
        field.press("Home")
        field.press("End")
        assert sum(map(is_renewal, told)) == 1


def test_who_loses_an_item_hears_so_and_keeps_every_word(
    live_server: LiveServer, browser: Browser, team: Team
) -> None:
    with at_work(browser, live_server.url, team.annotator) as page:
        page.clock.install()
        page.goto(f"/projects/{team.project.slug}/write/")
        field = page.locator("#id_text_1")
        field.fill(TYPED)
        expire()
        door = get_project(team.other_annotator, team.project.slug)
        take_next(access=door, stage=Stage.WRITE)
        page.clock.run_for(61_000)
        field.press("End")
        told = page.locator("[data-lease-status]")
        expect(told).to_contain_text("What you wrote is still here.")
        expect(field).to_have_value(TYPED)
        page.get_by_role("button", name="Submit and next").click()
        expect(page.locator("#main")).to_contain_text("Somebody else has this one")
        expect(page.locator("#id_text_1")).to_have_value(TYPED)


def test_the_pages_of_the_queue(
    live_server: LiveServer, themed_page: Page, team: Team
) -> None:
    for number in range(3):
        approved(team, f"Tea {number} with a rather long text eases pain in the knee.")
    for person in (team.other_annotator, team.admin):
        _take(team, person)
    door = get_project(team.other_annotator, team.project.slug)
    item = Lease.objects.get(person=team.other_annotator).item_id
    skip_item(access=door, stage=Stage.VERIFY, item_id=item, reason="Too far away.")
    _take(team, team.other_annotator)
    client = Client()
    client.force_login(team.admin)
    cookie = client.cookies["sessionid"].value
    themed_page.context.add_cookies(
        [{"name": "sessionid", "value": cookie, "url": live_server.url}]
    )
    address = f"{live_server.url}/projects/{team.project.slug}"
    themed_page.goto(f"{address}/holds/")
    assert_accessible_and_fitting(themed_page)
    themed_page.get_by_role("button", name="Release").first.click()
    expect(themed_page.get_by_role("status")).to_contain_text("Released.")
    assert_accessible_and_fitting(themed_page)
    themed_page.get_by_role("button", name="Undo").click()
    expect(themed_page.locator("#messages")).to_contain_text("has it again")
    themed_page.goto(f"{address}/skips/")
    assert_accessible_and_fitting(themed_page)
    themed_page.get_by_role("button", name="Take it back").first.click()
    expect(themed_page.locator("#main")).to_contain_text("Nothing is left to others")


def _take(team: Team, person: User) -> None:
    door = get_project(person, team.project.slug)
    take_next(access=door, stage=Stage.VERIFY)
