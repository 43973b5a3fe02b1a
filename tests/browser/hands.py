"""A keyboard alone, or a mouse alone: two ways to do the same on a page."""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 120


class Hands(Protocol):
    """What a person does to controls, whatever with."""

    page: Page

    def fill(self, field: Locator, text: str) -> None:
        """Put a text into a field in place of what is there."""

    def choose(self, radio: Locator) -> None:
        """Choose one of several."""

    def select(self, field: Locator, words: str) -> None:
        """Choose an entry of a list that folds out."""

    def use(self, control: Locator) -> None:
        """Press a button or follow a link."""


class Keyboard:
    """Keys only: Tab leads everywhere."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, control: Locator) -> None:
        """Tab on until a control has the focus; it must be seen by then."""
        expect(control).to_be_visible()
        for _ in range(MOST_TABS):
            if control.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{control} cannot be reached with Tab")

    def press(self, keys: str) -> None:
        """Press keys one after the other: they are parted by spaces.

        The scripts of the page have run by then, so that the keys have a meaning.
        """
        self.page.wait_for_function("document.readyState === 'complete'")
        for key in keys.split():
            self.page.keyboard.press(key)

    def fill(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def choose(self, radio: Locator) -> None:
        """Tab into the group, then walk it with the arrows."""
        name = radio.get_attribute("name")
        group = self.page.locator(f"input[type=radio][name={name}]")
        for _ in range(MOST_TABS):
            if group.evaluate_all("all => all.includes(document.activeElement)"):
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Space")
        for _ in range(group.count()):
            if radio.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"{radio} cannot be chosen with the arrows")

    def select(self, field: Locator, words: str) -> None:
        self.reach(field)
        self.page.keyboard.type(words)
        expect(field.locator("option:checked")).to_have_text(words)

    def use(self, control: Locator) -> None:
        self.reach(control)
        self.page.keyboard.press("Enter")


class Mouse:
    """Clicks only; text comes from the clipboard."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def fill(self, field: Locator, text: str) -> None:
        field.click()
        field.fill(text)

    def choose(self, radio: Locator) -> None:
        radio.check()

    def select(self, field: Locator, words: str) -> None:
        field.select_option(words)

    def use(self, control: Locator) -> None:
        control.click()
