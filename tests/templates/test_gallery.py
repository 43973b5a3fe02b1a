"""The gallery of parts in Chromium: accessible, and never wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.accessibility import PHONE, assert_accessible_and_fitting

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("gallery_urls"),
]

PATHS = [
    "/gallery/",
    "/gallery/?errors&worker",
    "/gallery/home/",
    "/gallery/error/403/",
    "/nothing-here/",
]


def test_every_part_is_accessible_and_fits_the_screen(
    live_server: LiveServer, themed_page: Page
) -> None:
    complaints: list[str] = []
    themed_page.on("console", lambda message: complaints.append(message.text))
    for path in PATHS:
        themed_page.goto(live_server.url + path)
        assert_accessible_and_fitting(themed_page)
    refused = [text for text in complaints if "Content Security Policy" in text]
    assert refused == []


def test_a_finished_job_stops_asking(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url + "/gallery/")
    page.get_by_text("Done: 5183 abstracts are in.").wait_for(timeout=30_000)
    assert page.locator("#progress-a[hx-get]").count() == 0


def test_the_focus_stays_on_cancel_while_the_bar_moves(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/")
    page.get_by_role("button", name="Cancel").focus()
    page.get_by_text("4\u202f183 of 5\u202f183").wait_for(timeout=30_000)
    assert page.evaluate("document.activeElement.id") == "progress-a-cancel"


def test_a_failing_request_is_told_once(live_server: LiveServer, page: Page) -> None:
    page.goto(live_server.url + "/gallery/?down")
    for _ in range(2):
        with page.expect_response("**/gallery/progress/0/"):
            pass
    note = page.locator("#messages .cd-alert")
    note.get_by_text("The server answered 503; nothing was changed.").wait_for()
    assert note.count() == 1


def test_the_first_tab_stop_skips_to_the_content(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_chosen_theme_holds_on_the_next_page(
    live_server: LiveServer, page: Page
) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(live_server.url + "/gallery/")
    page.get_by_label("Display:").click()
    page.get_by_label("Dark").check()
    page.goto(live_server.url + "/gallery/home/")
    assert page.locator("html").get_attribute("data-bs-theme") == "dark"


def test_a_chosen_text_size_changes_the_text_at_once(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/")
    sentences = page.locator(".cd-sentences")
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    before = sentences.evaluate(size)
    page.get_by_label("Display:").click()
    page.get_by_label("Larger").check()
    assert before == 17
    assert sentences.evaluate(size) == pytest.approx(17 * 1.3125)


def test_an_open_menu_fits_a_phone(live_server: LiveServer, page: Page) -> None:
    width, height = PHONE
    page.set_viewport_size({"width": width, "height": height})
    page.goto(live_server.url + "/gallery/")
    page.get_by_label("Display:").click()
    box = page.locator("details[open] .cd-menu-body").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_escape_closes_a_menu_and_returns_to_its_button(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/")
    page.get_by_label("Display:").click()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.locator("details.cd-menu[open]").count() == 0
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_a_file_above_the_limit_is_refused_with_both_sizes(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/")
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x" * 3072}
    page.locator("#id_file").set_input_files(file)  # type: ignore[arg-type]
    note = page.locator("[data-file-note]")
    assert note.text_content() == "a.csv has 3.0 KB; at most 2.0 KB can be uploaded."
    assert page.locator("#id_file").evaluate("field => field.checkValidity()") is False


def test_the_copy_button_copies_the_text(live_server: LiveServer, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(live_server.url + "/gallery/")
    page.get_by_role("button", name="Copy DOI").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "10.0000/invented.42"


def test_the_error_summary_leads_to_the_field(
    live_server: LiveServer, page: Page
) -> None:
    page.goto(live_server.url + "/gallery/?errors")
    page.get_by_role("alert").get_by_role("link", name="Mail").click()
    assert page.evaluate("document.activeElement.name") == "mail"


def test_paper_is_light_in_the_dark_theme(live_server: LiveServer, page: Page) -> None:
    page.emulate_media(color_scheme="dark", media="print")
    page.goto(live_server.url + "/gallery/")
    colours = """() => ["body", ".cd-mark", ".cd-state-good"].map((selector) => {
        const style = getComputedStyle(document.querySelector(selector));
        return [style.backgroundColor, style.color];
    })"""
    assert page.evaluate(colours) == [
        ["rgb(255, 255, 255)", "rgb(28, 31, 36)"],
        ["rgb(53, 72, 168)", "rgb(255, 255, 255)"],
        ["rgb(225, 243, 236)", "rgb(0, 102, 76)"],
    ]
