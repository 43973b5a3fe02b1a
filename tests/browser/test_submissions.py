"""Predictions from the file to the board in Chromium, with a worker that does the work.

Errors are read and corrected, the file is submitted and becomes scored while one
watches, the entry is published and withdrawn, and its errors are tagged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from corpus.models import User
from tests.accessibility import (
    DESK,
    PHONE,
    assert_accessible_and_fitting,
    assert_fits,
)
from tests.browser.people import at_work
from tests.factories import UserFactory
from tests.processes import Worker
from tests.verification.board import checked, make_phase, predictions, scored, upload
from verification.models import ClaimTag, Phase, Submission

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A worker has to be started on a machine that may be busy.
SLOWLY = 60_000


@pytest.fixture
def person() -> User:
    user: User = UserFactory()
    return user


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.processes
def test_from_a_faulty_file_to_the_board_and_off_it_again(
    live_server: LiveServer,
    browser: Browser,
    worker: Worker,
    person: User,
    tmp_path: Path,
) -> None:
    phase = make_phase()
    lines = predictions(right=6)
    lines[0]["evidence"] = {"1": {"sentences": ["0"], "label": "SUPPORT"}}
    faulty = written(tmp_path / "faulty.jsonl", lines)
    mended = written(tmp_path / "mended.jsonl", predictions(right=6))
    with at_work(browser, live_server.url, person) as page:
        _read_the_errors(page, phase, faulty)
        _upload_the_mended_file(page, mended)
        _submit_and_watch(page)
        _publish_and_withdraw(page)
        _tag_an_error(page)
    assert worker.is_running


def _read_the_errors(page: Page, phase: Phase, faulty: Path) -> None:
    page.goto(f"/benchmarks/{phase.benchmark.slug}/")
    page.get_by_role("link", name="Submit predictions").click()
    expect(page.get_by_text("submissions left for today")).to_be_visible()
    page.locator("input[type=file]").set_input_files(faulty)
    expect(page.get_by_text("faulty.jsonl,")).to_be_visible()
    page.get_by_role("button", name="Upload and check").click()
    errors = page.get_by_role("region", name="Errors")
    expect(errors).to_be_visible(timeout=SLOWLY)
    expect(errors.get_by_role("row").nth(1)).to_contain_text("integer expected")
    expect(errors.get_by_role("row").nth(1).get_by_role("cell").first).to_have_text("1")
    assert_accessible_and_fitting(page)


def _upload_the_mended_file(page: Page, mended: Path) -> None:
    page.get_by_role("link", name="Upload a corrected file").click()
    page.locator("input[type=file]").set_input_files(mended)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_text("No error was found")).to_be_visible(timeout=SLOWLY)
    assert_accessible_and_fitting(page)


def _submit_and_watch(page: Page) -> None:
    """The page turns from the form to the score by itself."""
    page.get_by_label("Name of the system").fill("Moss 2")
    page.get_by_role("button", name="Submit and score").click()
    expect(page.get_by_role("button", name="Submit and score")).to_have_count(0)
    page.evaluate("window.isStillHere = true")
    score = page.get_by_role("region", name="Measures of score 1")
    expect(score.get_by_role("row", name="abstract rationalized f1")).to_contain_text(
        "66.67", timeout=SLOWLY
    )
    # The page was not loaded again.
    submission = Submission.objects.get(state="scored")
    assert page.url.endswith(f"/submissions/{submission.token}/")
    assert page.evaluate("window.isStillHere") is True
    assert_accessible_and_fitting(page)


def _publish_and_withdraw(page: Page) -> None:
    page.get_by_role("button", name="Publish anonymously").click()
    nameless = page.get_by_role("heading", name="On the board, without names")
    expect(nameless).to_be_visible()
    page.get_by_role("button", name="Show the names").click()
    expect(page.get_by_role("heading", name="On the board", exact=True)).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", name="Withdrawn")).to_be_visible()
    assert_accessible_and_fitting(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="On the board", exact=True)).to_be_visible()


def _tag_an_error(page: Page) -> None:
    page.get_by_role("link", name="Errors claim by claim").click()
    expect(page.get_by_text("4 of 12 claims")).to_be_visible()
    claim = page.get_by_role("article", name="Invented claim 6 on moss and rain.")
    expect(claim.get_by_text("missed").first).to_be_visible()
    claim.get_by_label("numerical reasoning").check()
    claim.get_by_role("button", name="Save tags").click()
    expect(claim.get_by_text("Saved.")).to_be_visible()
    tag = ClaimTag.objects.get()
    assert (tag.claim, tag.tag) == ("6", "numbers")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_every_state_are_accessible_and_fit_a_phone(
    live_server: LiveServer, browser: Browser, person: User, scheme: str
) -> None:
    phase = make_phase()
    bad = [{"id": f"no such claim {'x' * 150}", "evidence": {}}]
    better = scored(upload(phase, person))
    worse = scored(upload(phase, person, _with_everything()))
    states = [upload(phase, person, bad), checked(upload(phase, person)), worse]
    checked(states[0])
    at = [f"/submissions/{one.token}/" for one in states]
    at += [f"/submissions/{worse.token}/claims/?show=all"]
    at += [f"/submissions/{worse.token}/describe/", "/submissions/"]
    at += [f"/benchmarks/{phase.benchmark.slug}/submissions/"]
    at += [f"/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/submit/"]
    with at_work(browser, live_server.url, person) as page:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        for address in at:
            page.goto(address)
            _look(page)
        page.goto(f"/submissions/{worse.token}/compare/")
        page.get_by_label("Compare").select_option(better.token)
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_text("0 won, 4 lost")).to_be_visible()
        _look(page)


def _look(page: Page) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert_accessible_and_fitting(page)


def _with_everything() -> list[dict[str, Any]]:
    """Predictions with sentences of every mark, and a wrong label."""
    lines = predictions(right=7)
    lines[0]["evidence"]["1"]["label"] = "CONTRADICT"
    lines[3]["evidence"]["1"]["sentences"] = [0, 1, 2, 9]
    lines[2]["evidence"] = {
        "1": {"sentences": [1], "label": "SUPPORT"},
        "77": {"sentences": [3], "label": "SUPPORT"},
    }
    return lines
