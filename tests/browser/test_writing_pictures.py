"""The pictures of docs/annotating.md that show writing and negating, from the demo.

Every run takes them; ``make screenshots`` keeps them in ``docs/screenshots``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, Source
from annotation.selectors.work import negatable_claims
from tests.browser.demo import open_source
from tests.paths import REPO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures go."""
    if os.environ.get("CLAIMDESK_KEEP_SCREENSHOTS"):
        return REPO / "docs" / "screenshots"
    return tmp_path


def _keep(page: Page, picture: Path) -> None:
    page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 10_000


def test_the_pictures_show_writing_and_negating(
    live_server: LiveServer, admin_page: Page, folder: Path
) -> None:
    page, home = admin_page, f"{live_server.url}/projects"
    page.set_viewport_size({"width": 1280, "height": 800})
    scifact = Project.objects.get(protocol="scifact")
    source = open_source(scifact)
    page.goto(f"{home}/{scifact.slug}/write/{source.pk}/")
    page.get_by_label("Claim 1").fill("This study suggests that it might help.")
    expect(page.locator("#checks-1 li").first).to_be_visible()
    _keep(page, folder / "writing.png")
    claim = negatable_claims().filter(project=scifact).order_by("position")[0]
    page.goto(f"{home}/{scifact.slug}/negate/{claim.pk}/")
    words = claim.text.split(" ")
    page.get_by_label("Negation", exact=True).fill(
        " ".join(["Never", words[0].lower(), *words[1:]])
    )
    expect(page.locator("#negation-flags")).to_contain_text("“never”")
    _keep(page, folder / "negating.png")
    covid = Project.objects.get(protocol="check-covid")
    source = covid.sources.filter(state=Source.State.OPEN)[0]
    page.goto(f"{home}/{covid.slug}/write/{source.pk}/")
    page.get_by_role("button", name="Take sentence 1").click()
    page.get_by_role("button", name="Sentence 2, claim").click()
    _keep(page, folder / "writing-pair.png")
