"""The page of verifying for those who do not see it, or see it otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessibility import assert_accessible, assert_fits
from tests.browser.people import at_work
from tests.browser.verifying import TWENTY, listbox, make_pairs, open_first, press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _tree(page: Page) -> list[dict[str, Any]]:
    """The nodes of Chromium's accessibility tree: role, name, states."""
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    return [
        {
            "role": node.get("role", {}).get("value"),
            "name": node.get("name", {}).get("value", ""),
            **{p["name"]: p["value"].get("value") for p in node.get("properties", [])},
        }
        for node in nodes
        if not node.get("ignored")
    ]


def test_roles_and_states_are_in_the_accessibility_tree(
    live_server: LiveServer, browser: Browser
) -> None:
    team, _ = make_pairs(TWENTY[:3], TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "1 a n c")
        nodes = _tree(page)
        (box,) = [n for n in nodes if n["role"] == "listbox"]
        assert box["name"] == "Sentences of the abstract"
        assert box["multiselectable"] is True
        assert box["focused"] is True
        options = [
            n for n in nodes if n["role"] == "option" and "Sentence" in n["name"]
        ]
        assert [n["selected"] for n in options] == [True, False, True]
        assert options[0]["name"].startswith("A ")
        assert "in rationale 1" in options[0]["name"]
        assert "rationale" not in options[1]["name"]
        assert "in rationale 2" in options[2]["name"]
        radios = [n for n in nodes if n["role"] == "radio" and "SUPPORTS" in n["name"]]
        assert [n["checked"] for n in radios] == ["true"]
        live = page.locator("#judge-live")
        expect(live).to_have_text("Sentence C in rationale 2")
        press(page, "Enter")
        expect(live).to_contain_text("Next claim: Invented claim 2")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 768, 390])
def test_a_half_answered_pair_is_accessible(
    live_server: LiveServer, browser: Browser, theme: str, width: int
) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        open_first(page, team)
        press(page, "1 a b c d n e")
        assert_accessible(page)
        assert_fits(page)
        press(page, "f")
        assert_accessible(page)
        press(page, "Escape ?")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert_accessible(page)
        press(page, "Escape")
        expect(listbox(page)).to_be_focused()


def test_tab_reaches_everything(live_server: LiveServer, browser: Browser) -> None:
    team, _ = make_pairs(TWENTY, TWENTY)
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        press(page, "a")
        reached = []
        for _ in range(12):
            press(page, "Tab")
            reached.append(
                page.evaluate(
                    "document.activeElement.getAttribute('aria-label')"
                    " || document.activeElement.innerText"
                    " || document.activeElement.value || ''"
                )
            )
        words = " | ".join(reached)
        for part in ("SUPPORT", "Rationale 1", "New rationale", "Submit and next"):
            assert part in words
        for part in ("Keys and guideline", "Flag for yourself", "Skip this pair"):
            assert part in words
