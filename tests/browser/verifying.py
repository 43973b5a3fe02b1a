"""Pairs to verify in a browser, and what people do on the page."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from annotation.models import Judgement, Pair, Source
from annotation.services.claim_reviews import approve_claim
from annotation.services.claims import Draft, write_claims
from annotation.services.sources import add_sources
from corpus.records import ClaimKind
from tests.factories import CitanceFactory, DocumentFactory, Team, make_team

TWENTY = [f"Sentence number {n} of an invented abstract." for n in range(1, 21)]


def make_pairs(
    *abstracts: Sequence[str], protocol: str = "scifact", team: Team | None = None
) -> tuple[Team, list[Pair]]:
    """One open pair for each abstract, in order; ``annotator`` wrote the claims."""
    team = team or make_team(protocol=protocol, citances=0)
    for number, sentences in enumerate(abstracts, start=1):
        document = DocumentFactory(
            corpus=team.corpus, sentences=list(sentences), title=f"Abstract {number}"
        )
        CitanceFactory(in_corpus=team.corpus, documents=[document])
    add_sources(project=team.project, actor=team.admin)
    sources = team.project.sources.filter(state="open").order_by("position")
    return team, [_pair(team, source, n) for n, source in enumerate(sources, start=1)]


def _pair(team: Team, source: Source, number: int) -> Pair:
    (claim,) = write_claims(
        source=source,
        author=team.annotator,
        drafts=[Draft(f"Invented claim {number} on nettle tea.", ClaimKind.COMPOSED)],
        submission_key=uuid.uuid4(),
    )
    approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    return claim.pairs.get()


def listbox(page: Page) -> Locator:
    """The sentences of the pair on the page."""
    return page.get_by_role("listbox", name="Sentences of the abstract")


def open_first(page: Page, team: Team) -> Locator:
    """Go to the next pair and wait until its keys work."""
    page.goto(f"/projects/{team.project.slug}/verify/")
    expect(listbox(page)).to_be_focused()
    return listbox(page)


def press(page: Page, keys: str) -> None:
    """Press keys one after the other: words are parted by spaces."""
    for key in keys.split():
        page.keyboard.press(key)


def expect_claim(page: Page, number: int) -> None:
    """Wait until this claim is on the page and its keys work."""
    words = f"Invented claim {number} on nettle tea."
    expect(page.locator(".cd-claim")).to_have_text(words)
    expect(listbox(page)).to_be_focused()


def rationales(judgement: Judgement) -> list[list[int]]:
    """The sentences of each rationale."""
    return [r.sentences for r in judgement.rationales.order_by("ordinal")]


def expect_sent(page: Page, word: str) -> None:
    """Wait until the server has taken the last answer."""
    expect(page.locator("#judge-outcome")).to_contain_text(f"Submitted: {word}.")
