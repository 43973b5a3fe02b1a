"""The main job, from a citance to the exported file, on the real SciFact corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project, Stage
from annotation.services.members import add_member
from annotation.services.sources import add_sources
from corpus.models import Document, User
from tests.annotation.transfers import export_claims, import_claims, import_corpus
from tests.browser.people import at_work
from tests.factories import CitanceFactory, PassageFactory, UserFactory
from tests.paths import shared_file

pytestmark = [
    pytest.mark.browser,
    pytest.mark.main_path,
    pytest.mark.django_db(transaction=True),
]

CLAIM = "Invented for this test: warm beds lengthen the sleep of shift workers."
PARAGRAPH = (
    "Sleep matters. Warm beds lengthen sleep in shift workers [7]. So does quiet."
)


@pytest.fixture
def project(transactional_db: None) -> Project:
    """SciFact's corpus and dev claims, with one invented citance to write from."""
    assert import_corpus(shared_file("data/scifact/corpus.jsonl")).code == 0
    dev = shared_file("data/scifact/claims_dev.jsonl")
    assert import_claims(dev, "--split", "dev").code == 0
    project = Project.objects.get(name="Claims")
    passage = PassageFactory(article__corpus=project.corpus, text=PARAGRAPH)
    cited = Document.objects.filter(corpus=project.corpus).order_by("position")[7]
    start = PARAGRAPH.index("Warm")
    CitanceFactory(
        in_corpus=project.corpus,
        passage=passage,
        start=start,
        end=PARAGRAPH.index(" So does"),
        documents=[cited],
    )
    add_sources(project=project, actor=None)
    return project


def _member(project: Project, *stages: Stage) -> User:
    user: User = UserFactory()
    add_member(project=project, user=user, stages=stages, actor=None, state="trusted")
    return user


def test_a_claim_is_written_approved_verified_reviewed_and_exported(
    live_server: LiveServer, browser: Browser, project: Project, tmp_path: Path
) -> None:
    writer = _member(project, Stage.WRITE)
    reviewer = _member(project, Stage.PROOFREAD, Stage.REVIEW)
    verifier = _member(project, Stage.VERIFY)
    cited = Document.objects.get(citances__isnull=False)
    with at_work(browser, live_server.url, writer) as page:
        _write(page, project)
    with at_work(browser, live_server.url, reviewer) as page:
        _approve_claim(page, project)
    with at_work(browser, live_server.url, verifier) as page:
        _judge(page, project, cited)
    with at_work(browser, live_server.url, reviewer) as page:
        _approve_judgement(page, project)
    output = tmp_path / "claims.jsonl"
    assert export_claims(output).code == 0
    rows = [json.loads(line) for line in output.read_bytes().split(b"\n") if line]
    assert len(rows) == 301
    (row,) = (row for row in rows if row["claim"] == CLAIM)
    assert row["cited_doc_ids"] == [int(cited.external_id)]
    assert row["evidence"] == {
        cited.external_id: [
            {"sentences": [0, 2], "label": "SUPPORT"},
            {"sentences": [1], "label": "SUPPORT"},
        ]
    }


def _write(page: Page, project: Project) -> None:
    page.goto(f"/projects/{project.slug}/write/")
    citance = page.locator("mark.cd-citance")
    expect(citance).to_have_text("Warm beds lengthen sleep in shift workers [7].")
    page.get_by_label("Claim 1").fill(CLAIM)
    page.get_by_role("button", name="Submit and next").click()
    expect(page.get_by_text("Submitted: 1 for proofreading.")).to_be_visible()
    expect(page.get_by_text("Nothing is waiting to be written")).to_be_visible()


def _approve_claim(page: Page, project: Project) -> None:
    page.goto(f"/projects/{project.slug}/proofread/")
    page.get_by_role("link", name=CLAIM).click()
    page.get_by_role("button", name="Approve and next").click()
    expect(page.get_by_text("The last one: approved.")).to_be_visible()


def _judge(page: Page, project: Project, cited: Document) -> None:
    page.goto(f"/projects/{project.slug}/verify/")
    expect(page.locator(".cd-claim")).to_have_text(CLAIM)
    expect(page.get_by_text(cited.sentences[0])).to_be_visible()
    expect(page.get_by_role("listbox")).to_be_focused()
    for key in ("1", "a", "c", "n", "b", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("No pair is waiting for you")).to_be_visible()


def _approve_judgement(page: Page, project: Project) -> None:
    page.goto(f"/projects/{project.slug}/review/")
    page.get_by_role("link", name=CLAIM).click()
    expect(page.locator(".cd-sentence.is-rationale")).to_have_count(3)
    page.get_by_role("button", name="Approve and next").click()
    expect(page.get_by_text("The last one: approved.")).to_be_visible()
