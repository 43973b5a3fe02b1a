"""An organiser at work: gold with an error, a phase that closes AoE, the countdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessibility import PHONE, assert_accessible, assert_fits
from tests.browser.people import at_work
from tests.factories import UserFactory
from tests.verification.board import corpus_lines, gold_lines
from verification.models import Benchmark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_organiser_opens_a_benchmark(
    live_server: LiveServer, browser: Browser
) -> None:
    with at_work(browser, live_server.url, UserFactory()) as page:
        page.goto("/benchmarks/")
        page.get_by_role("link", name="New benchmark").click()
        page.get_by_role("link", name="Choose Whole pipeline, SciFact").click()
        _upload_gold(page)
        _add_phase(page)
        _watch_the_countdown(page)


def _upload_gold(page: Page) -> None:
    """A label is wrong at first: only the gold has to be chosen again."""
    page.get_by_label("Name", exact=True).fill("Moss and rain")
    page.locator("#id_gold").set_input_files(_file("gold.jsonl", _wrong_gold()))
    page.locator("#id_corpus").set_input_files(_file("corpus.jsonl", corpus_lines()))
    button = page.get_by_role("button", name="Check the gold and create the benchmark")
    button.click()
    row = page.get_by_role("row").filter(has_text="MAYBE")
    expect(row.get_by_role("cell").nth(1)).to_have_text("4")
    expect(page.get_by_text("corpus.jsonl", exact=False).first).to_be_visible()
    assert_accessible(page)
    page.locator("#id_gold").set_input_files(_file("gold.jsonl", gold_lines()))
    button.click()
    expect(page.get_by_role("heading", name="New phase")).to_be_visible()
    assert_accessible(page)


def _add_phase(page: Page) -> None:
    page.get_by_label("blind test").check()
    page.get_by_label("Name", exact=True).fill("Test")
    page.get_by_label("nothing until the phase closes").check()
    page.locator("#id_closes_at").fill("2150-12-01T23:59")
    page.get_by_role("button", name="Add the phase").click()
    expect(page.get_by_text("2150-12-01 23:59 AoE")).to_be_visible()
    expect(page.get_by_text("2150-12-02 11:59 UTC")).to_be_visible()
    gold_set = Benchmark.objects.get().gold_sets.get()
    assert gold_set.corpus is not None


def _watch_the_countdown(page: Page) -> None:
    """The page is told that it closes in two minutes, and counts them down."""
    shown = page.locator("[data-countdown]")
    expect(shown).to_have_text(re.compile(r"^\d+ days \d+ h$"))
    shown.evaluate(
        "e => e.dataset.countdown = new Date(Date.parse(e.dataset.now) + 120e3)"
        ".toISOString()"
    )
    expect(shown).to_have_text(re.compile(r"^1 min \d\d s$"))
    before = shown.text_content() or ""
    expect(shown).not_to_have_text(before)
    assert_accessible(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)


def _wrong_gold() -> list[dict[str, Any]]:
    lines = gold_lines()
    lines[3]["evidence"] = {"1": [{"sentences": [0], "label": "MAYBE"}]}
    return lines


def _file(name: str, lines: Sequence[Mapping[str, Any]]) -> FilePayload:
    content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return {"name": name, "mimeType": "application/jsonl", "buffer": content}
