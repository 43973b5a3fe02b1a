"""A data set goes in and out in Chromium, with a real worker behind it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Claim
from tests.accessibility import assert_accessible_and_fitting
from tests.annotation.transfers import claim, document, entry, write_lines
from tests.annotation.views.test_people_in_browser import sign_in
from tests.factories import Team, make_team
from tests.processes import Worker

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
]
WORK_MS = 30_000


@pytest.fixture
def shared_cache(settings: Settings, real_broker: str) -> None:
    """Use the cache that worker processes use too."""
    from config import settings as production

    settings.CACHES = production.CACHES


@pytest.fixture
def team(shared_cache: None, worker: Worker) -> Team:
    return make_team()


@pytest.fixture
def admin_page(live_server: LiveServer, context: BrowserContext, team: Team) -> Page:
    page = context.new_page()
    sign_in(page, live_server.url, team.admin)
    return page


def upload(page: Page, address: str, file: Path, fmt: str) -> None:
    """Upload a file and follow its dry run to the end."""
    page.goto(address)
    assert_accessible_and_fitting(page)
    page.get_by_label("Format").select_option(fmt)
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Upload and check").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("What the import would do", timeout=WORK_MS)
    assert_accessible_and_fitting(page)


def confirm(page: Page, noun: str) -> None:
    """Confirm a dry run and follow the import to the end."""
    page.get_by_role("button", name=f"Import the {noun}").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Imported", timeout=WORK_MS)
    assert_accessible_and_fitting(page)


def test_a_data_set_goes_in_and_comes_out_as_the_same_file(
    admin_page: Page, team: Team, live_server: LiveServer, tmp_path: Path
) -> None:
    page, corpus, project = admin_page, team.corpus.slug, team.project.slug

    def at(name: str, slug: str) -> str:
        return live_server.url + reverse(f"annotation:{name}", args=[slug])

    abstracts = write_lines(tmp_path / "corpus.jsonl", document("b1"), document("b2"))
    upload(page, at("import_documents", corpus), abstracts, "scifact")
    confirm(page, "documents")

    wrong = write_lines(tmp_path / "wrong.jsonl", claim("c1", "x", {}, ["gone"]))
    upload(page, at("import_claims", project), wrong, "scifact")
    expect(page.get_by_text("cannot be imported as it is")).to_be_visible()
    claims = write_lines(
        tmp_path / "claims.jsonl",
        claim("c1", "Bees like clover.", {"b1": [entry(0)]}, ["b1"]),
        claim("c2", "Rye is blue.", {}, ["b2"]),
    )
    upload(page, at("import_claims", project), claims, "scifact")
    confirm(page, "claims")
    assert Claim.objects.filter(external_id__in=["c1", "c2"]).count() == 2

    page.goto(at("export_claims", project))
    assert_accessible_and_fitting(page)
    expect(page.locator("#preview")).to_contain_text("Bees like clover.")
    page.get_by_label("imported", exact=True).uncheck()
    expect(page.locator("#preview")).not_to_contain_text("Bees like clover.")
    page.get_by_label("imported", exact=True).check()
    expect(page.locator("#preview")).to_contain_text("Bees like clover.")
    page.get_by_label("approved", exact=True).uncheck()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download the file").click()
    assert downloading.value.path().read_bytes() == claims.read_bytes()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download its manifest").click()
    manifest = json.loads(downloading.value.path().read_text())
    assert manifest["counts"]["included"] == 2
