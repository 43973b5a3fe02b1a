"""Finding evidence in Chromium: keys alone, growing answers, both themes, a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from corpus.live import ML_QUEUE, pulse
from corpus.models import Corpus, User
from tests.accessibility import (
    DESK,
    PHONE,
    assert_accessible_and_fitting,
    assert_fits,
)
from tests.browser.hands import Keyboard
from tests.browser.people import at_work
from tests.factories import DocumentFactory, UserFactory
from tests.paths import REPO
from tests.verification.checks import (
    ANSWER,
    CLAIM,
    kept_check,
    make_check,
    public_corpus,
)
from tests.verification.systems import install_system
from verification.evidence import Answer
from verification.installed_systems import installed_systems
from verification.models import ClaimBatch, FactCheck, Plausibility
from verification.worker.warm import WARM

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

State = FactCheck.State


@pytest.fixture(autouse=True)
def _system(settings: Settings, tmp_path: Path) -> Iterator[None]:
    cache.clear()  # whether a worker was alive a moment ago
    settings.DATA_DIR = tmp_path
    install_system()
    yield
    WARM.systems.clear()
    WARM.corpora.clear()


@pytest.fixture
def corpus() -> Corpus:
    """Two invented abstracts, one of them about the claim."""
    made = public_corpus(name="Garden teas")
    DocumentFactory(
        corpus=made,
        external_id="7",
        title="Nettle tea and knees",
        journal="Invented Journal of Teas",
        published="2019-11",
        sentences=[
            "We followed forty gardeners for a year.",
            "Nettle tea eased knee pain in those who drank it daily.",
        ],
    )
    DocumentFactory(
        corpus=made, external_id="8", title="Moss", sentences=["Moss likes rain."]
    )
    return made


def test_a_claim_is_answered_kept_and_read_with_keys_alone(
    live_server: LiveServer, page: Page, corpus: Corpus
) -> None:
    """The first system of the list answers: the starter, where its models are."""
    keys = Keyboard(page)
    page.goto(f"{live_server.url}/evidence/")
    claim = page.get_by_label("Claim", exact=True)
    expect(claim).to_be_focused()
    expect(page.get_by_label("System").locator("option").first).to_have_text(
        installed_systems()[0].title
    )
    page.keyboard.type(CLAIM)
    keys.press("Enter")
    expect(page.get_by_text("2 abstracts, newest 2019-11")).to_be_visible()
    abstract = page.get_by_role("article", name="Nettle tea and knees")
    expect(abstract).to_contain_text("Invented Journal of Teas")
    keys.use(abstract.get_by_text("The whole abstract"))
    expect(abstract.get_by_text("We followed forty gardeners")).to_be_visible()
    keys.use(page.get_by_role("button", name="Keep with a permalink"))
    expect(page.get_by_text("Kept on")).to_be_visible()
    assert_accessible_and_fitting(page)
    assert FactCheck.objects.get().kept_at


def test_an_answer_grows_without_a_new_page(
    live_server: LiveServer, page: Page
) -> None:
    check = make_check(answer=None)
    page.goto(f"{live_server.url}/evidence/{check.token}/")
    expect(page.get_by_text("No worker with models is running").first).to_be_visible()
    pulse(ML_QUEUE)
    page.evaluate("window.isStillHere = true")
    for state, words in (
        (State.RETRIEVED, "Abstracts found"),
        (State.SELECTED, "rationale 1"),
        (State.DONE, "Refuting"),
    ):
        pulse(ML_QUEUE)
        FactCheck.objects.filter(pk=check.pk).update(
            state=state, result=_as_of(state).to_json()
        )
        expect(page.locator("#answer").get_by_text(words).first).to_be_attached()
    expect(page.locator("#evidence-status")).to_have_text("The answer is there.")
    assert page.evaluate("window.isStillHere") is True


def _as_of(state: str) -> Answer:
    """The answer as it stands after a stage."""
    unknown: dict[str, object] = {"label": "", "probabilities": [], "is_abstaining": 0}
    if state == State.RETRIEVED:
        unknown |= {"chosen": [], "scores": []}
    values = ANSWER.to_json()
    if state != State.DONE:
        values["abstracts"] = [found | unknown for found in values["abstracts"]]
    return Answer.from_json(values)


def test_an_expert_marks_evidence_with_one_key(
    live_server: LiveServer, browser: Browser
) -> None:
    check, expert = kept_check(), UserFactory()
    with at_work(browser, live_server.url, expert) as page:
        page.goto(f"/evidence/{check.token}/")
        abstract = page.get_by_role("article", name="Nettle tea and knees")
        keys = Keyboard(page)
        keys.reach(abstract.get_by_text("The whole abstract"))
        keys.press("p")
        yes = abstract.get_by_role("button", name="Plausible", exact=True)
        expect(yes).to_have_attribute("aria-pressed", "true")
        assert Plausibility.objects.get().is_plausible
        keys.use(yes)
        expect(yes).to_have_attribute("aria-pressed", "false")
        expect(yes).to_be_focused()
        assert not Plausibility.objects.exists()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible_and_fits_a_phone(
    live_server: LiveServer, browser: Browser, corpus: Corpus, scheme: str
) -> None:
    expert: User = UserFactory()
    batch = ClaimBatch.objects.create(
        name="Spring", owner=expert, corpus=corpus, system="plain"
    )
    checks = [
        kept_check(corpus=public_corpus(is_demo=True)),
        make_check(answer=Answer(5183, "2019-11")),
        make_check(answer=None),
        make_check(answer=None, state="failed", error="The models are missing."),
        kept_check(corpus=corpus, batch=batch, position=1),
        make_check(
            corpus, answer=None, batch=batch, position=2, kept_at=timezone.now()
        ),
    ]
    at = [f"/evidence/{check.token}/" for check in checks]
    at += ["/evidence/", "/evidence/batches/", "/evidence/batches/new/"]
    at += [f"/evidence/batches/{batch.token}/"]
    with at_work(browser, live_server.url, expert) as page:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        for address in at:
            page.goto(address)
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            assert_fits(page)
            page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            assert_accessible_and_fitting(page)


def test_the_pictures_show_an_answer(
    live_server: LiveServer, page: Page, tmp_path: Path
) -> None:
    keep = os.environ.get("CLAIMDESK_KEEP_SCREENSHOTS")
    folder = REPO / "docs" / "screenshots" if keep else tmp_path
    check = make_check(public_corpus(name="Garden teas", is_demo=True))
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.goto(f"{live_server.url}/evidence/{check.token}/")
    expect(page.get_by_role("heading", name="Refuting")).to_be_visible()
    page.screenshot(path=folder / "evidence.png")
    assert (folder / "evidence.png").stat().st_size > 10_000
