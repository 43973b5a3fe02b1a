"""Published evidence, answered by real keys on the real page.

A sample in every run; all pairs, and their figures, by ``python -m benchmarks.keys``.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.shortcuts import DEFAULT_KEYS, sentence_tags
from benchmarks.keys import Evidence, evidence, keys_for, percentile, table, write
from tests.browser.people import at_work
from tests.browser.verifying import (
    expect_claim,
    listbox,
    make_pairs,
    open_first,
    rationales,
)
from tests.paths import REPO, shared_file

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVERY = 48


def _chosen() -> list[Evidence]:
    """Every pair with evidence, or some of them."""
    found = list(evidence(shared_file("data/scifact/corpus.jsonl").parent))
    assert len(found) == 773
    return found if os.environ.get("CLAIMDESK_ALL_KEYS") else found[::EVERY]


def _press(page: Page, wanted: Evidence) -> int:
    """Answer the pair on the page as published; return how many keys it took."""
    tags = [
        option.get_attribute("data-tag") or ""
        for option in listbox(page).get_by_role("option").all()
    ]
    assert tags == sentence_tags(len(wanted.sentences), DEFAULT_KEYS)
    keys = keys_for(wanted, tags)
    for key in keys[:-1]:
        page.keyboard.press(key)
    held = page.evaluate(
        """() => [...new FormData(document.querySelector("[data-judge-form]"))]
            .filter(([name, value]) => value && /^(label|sentence_)/.test(name))"""
    )
    groups: dict[str, list[int]] = {}
    for name, value in held[:-1] if held[-1][0] == "label" else held:
        groups.setdefault(value, []).append(int(name.removeprefix("sentence_")))
    assert held[-1] == ["label", wanted.label]
    assert _sets(groups.values()) == _sets(wanted.rationales)
    page.keyboard.press(keys[-1])
    return len(keys)


def _sets(rationales: Iterable[list[int]]) -> set[frozenset[int]]:
    return {frozenset(sentences) for sentences in rationales}


def test_published_evidence_takes_few_keys(
    live_server: LiveServer, browser: Browser
) -> None:
    wanted = _chosen()
    team, pairs = make_pairs(*(item.sentences for item in wanted))
    counts = []
    with at_work(browser, live_server.url, team.other_annotator) as page:
        open_first(page, team)
        for number, item in enumerate(wanted, start=1):
            expect_claim(page, number)
            counts.append(_press(page, item))
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()
    for pair, item in zip(pairs, wanted, strict=True):
        judgement = pair.judgements.get()
        assert judgement.label == item.label
        assert _sets(rationales(judgement)) == _sets(item.rationales)
    assert statistics.median(counts) <= 4.5
    assert percentile(counts, 0.9) <= 9
    if os.environ.get("CLAIMDESK_ALL_KEYS"):
        assert statistics.median(counts) <= 4
        assert percentile(counts, 0.9) <= 7
        print(f"\n{table(counts)}")  # noqa: T201
    if os.environ.get("CLAIMDESK_ALL_KEYS") == "write":
        write(table(counts), REPO / "docs" / "speed.md")
