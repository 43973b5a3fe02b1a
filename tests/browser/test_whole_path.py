"""From a citance to the exported file on the real pages, by each hand alone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Claim, Judgement
from corpus.models import User
from tests.browser.hands import Hands, Keyboard, Mouse
from tests.browser.people import at_work
from tests.factories import Team, make_team

pytestmark = [
    pytest.mark.browser,
    pytest.mark.main_path,
    pytest.mark.django_db(transaction=True),
]

CLAIM = "Nettle tea eases knee pain."
NEGATION = "Nettle tea worsens knee pain."
NOTE = "The last sentence contradicts it."


class Path:
    """The steps of the path; each is done by somebody at a browser of their own."""

    def __init__(
        self, team: Team, browser: Browser, address: str, hands: Callable[[Page], Hands]
    ) -> None:
        self.team = team
        self._browser = browser
        self._address = address
        self._hands = hands

    def at(self, user: User, page_name: str, do: Callable[[Hands], None]) -> None:
        """Let somebody open a page of the project and do something there."""
        with at_work(self._browser, self._address, user) as page:
            page.goto(f"/projects/{self.team.project.slug}/{page_name}/")
            do(self._hands(page))

    def walk(self) -> bytes:
        """Take every step, and return the exported file."""
        team, exported = self.team, list[bytes]()
        self.at(team.annotator, "write", self._write)
        self.at(team.reviewer, "proofread", self._approve_claim)
        self.at(team.annotator, "negate", self._negate)
        self.at(team.reviewer, "proofread", self._approve_claim)
        self.at(team.admin, "verify", self._verify)
        self.at(team.other_annotator, "verify", self._verify_negation)
        self.at(team.reviewer, "review", self._review)
        self.at(team.other_annotator, "verify", self._answer)
        self.at(team.reviewer, "review", self._approve_answer)
        self.at(team.admin, "export", lambda hands: exported.append(_export(hands)))
        return exported[0]

    def _write(self, hands: Hands) -> None:
        page = hands.page
        hands.fill(page.get_by_label("Claim 1"), CLAIM)
        _submit(hands, "Submit and next", "Control+Enter")
        expect(page.get_by_text("Submitted: 1 for proofreading.")).to_be_visible()

    def _negate(self, hands: Hands) -> None:
        page = hands.page
        hands.fill(page.get_by_label("Negation", exact=True), NEGATION)
        _submit(hands, "Submit and next", "Control+Enter")
        expect(
            page.get_by_text("Submitted: the negation waits for proofreading.")
        ).to_be_visible()

    def _approve_claim(self, hands: Hands) -> None:
        page = hands.page
        hands.use(page.get_by_role("button", name="Proofread the next claim"))
        expect(page.locator("#claim")).to_be_focused()
        _submit(hands, "Approve and next", "a")
        expect(page.get_by_text("The last one: approved.")).to_be_visible()

    def _verify(self, hands: Hands) -> None:
        """Judge the original; who did so never gets its negation."""
        self._judge(hands, CLAIM, "SUPPORTS", "1 c Enter")

    def _verify_negation(self, hands: Hands) -> None:
        self._judge(hands, NEGATION, "NOT ENOUGH INFO", "3 Enter")

    def _judge(self, hands: Hands, claim: str, label: str, keys: str) -> None:
        page = hands.page
        expect(page.locator(".cd-claim")).to_have_text(claim)
        expect(page.get_by_role("listbox")).to_be_focused()
        if isinstance(hands, Keyboard):
            hands.press(keys)
        else:
            if label == "SUPPORTS":
                page.get_by_role("option").nth(2).click()
            page.locator(".cd-label-choice", has_text=label).click()
            hands.use(page.get_by_role("button", name="Submit and next"))
        expect(page.get_by_text("No pair is waiting for you")).to_be_visible()

    def _review(self, hands: Hands) -> None:
        page = hands.page
        hands.use(page.get_by_role("button", name="Review the next judgement"))
        expect(page.locator(".cd-claim")).to_have_text(CLAIM)
        expect(page.locator(".cd-sentence.is-rationale")).to_have_count(1)
        expect(page.get_by_role("listbox")).to_be_focused()
        _submit(hands, "Approve and next", "a")
        expect(page.locator(".cd-claim")).to_have_text(NEGATION)
        expect(page.get_by_role("listbox")).to_be_focused()
        if isinstance(hands, Keyboard):
            hands.press("1")
        else:
            hands.choose(page.get_by_label("Label does not follow"))
        hands.fill(page.get_by_label("Note on the whole"), NOTE)
        hands.use(page.get_by_role("button", name="Request changes"))
        expect(page.get_by_text("The last one: changes requested.")).to_be_visible()

    def _answer(self, hands: Hands) -> None:
        page = hands.page
        expect(page.get_by_text(NOTE)).to_be_visible()
        hands.select(page.get_by_label("Sentence 3", exact=True), "Rationale 1")
        hands.choose(page.get_by_label("REFUTES"))
        hands.use(page.get_by_role("button", name="Send back"))
        expect(page.get_by_text("Sent back for review.")).to_be_visible()

    def _approve_answer(self, hands: Hands) -> None:
        page = hands.page
        hands.use(page.get_by_role("button", name="Review the next judgement"))
        expect(page.locator(".cd-claim")).to_have_text(NEGATION)
        expect(page.get_by_role("listbox")).to_be_focused()
        _submit(hands, "Approve and next", "a")
        expect(page.get_by_text("The last one: approved.")).to_be_visible()


def _submit(hands: Hands, button: str, keys: str) -> None:
    """Send what is on the page by its own keys, or by its button."""
    if isinstance(hands, Keyboard):
        hands.press(keys)
    else:
        hands.use(hands.page.get_by_role("button", name=button))


def _export(hands: Hands) -> bytes:
    page = hands.page
    expect(page.locator("#preview")).to_contain_text(NEGATION)
    with page.expect_download() as downloading:
        hands.use(page.get_by_role("button", name="Download the file"))
    return downloading.value.path().read_bytes()


@pytest.mark.parametrize("hands", [Keyboard, Mouse])
def test_a_claim_and_its_negation_go_all_the_way(
    live_server: LiveServer, browser: Browser, hands: Callable[[Page], Hands]
) -> None:
    team = make_team(citances=1)
    exported = Path(team, browser, live_server.url, hands).walk()
    original, negation = map(json.loads, exported.splitlines())
    cited = team.corpus.documents.get()
    support = {"sentences": [2], "label": "SUPPORT"}
    assert original["claim"] == CLAIM
    assert original["evidence"] == {cited.external_id: [support]}
    assert negation["claim"] == NEGATION
    assert negation["evidence"] == {
        cited.external_id: [support | {"label": "CONTRADICT"}]
    }
    assert set(Claim.objects.values_list("state", flat=True)) == {"approved"}
    answered = Judgement.objects.latest("pk")
    assert [v.label for v in answered.versions.order_by("number")] == [
        "NOT_ENOUGH_INFO",
        "CONTRADICT",
    ]
