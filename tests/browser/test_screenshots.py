"""The pictures of the documentation, taken from the demo.

Every run takes them; ``make screenshots`` keeps them in ``docs/screenshots``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgement, Project, Source
from tests.browser.demo import open_source
from tests.paths import REPO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures go."""
    if os.environ.get("CLAIMDESK_KEEP_SCREENSHOTS"):
        return REPO / "docs" / "screenshots"
    return tmp_path


def test_the_documentations_pictures_show_the_demo(
    live_server: LiveServer, admin_page: Page, folder: Path
) -> None:
    project = Project.objects.get(protocol="scifact")
    source = open_source(project)
    judgement = Judgement.objects.filter(
        pair__project=project, state=Judgement.State.SUBMITTED, label="SUPPORT"
    )[0]
    review = Project.objects.get(protocol="core")
    question = review.sources.get(state=Source.State.OPEN)
    home = f"/projects/{project.slug}/"
    questions = f"/projects/{review.slug}/"
    admin_page.set_viewport_size({"width": 1280, "height": 800})
    for name, address, words in (
        ("project", home, "The path of a data point"),
        ("write", f"{home}write/{source.pk}/", "Write claims"),
        ("review", f"{home}review/{judgement.pk}/", "Review a judgement"),
        ("questions", f"{questions}questions/", "Read a table back"),
        ("hypothesis", f"{questions}write/{question.pk}/", "Proposed hypothesis"),
        ("corpus", f"/corpora/{project.corpus.slug}/", "Upload a spreadsheet"),
    ):
        admin_page.goto(live_server.url + address)
        expect(admin_page.get_by_text(words).first).to_be_visible()
        picture = folder / f"{name}.png"
        admin_page.screenshot(path=picture)
        assert picture.stat().st_size > 10_000


def test_the_pictures_show_an_answer_in_verify(
    live_server: LiveServer, admin_page: Page, folder: Path
) -> None:
    project = Project.objects.get(protocol="scifact")
    admin_page.set_viewport_size({"width": 1280, "height": 800})
    admin_page.goto(f"{live_server.url}/projects/{project.slug}/verify/")
    expect(admin_page.get_by_role("listbox")).to_be_focused()
    for key in ("1", "a", "b", "n", "c"):
        admin_page.keyboard.press(key)
    expect(admin_page.locator("[data-draft-status]")).to_have_text("Draft saved.")
    expect(admin_page.locator("#messages .cd-alert")).to_have_count(0)
    picture = folder / "verify.png"
    admin_page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000
