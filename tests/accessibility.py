"""What every page must be in a browser: accessible, and no wider than the screen."""

from __future__ import annotations

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PHONE, DESK = (390, 844), (1280, 900)


def assert_accessible_and_fitting(page: Page) -> None:
    """Fail on an axe violation or a horizontal page scroll; keep a screenshot."""
    assert_accessible(page)
    assert_fits(page)


def assert_accessible(page: Page) -> None:
    """Fail on an axe violation; keep a screenshot.

    Screenshots are kept where ``CLAIMDESK_SCREENSHOTS`` names a folder.
    """
    _keep_screenshot(page)
    # A theme that was switched just now is on the screen two frames later.
    page.evaluate(
        "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
    )
    results = Axe().run(page)
    assert results.violations_count == 0, page.url + results.generate_report()


def assert_fits(page: Page) -> None:
    """Fail on a horizontal page scroll; keep a screenshot."""
    _keep_screenshot(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0, f"{page.url} is {overflow} px wider than the screen"


def _keep_screenshot(page: Page) -> None:
    folder = os.environ.get("CLAIMDESK_SCREENSHOTS")
    if not folder:
        return
    path = page.evaluate("location.pathname + location.search").strip("/") or "home"
    name = "".join(character if character.isalnum() else "-" for character in path)
    theme = page.evaluate("document.documentElement.dataset.bsTheme")
    width = page.evaluate("innerWidth")
    page.screenshot(path=Path(folder) / f"{name}-{width}-{theme}.png", full_page=True)
