"""Questions and studies in a browser: filter, save, change, read back, print."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project
from tests.accessibility import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as CSV").click()
    path = folder / "studies.csv"
    download.value.save_as(path)
    return path


def test_a_table_goes_out_and_comes_back(
    live_server: LiveServer, admin_page: Page, tmp_path: Path
) -> None:
    project = Project.objects.get(protocol="core")
    page = admin_page
    page.goto(f"{live_server.url}/projects/{project.slug}/questions/")
    page.get_by_label("Missing").select_option("label")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("link", name="Show everything")).to_be_visible()
    path = _saved(page, tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert not any(row["label"] for row in rows)
    rows[0] |= {"label": "INCONCLUSIVE", "finding": "'=2+2 and no clear direction"}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    page.get_by_role("link", name="Read a table back").click()
    page.locator("input[type=file]").set_input_files(path)
    assert_accessible(page)
    page.get_by_role("button", name="Upload and check").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("What the table would change")
    expect(page.get_by_role("insertion").first).to_have_text(
        "=2+2 and no clear direction"
    )
    assert_accessible(page)
    page.get_by_role("button", name="Import the table").click()
    expect(heading).to_have_text("The table was read")
    page.get_by_role("link", name="See the questions").click()
    row = page.get_by_role("row").filter(has_text="=2+2 and no clear direction")
    expect(row.get_by_text("INCONCLUSIVE")).to_be_visible()


def test_printing_leaves_the_controls_out(
    live_server: LiveServer, admin_page: Page
) -> None:
    project = Project.objects.get(protocol="core")
    admin_page.goto(f"{live_server.url}/projects/{project.slug}/questions/")
    expect(admin_page.get_by_role("button", name="Print")).to_be_visible()
    admin_page.emulate_media(media="print")
    expect(admin_page.get_by_role("button", name="Print")).to_be_hidden()
    expect(admin_page.get_by_label("Missing")).to_be_hidden()
    expect(admin_page.get_by_role("table")).to_be_visible()
