"""Pages about projects and people in Chromium: both themes, desk and phone."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Claim, Project
from annotation.services.guidelines import publish_guideline
from annotation.services.members import create_invitation
from corpus.models import User
from corpus.tokens import create_token
from tests.accessibility import assert_accessible_and_fitting
from tests.factories import (
    ClaimFactory,
    JudgementFactory,
    PairFactory,
    Team,
    UserFactory,
    make_team,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GUIDELINE = """# Before you start

Read the **whole** abstract, then decide.

| label | when |
|---|---|
| SUPPORTS | the abstract proves the claim |
| REFUTES | the abstract proves the opposite |

1. Never guess.
2. `p < 0.05` alone proves nothing.
"""


def sign_in(page: Page, site: str, user: User) -> None:
    """Give the browser the session of a person."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    host = str(urlsplit(site).hostname)
    page.context.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": cookie,
                "domain": host,
                "path": "/",
            }
        ]
    )


@pytest.fixture
def busy_team(transactional_db: None) -> Team:
    """A public project in which something waits in every place."""
    team = make_team(citances=3, visibility="public", name="Herbal medicine, 2026")
    team.admin.is_superuser = True
    team.admin.save()
    publish_guideline(
        project=team.project,
        text=GUIDELINE,
        actor=team.admin,
        change_note="The table is new.",
    )
    ClaimFactory(
        project=team.project, state=Claim.State.SUBMITTED, author=team.annotator
    )
    pair = PairFactory(claim=ClaimFactory(project=team.project, author=team.annotator))
    JudgementFactory(pair=pair, annotator=team.other_annotator)
    create_invitation(
        project=team.project, stages=["write"], actor=team.admin, note="Spring course"
    )
    create_token(user=team.admin, name="Lab server", scopes=["read", "import"])
    return team


def addresses(team: Team) -> list[str]:
    slug, member = team.project.slug, team.membership(team.annotator).pk
    names: list[tuple[str, Sequence[object]]] = [
        ("dashboard", []),
        ("projects", []),
        ("new_project", []),
        ("create_project", ["check-covid"]),
        *(
            (name, [slug])
            for name in (
                "project",
                "project_settings",
                "guideline",
                "publish_guideline",
                "consent_text",
                "publish_consent_text",
                "accept_texts",
                "members",
            )
        ),
        ("change_member", [slug, member]),
        ("my_data", []),
        ("preferences", []),
        ("api_tokens", []),
        ("erase_me", []),
        ("list_people", []),
        ("erase_person", [team.annotator.pk]),
    ]
    return [reverse(f"annotation:{name}", args=args) for name, args in names]


@pytest.mark.slow
def test_every_page_is_accessible_and_fits(
    live_server: LiveServer, themed_page: Page, busy_team: Team
) -> None:
    sign_in(themed_page, live_server.url, busy_team.admin)
    for address in addresses(busy_team):
        response = themed_page.goto(live_server.url + address)
        assert response is not None
        assert response.status == 200, address
        assert_accessible_and_fitting(themed_page)


def test_pages_of_strangers_are_accessible_and_fit(
    live_server: LiveServer, themed_page: Page, busy_team: Team
) -> None:
    _, token = create_invitation(
        project=busy_team.project, stages=["write"], actor=busy_team.admin
    )
    for address in (
        "/",
        reverse("annotation:project", args=[busy_team.project.slug]),
        reverse("annotation:join", args=[token]),
        reverse("annotation:join", args=["mistyped"]),
    ):
        themed_page.goto(live_server.url + address)
        assert_accessible_and_fitting(themed_page)


def test_forms_with_errors_are_accessible_and_fit(
    live_server: LiveServer, themed_page: Page, busy_team: Team
) -> None:
    sign_in(themed_page, live_server.url, busy_team.admin)
    settings_page = reverse(
        "annotation:project_settings", args=[busy_team.project.slug]
    )
    themed_page.goto(live_server.url + settings_page)
    themed_page.get_by_label("Test, in percent").fill("50")
    themed_page.get_by_role("button", name="Save the settings").click()
    expect(themed_page.get_by_role("alert")).to_contain_text("must add up to 1")
    assert_accessible_and_fitting(themed_page)


def test_a_project_is_started_without_javascript(
    live_server: LiveServer, browser: Browser, transactional_db: None
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url, UserFactory())
    page.goto(live_server.url)

    page.get_by_role("link", name="New project").click()
    page.get_by_role("link", name="Choose claims from citations").click()
    page.get_by_label("Name", exact=True).fill("Nettle tea")
    page.get_by_role("button", name="Create the project").click()

    expect(page.get_by_role("heading", name="Nettle tea")).to_be_visible()
    page.get_by_role("link", name="Publish a guideline").click()
    page.get_by_label("Guideline", exact=True).fill("# Rules\n\nRead all.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("heading", name="Rules")).to_be_visible()
    assert Project.objects.get().guidelines.get().text == "# Rules\n\nRead all."
    context.close()


def test_a_guideline_is_previewed_beside_the_form(
    live_server: LiveServer, page: Page, busy_team: Team
) -> None:
    sign_in(page, live_server.url, busy_team.admin)
    publish = reverse("annotation:publish_guideline", args=[busy_team.project.slug])
    page.goto(live_server.url + publish)
    page.get_by_label("Guideline", exact=True).fill("## Careful\n\nNever guess.")

    page.get_by_role("button", name="Preview").click()

    expect(page.get_by_role("heading", name="Careful")).to_be_visible()
    assert page.url == live_server.url + publish


def test_the_people_of_a_project_fit_a_desk_and_stay_named_on_a_phone(
    live_server: LiveServer, page: Page, busy_team: Team
) -> None:
    User.objects.filter(pk=busy_team.annotator.pk).update(
        first_name="Maximiliane", last_name="von Hohenlohe-Waldenburg"
    )
    sign_in(page, live_server.url, busy_team.admin)
    page.set_viewport_size({"width": 1280, "height": 900})
    slug = busy_team.project.slug
    page.goto(live_server.url + reverse("annotation:progress", args=[slug]))
    table = page.get_by_role("region", name="Figures of each member")
    assert table.evaluate("wrap => wrap.scrollWidth - wrap.clientWidth") == 0
    page.set_viewport_size({"width": 768, "height": 1024})
    assert_accessible_and_fitting(page)
    page.set_viewport_size({"width": 390, "height": 844})
    name = table.get_by_role("rowheader", name="Maximiliane")
    table.evaluate("wrap => { wrap.scrollLeft = wrap.scrollWidth; }")
    name.scroll_into_view_if_needed()
    expect(name).to_be_in_viewport(ratio=0.9)
    assert_accessible_and_fitting(page)
