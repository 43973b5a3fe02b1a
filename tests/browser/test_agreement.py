"""The page on agreement, by keyboard alone, and its picture."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import JudgementVersion, Project
from tests.accessibility import DESK, PHONE, assert_accessible_and_fitting, assert_fits
from tests.browser.hands import Keyboard
from tests.paths import REPO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the picture goes."""
    if os.environ.get("CLAIMDESK_KEEP_SCREENSHOTS"):
        return REPO / "docs" / "screenshots"
    return tmp_path


def _over_weeks(project: Project) -> None:
    """Spread what was judged over four weeks, for the chart."""
    versions = JudgementVersion.objects.filter(judgement__pair__project=project)
    for version in versions.select_related("judgement"):
        version.created_at -= timedelta(weeks=version.judgement.pair_id % 4)
        version.save(update_fields=["created_at"])


def test_an_admin_reads_filters_and_follows_disagreements_by_keyboard(
    live_server: LiveServer, admin_page: Page, folder: Path
) -> None:
    project = Project.objects.get(protocol="scifact")
    _over_weeks(project)
    page, keys = admin_page, Keyboard(admin_page)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    here = reverse("annotation:progress", args=[project.slug])
    page.goto(f"{live_server.url}{here}")
    keys.use(page.get_by_role("link", name="Agreement", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Agreement")
    assert_accessible_and_fitting(page)
    page.screenshot(path=folder / "agreement.png")
    labels = page.get_by_role("region", name="Labels", exact=True)
    row = labels.get_by_role("row").filter(has_text="Cohen’s kappa")
    # 14 of 16 pairs are equal, by chance 155 of 256 would be: 69 / 101.
    expect(row).to_contain_text("0.683")

    keys.select(page.get_by_label("Origin of the pair"), "pooled")
    keys.use(page.get_by_role("button", name="Show"))
    expect(page.get_by_text("No pair with two judgements fits")).to_be_visible()
    assert_accessible_and_fitting(page)
    keys.use(page.get_by_role("link", name="Show all"))

    keys.select(page.get_by_label("List pairs that disagree on"), "sentences only")
    keys.use(page.get_by_role("button", name="List"))
    disagreements = page.get_by_role("region", name="List of disagreeing pairs")
    expect(disagreements.get_by_role("row")).to_have_count(3)  # with the head
    keys.use(disagreements.get_by_role("link", name="Helga Morvane").first)
    expect(page.get_by_role("heading", level=1)).to_have_text("A judgement")


def test_the_page_is_accessible_in_the_dark_and_fits_a_phone(
    live_server: LiveServer, admin_page: Page
) -> None:
    project = Project.objects.get(protocol="scifact")
    here = reverse("annotation:agreement", args=[project.slug])
    admin_page.emulate_media(color_scheme="dark")
    admin_page.goto(f"{live_server.url}{here}")
    assert_accessible_and_fitting(admin_page)
    admin_page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(admin_page)
