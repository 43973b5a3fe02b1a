"""A newcomer with a spreadsheet gets abstracts with split sentences, in Chromium."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from openpyxl import Workbook
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Project
from annotation.services.documents import add_document
from annotation.services.projects import create_corpus
from corpus.models import Corpus, Document, User
from corpus.records import Document as Record
from corpus.records import ExternalId
from tests.accessibility import DESK, PHONE, assert_accessible_and_fitting
from tests.browser.people import at_work
from tests.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS: list[tuple[str | int | None, ...]] = [
    ("Article Title", "Abstract", "DOI", "Source Title", "Publication Year"),
    (
        "Warm beds and the sleep of shift workers",
        "We asked 40 nurses etc. They slept 𝛽 hours. Warmth added 20 minutes.",
        "10.5555/warm",
        "Journal of Invented Sleep",
        2021,
    ),
    ("Tea before night shifts", None, "10.5555/tea", "Invented Nursing", 2019),
    (
        "Blinds in <b>bedrooms</b>",
        "Dark rooms helped (p < 0.05). Doses fell i.v. Nobody left the trial.",
        "10.5555/dark",
        "Journal of Invented Sleep",
        2020,
    ),
]


@pytest.fixture
def newcomer() -> User:
    user: User = UserFactory()
    return user


@pytest.fixture
def spreadsheet(tmp_path: Path) -> Path:
    book = Workbook()
    for row in ROWS:
        book.active.append(row)  # type: ignore[union-attr]
    stream = io.BytesIO()
    book.save(stream)
    path = tmp_path / "sleep.xlsx"
    path.write_bytes(stream.getvalue())
    return path


def test_a_newcomer_turns_a_spreadsheet_into_split_sentences(
    live_server: LiveServer, browser: Browser, newcomer: User, spreadsheet: Path
) -> None:
    with at_work(browser, live_server.url, newcomer) as page:
        _start_corpus(page)
        _import(page, spreadsheet)
        _start_a_project(page)
        _read_an_abstract(page)
        _fill_the_missing_one(page)
        _settle_boundaries_by_keys(page)


def _start_corpus(page: Page) -> None:
    page.get_by_role("link", name="Corpora").first.click()
    page.get_by_role("link", name="New corpus").first.click()
    page.get_by_label("Name").fill("Sleep and shift work")
    page.get_by_role("button", name="Create the corpus").click()
    expect(page.get_by_role("heading", name="Sleep and shift work")).to_be_visible()


def _import(page: Page, spreadsheet: Path) -> None:
    page.get_by_role("link", name="Upload a spreadsheet").click()
    page.get_by_label("Spreadsheet").set_input_files(spreadsheet)
    page.get_by_role("button", name="Upload and go on").click()
    expect(page.locator("#id_title")).to_have_value("Article Title")
    expect(page.get_by_label("Journal")).to_have_value("Source Title")
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("Nothing has been written yet.")).to_be_visible()
    assert not Document.objects.exists()
    page.get_by_role("button", name="Import the abstracts").click()
    expect(page.get_by_role("heading", name="The abstracts are in")).to_be_visible()
    assert Document.objects.count() == 3


def _start_a_project(page: Page) -> None:
    page.get_by_role("link", name="Start a project on this corpus").click()
    page.get_by_role("link", name="Choose claims from citations").click()
    expect(page.get_by_label("Sleep and shift work")).to_be_checked()
    page.get_by_label("Name", exact=True).fill("Sleep claims")
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name="Sleep claims")).to_be_visible()
    assert Project.objects.get().corpus == Corpus.objects.get()


def _read_an_abstract(page: Page) -> None:
    page.get_by_role("link", name="Corpora").first.click()
    page.get_by_role("link", name="Sleep and shift work").click()
    page.get_by_label("Search in titles and texts").press_sequentially("bedrooms")
    expect(page.locator("#documents tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Blinds in <b>bedrooms</b>").click()
    expect(page.locator(".cd-sentence")).to_have_count(3)
    expect(page.locator(".cd-sentence").first).to_contain_text("(p < 0.05).")


def _fill_the_missing_one(page: Page) -> None:
    page.get_by_role("link", name="Sleep and shift work").click()
    page.get_by_role("link", name="1 without a text").click()
    page.get_by_label("Abstract").fill("Tea was drunk.\nNobody slept longer.")
    page.get_by_role("button", name="Save this abstract").click()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert page.get_by_role("textbox", name="Abstract").count() == 0


def _settle_boundaries_by_keys(page: Page) -> None:
    page.get_by_role("link", name="Sleep and shift work").click()
    page.get_by_role("link", name="with doubtful sentence boundaries").click()
    expect(page.get_by_role("heading", level=2)).to_have_count(2)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("m")  # no button has the focus: nothing happens
    page.get_by_role("button", name="Merge").first.focus()
    page.keyboard.press("m")
    expect(page.get_by_text("Settled: 2 sentences.")).to_be_visible()
    warm = Document.objects.get(external_id="doi:10.5555/warm")
    assert warm.sentences[0] == "We asked 40 nurses etc. They slept 𝛽 hours."
    expect(page.get_by_role("button", name="Merge")).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_text("Settled: 3 sentences.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo").last).to_be_focused()
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Merge")).to_be_focused()
    dark = Document.objects.get(external_id="doi:10.5555/dark")
    assert dark.has_doubts
    assert len(dark.sentences) == 3


# --- the look --------------------------------------------------------------------


@pytest.fixture
def corpus(newcomer: User) -> Corpus:
    """A corpus with every kind of entry that its pages show."""
    corpus = create_corpus(
        name="Sleep and shift work", owner=newcomer, description="Invented texts."
    )
    for title, text, doi, journal, year in ROWS[1:]:
        record = Record(
            id=ExternalId(f"doi:{doi}"),
            title=str(title),
            text=str(text or ""),
            doi=str(doi),
            journal=str(journal),
            published=str(year),
            authors=("A. Writer", "B. Reader"),
            licence="CC0, invented",
        )
        add_document(corpus=corpus, record=record, actor=newcomer)
    return corpus


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def signed_in_page(
    request: pytest.FixtureRequest,
    live_server: LiveServer,
    browser: Browser,
    newcomer: User,
    theme: str,
) -> Iterator[Page]:
    """The newcomer's page on a phone and on a desk, in both themes."""
    client = Client()
    client.force_login(newcomer)
    width, height = request.param
    context = browser.new_context(
        base_url=live_server.url,
        color_scheme="dark" if theme == "dark" else "light",
        viewport={"width": width, "height": height},
    )
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": cookie,
                "url": live_server.url,
            }
        ]
    )
    yield context.new_page()
    context.close()


