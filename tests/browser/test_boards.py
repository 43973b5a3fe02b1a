"""A board in a browser: sorted by its links, accessible, and fit for a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessibility import DESK, PHONE, assert_accessible, assert_fits
from tests.verification.board import make_benchmark, make_phase
from tests.verification.entries import METRIC, make_entry
from verification.models import Phase

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phases() -> list[Phase]:
    """An open, a rounded and a blind phase of one benchmark, each with entries."""
    benchmark = make_benchmark()
    found = [
        make_phase(benchmark, shows=s) for s in ("everything", "overall", "nothing")
    ]
    slices = {"label:SUPPORT": {"n_claims": 20, "metrics": {METRIC: 0.125}}}
    for phase in found:
        about: dict[str, Any] = {"paper_url": "https://example.org/"}
        make_entry(phase, 0.8, system="Algae", score={"slices": slices}, **about)
        make_entry(phase, 0.6, system="Zinnia", is_anonymous=True)
        make_entry(phase, 0.7, system="Fern", standing="disqualified", reason="Copied.")
        make_entry(phase, 0.9, system="Oracle", is_baseline=True)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_of_all_kinds_are_accessible_and_fit_a_phone(
    live_server: LiveServer, page: Page, phases: list[Phase], scheme: str
) -> None:
    for phase in phases:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        page.goto(
            f"{live_server.url}/benchmarks/{phase.benchmark.slug}/phases/{phase.number}/board/"
        )
        assert_accessible(page)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert_fits(page)


def test_a_board_is_sorted_by_its_links(
    live_server: LiveServer, page: Page, phases: list[Phase]
) -> None:
    page.goto(f"{live_server.url}/benchmarks/{phases[0].benchmark.slug}/board/")
    systems = page.locator("tbody th")
    expect(systems).to_contain_text(["Oracle", "Algae", "Zinnia", "Fern"])
    page.get_by_role("link", name="abstract rationalized f1").click()
    expect(systems).to_contain_text(["Zinnia", "Algae", "Oracle", "Fern"])
    page.get_by_role("link", name="System").click()
    expect(systems).to_contain_text(["Algae", "Fern", "Oracle", "Zinnia"])
    page.get_by_label("Claims").select_option("label:SUPPORT")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr").first).to_contain_text("12.50")
