"""Every page of the site, with the demo in it: accessible, and fit for a phone.

The pages are found by walking the addresses, so a new page is looked at from its
first day. An address whose parameter has no sample below fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Claim, Judgement, Pair, Project
from annotation.selectors.work import negatable_claims
from annotation.services.work_sessions import enter_session
from corpus.models import Job, User
from tests.accessibility import DESK, PHONE, assert_accessible, assert_fits
from tests.browser.demo import open_source
from tests.verification.board import make_benchmark, make_phase, scored, upload
from tests.verification.checks import kept_check, public_corpus
from tests.verification.entries import make_entry
from verification.models import ClaimBatch
from verification.organiser_links import token_of
from verification.services.teams import create_team

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Addresses that are no pages, each with its reason.
NO_PAGES = {
    "accounts/": "allauth's pages have tests of their own in tests/templates",
    "api/": "data, not pages; its documentation page has a test of its own",
    "healthz": "plain text for a supervisor",
    "readyz": "data for a supervisor",
    "metrics": "data for a monitor",
    "files/": "a download",
    "corpora/<slug:slug>/tables/<str:token>/": "steps of an upload, looked at there",
    "corpora/<slug:slug>/import/<str:token>/": "looked at with its upload",
    "corpora/<slug:slug>/articles/import/<str:token>/": "looked at with its upload",
    "projects/<slug:slug>/import/<str:token>/": "looked at with its upload",
    "projects/<slug:slug>/questions/import/<str:token>/": "looked at with its table",
    "projects/<slug:slug>/questions/studies.csv": "a download",
    "projects/<slug:slug>/verify/next/": "a part of the page that verifies pairs",
    "benchmarks/<slug:slug>/files/": "a download",
    "submissions/<str:token>/file/": "a download",
    "benchmarks/scorer.pyz": "a download",
    "benchmarks/<slug:slug>/phases/<int:number>/runs.zip": "a download",
    "join/": "needs a fresh invitation; tested with it",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A value for a parameter, wherever the address begins like this."""

    begins: str
    parameter: str
    value: object


def _samples() -> list[Sample]:
    project = Project.objects.get(protocol="scifact")
    admin = User.objects.get(email="admin@claimdesk.test")
    source = open_source(project)
    claim = project.claims.filter(state=Claim.State.SUBMITTED)[0]
    negatable = negatable_claims().filter(project=project)[0]
    pair = project.pairs.filter(state=Pair.State.OPEN)[0]
    judgements = Judgement.objects.filter(pair__project=project)
    judgement = judgements.filter(state=Judgement.State.SUBMITTED)[0]
    job = Job.objects.create(kind="import_documents", owner=admin)
    now = timezone.now()
    session = enter_session(
        project=project,
        person=admin,
        started_at=now - timedelta(hours=2),
        ended_at=now - timedelta(hours=1),
        break_length=timedelta(minutes=10),
        reason="A meeting.",
    )
    document = project.corpus.documents.filter(has_abstract=True)[0]
    review = Project.objects.get(protocol="core")
    asked = "projects/<slug:slug>/questions/"
    phase = make_phase(make_benchmark(admin))
    submission = scored(upload(phase, admin))
    entry = make_entry(phase, 0.8, is_anonymous=True, paper_url="https://example.org/")
    make_entry(phase, 0.6, standing="disqualified", reason="Trained on the test set.")
    crew = create_team(name="Moss lab", founder=admin)
    return [
        Sample("evidence/batches/", "token", _batch(admin).token),
        Sample("evidence/", "token", kept_check().token),
        Sample("teams/join/", "token", crew.token),
        Sample("teams/", "pk", crew.pk),
        Sample("benchmarks/new/", "task", "scifact_pipeline"),
        Sample("benchmarks/organisers/", "token", token_of(phase.benchmark)),
        Sample("benchmarks/", "number", phase.number),
        Sample("benchmarks/", "token", entry.token),
        Sample("benchmarks/", "pk", 1),
        Sample("benchmarks/", "slug", phase.benchmark.slug),
        Sample("benchmarks/", "number", phase.number),
        Sample("submissions/", "token", submission.token),
        Sample(asked, "slug", review.slug),
        Sample(asked, "question_id", review.questions.earliest("pk").pk),
        Sample("projects/new/", "protocol", "scifact"),
        Sample("projects/", "slug", project.slug),
        Sample("projects/", "source_id", source.pk),
        Sample("projects/<slug:slug>/negate/", "claim_id", negatable.pk),
        Sample(
            "projects/",
            "claim_id",
            claim.pk,
        ),
        Sample("projects/", "pair_id", pair.pk),
        Sample("projects/", "judgement_id", judgement.pk),
        Sample("projects/", "guideline_id", project.guidelines.latest("version").pk),
        Sample("projects/", "stage", "verify"),
        # Sent with POST only: nothing is looked at.
        *(
            Sample("projects/", f"{name}_id", 1)
            for name in ("lease", "event", "skip", "review")
        ),
        Sample("projects/", "kind", "verify"),
        Sample("projects/", "item_id", pair.pk),
        Sample("projects/", "pk", project.memberships.all()[0].pk),
        Sample("corpora/", "slug", project.corpus.slug),
        Sample("corpora/", "document_id", document.pk),
        Sample("corpora/", "pk", document.pk),
        Sample("people/", "pk", admin.pk),
        Sample("me/work/", "pk", session.pk),
        Sample("me/", "pk", 1),
        Sample("notices/", "pk", 1),
        Sample(
            "jobs/",
            "token",
            job.token,
        ),
    ]


def _batch(owner: User) -> ClaimBatch:
    batch = ClaimBatch.objects.create(
        name="Spring", owner=owner, corpus=public_corpus(), system="plain"
    )
    kept_check(corpus=batch.corpus, batch=batch, position=1)
    return batch


def _routes(
    resolver: URLResolver, prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        else:
            yield route, pattern


def _fill(route: str, samples: list[Sample]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        for sample in samples:
            if route.startswith(sample.begins) and sample.parameter == name:
                return str(sample.value)
        raise AssertionError(f"{route}: give {name} a sample in _samples()")

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


def _pages(client: Client) -> list[str]:
    """The addresses that answer a GET with a page of HTML."""
    samples = _samples()
    addresses = []
    for route, _ in _routes(get_resolver()):
        if route.startswith(tuple(NO_PAGES)):
            continue
        address = _fill(route, samples)
        response = client.get(address, follow=True)
        assert response.status_code in {200, 404, 405}, address
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code == 200 and is_page:
            addresses.append(address)
    return addresses


def test_every_page_is_accessible_in_both_themes_and_fits_a_phone(
    live_server: LiveServer, admin_client: Client, admin_page: Page
) -> None:
    complaints: list[str] = []
    admin_page.on("console", lambda message: complaints.append(message.text))
    pages = _pages(admin_client)
    assert len(pages) > 20
    faults = [
        fault
        for address in pages
        for fault in _look(admin_page, live_server.url + address)
    ]
    assert faults == [], "\n".join(faults)
    refused = [text for text in complaints if "Content Security Policy" in text]
    assert refused == []


def _look(page: Page, address: str) -> Iterator[str]:
    """Yield what is wrong with a page in light, in dark, and on a phone."""
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(address)
    yield from _faults(assert_accessible, page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    yield from _faults(assert_accessible, page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    yield from _faults(assert_fits, page)


def _faults(check: Callable[[Page], None], page: Page) -> Iterator[str]:
    try:
        check(page)
    except AssertionError as fault:
        yield str(fault)