def test_every_page_is_accessible_and_fits_the_screen(
    signed_in_page: Page, corpus: Corpus, spreadsheet: Path
) -> None:
    page, root = signed_in_page, f"/corpora/{corpus.slug}/"
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    document = Document.objects.order_by("position")[0]
    for path in (
        "/corpora/",
        "/corpora/new/",
        root,
        f"{root}?q=nothing+like+it",
        f"{root}edit/",
        f"{root}documents/{document.pk}/",
        f"{root}documents/new/",
        f"{root}missing/",
        f"{root}boundaries/",
        f"{root}boundaries/?all={document.pk}",
        f"{root}tables/",
        f"{root}citances/new/",
    ):
        page.goto(path)
        assert_accessible_and_fitting(page)
    _look_at_the_split(page, root)
    _look_at_the_import(page, root, spreadsheet)
    _look_at_the_citances(page, root)
    assert [text for text in complaints if "Content Security Policy" in text] == []


def _look_at_the_split(page: Page, root: str) -> None:
    page.goto(f"{root}documents/new/")
    page.get_by_label("Abstract").fill("We asked nurses etc. They slept well.")
    expect(page.locator("#split .cd-sentence")).to_have_count(2)
    assert_accessible_and_fitting(page)


def _look_at_the_import(page: Page, root: str, spreadsheet: Path) -> None:
    page.goto(f"{root}tables/")
    page.get_by_label("Spreadsheet").set_input_files(spreadsheet)
    page.get_by_role("button", name="Upload and go on").click()
    assert_accessible_and_fitting(page)
    page.get_by_label("Journal").select_option("")
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text("Nothing has been written yet.")).to_be_visible()
    assert_accessible_and_fitting(page)
    page.get_by_role("button", name="Import the abstracts").click()
    expect(page.get_by_role("heading", name="The abstracts are in")).to_be_visible()
    assert_accessible_and_fitting(page)


def _look_at_the_citances(page: Page, root: str) -> None:
    page.goto(f"{root}citances/new/")
    page.get_by_label("Title of the article").fill("A review of sleep")
    page.get_by_label("Paragraph").fill("Sleep matters. Warm beds lengthen it [7].")
    page.get_by_role("button", name="Split into sentences").click()
    page.get_by_label("Warm beds lengthen it [7].").check()
    page.get_by_text("Cites, sentence 2").click()
    page.get_by_label("Find a cited abstract of sentence 2").fill("warm")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("checkbox", name="Warm beds and the sleep").check()
    assert_accessible_and_fitting(page)
    page.get_by_role("button", name="Save the citances").click()
    expect(page.get_by_text("Saved: 1 citance")).to_be_visible()
