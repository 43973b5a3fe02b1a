"""Batches of claims: the list, its faults, the report, and who finds it plausible."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import (
    DjangoAssertNumQueries,
    DjangoCaptureOnCommitCallbacks,
    Settings,
)

from corpus.models import Corpus, Job, User
from tests.factories import DocumentFactory, UserFactory
from tests.verification.checks import ANSWER, SUPPORTING, public_corpus
from tests.verification.systems import install_system
from verification.evidence import Answer
from verification.models import ClaimBatch, FactCheck, Plausibility
from verification.services import claim_batches as services
from verification.worker.warm import WARM

pytestmark = pytest.mark.django_db

NEW = "/evidence/batches/new/"


@pytest.fixture(autouse=True)
def _system(settings: Settings, tmp_path: Path) -> Iterator[None]:
    cache.clear()  # whether a worker was alive a moment ago
    settings.DATA_DIR = tmp_path
    install_system()
    yield
    WARM.systems.clear()
    WARM.corpora.clear()


@pytest.fixture
def person() -> User:
    user: User = UserFactory()
    return user


@pytest.fixture
def reader(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


@pytest.fixture
def corpus() -> Corpus:
    return public_corpus(name="Teas")


def form(corpus: Corpus, **values: object) -> dict[str, object]:
    return {"name": "Spring", "corpus": corpus.slug, "system": "plain", **values}


def answered_batch(owner: User, corpus: Corpus, answers: list[Answer]) -> ClaimBatch:
    batch = ClaimBatch.objects.create(
        name="Spring", owner=owner, corpus=corpus, system="plain"
    )
    for position, answer in enumerate(answers, start=1):
        FactCheck.objects.create(
            claim=f"Tea number {position} helps.",
            corpus=corpus,
            system="plain",
            batch=batch,
            position=position,
            kept_at=timezone.now(),
            state=FactCheck.State.DONE,
            answered_at=timezone.now(),
            corpus_version=1,
            result=answer.to_json(),
        )
    return batch


def address(batch: ClaimBatch, name: str = "claim_batch") -> str:
    return reverse(f"verification:{name}", args=[batch.token])


def test_a_list_becomes_a_batch_and_a_report(
    reader: Client,
    corpus: Corpus,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    DocumentFactory(corpus=corpus, external_id="7", title="Tea and <b>knees</b>")
    lines = b'{"id": "a", "claim": "Tea eases knee pain."}\n{"claim": "Rain falls."}\n'
    with django_capture_on_commit_callbacks(execute=True):
        response = reader.post(
            NEW, form(corpus, file=SimpleUploadedFile("claims.jsonl", lines))
        )
    batch = ClaimBatch.objects.get()
    assert response["Location"] == address(batch)
    first, second = batch.checks.order_by("position")
    assert (first.external_id, second.external_id) == ("a", "")
    assert (first.state, second.state) == ("done", "done")
    assert first.kept_at
    page = reader.get(address(batch)).content.decode()
    assert "Tea eases knee pain." in page
    assert "Download the report" in page

    report = reader.get(address(batch, "batch_report"))
    assert "attachment" in report["Content-Disposition"]
    text = report.content.decode()
    assert "<script" not in text
    assert "Tea and &lt;b&gt;knees&lt;/b&gt;" in text
    assert "No medical advice" in text
    lines_sent = b"".join(reader.get(address(batch, "batch_lines")))
    entries = [json.loads(line) for line in lines_sent.splitlines()]
    assert [entry["id"] for entry in entries] == ["a", None]
    assert entries[0]["abstracts"][0]["document"] == "7"


def test_pasted_claims_are_taken_too(reader: Client, corpus: Corpus) -> None:
    reader.post(NEW, form(corpus, claims="Tea helps.\r\n\r\nRain falls.\r\n"))
    checks = FactCheck.objects.order_by("position")
    assert [check.claim for check in checks] == ["Tea helps.", "Rain falls."]
    assert Job.objects.get().kind == "check_batch"


def test_a_faulty_file_is_told_by_line_and_can_be_corrected_at_once(
    reader: Client, corpus: Corpus
) -> None:
    lines = b'{"claim": "Tea helps."}\n{"text": "Rain falls."}\n'
    response = reader.post(NEW, form(corpus, file=SimpleUploadedFile("c.jsonl", lines)))
    page = response.content.decode()
    assert "Problems in the list" in page
    assert '<td class="num">2</td>' in page
    assert "&quot;text&quot;: &quot;Rain falls.&quot;" in page
    assert 'value="Spring"' in page
    assert not ClaimBatch.objects.exists()


def test_an_empty_list_is_refused(reader: Client, corpus: Corpus) -> None:
    assert "paste some" in reader.post(NEW, form(corpus)).content.decode()


def test_a_day_has_a_limit(
    reader: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_BATCHES", 1)
    reader.post(NEW, form(corpus, claims="Tea helps."))
    page = reader.post(NEW, form(corpus, claims="Rain falls.")).content.decode()
    assert "which is the limit" in page
    assert "Rain falls." in page


def test_a_report_of_a_demo_says_that_it_is_invented(
    reader: Client, person: User
) -> None:
    batch = answered_batch(person, public_corpus(is_demo=True), [ANSWER])
    report = reader.get(address(batch, "batch_report")).content.decode()
    assert "invented for a demonstration" in report
    assert "invented" in reader.get(address(batch)).content.decode()


def test_a_report_shows_both_sides_and_what_was_retracted(
    reader: Client, person: User, corpus: Corpus
) -> None:
    batch = answered_batch(person, corpus, [ANSWER, Answer(5183)])
    report = reader.get(address(batch, "batch_report")).content.decode()
    for words in ("RETRACTED", ">Supporting<", ">Refuting<", "[1]", "does not mean"):
        assert words in report


def test_plausibility_is_reported_when_all_is_marked_and_to_the_owner_only(
    reader: Client, person: User, corpus: Corpus
) -> None:
    one = Answer(9, "", False, (SUPPORTING,))
    batch = answered_batch(person, corpus, [one, one, one, Answer(9)])
    experts = [UserFactory(), UserFactory()]
    # By hand: the first is plausible (one of two experts), the second is not, the
    # third waits, and the fourth has no evidence.
    checks = list(batch.checks.order_by("position"))
    marks = [(0, 0, True), (0, 1, False), (1, 0, False)]
    for check, expert, value in marks:
        Plausibility.objects.create(
            check_of=checks[check],
            document="11",
            rater=experts[expert],
            is_plausible=value,
        )
    assert "1 of 4 answers still have" in reader.get(address(batch)).content.decode()
    Plausibility.objects.create(
        check_of=checks[2], document="11", rater=experts[0], is_plausible=True
    )
    page = reader.get(address(batch)).content.decode()
    # 2 of 4; the interval is SciPy's.
    assert "<strong>2 of 4</strong>" in page
    assert "0.150 to 0.850" in page
    assert "2 of 4" in reader.get(address(batch, "batch_report")).content.decode()
    other = Client()
    other.force_login(experts[1])
    for name in ("claim_batch", "batch_report"):
        text = other.get(address(batch, name)).content.decode()
        assert "2 of 4" not in text
    assert '<td class="num">1</td>' in other.get(address(batch)).content.decode()


def test_a_poll_brings_the_progress_and_then_the_page(
    reader: Client, person: User, corpus: Corpus
) -> None:
    batch = answered_batch(person, corpus, [ANSWER])
    poll = {"hx-request": "true"}
    assert reader.get(address(batch), headers=poll)["HX-Refresh"] == "true"
    FactCheck.objects.update(state=FactCheck.State.WAITING)
    progress = reader.get(address(batch), headers=poll)
    assert "0 of 1 claims" in progress.content.decode()
    assert "No worker with models is running" in progress.content.decode()


def test_lists_ask_the_database_the_same_however_long_they_are(
    reader: Client,
    person: User,
    corpus: Corpus,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    small = answered_batch(person, corpus, [ANSWER])
    urls = [address(small), "/evidence/batches/", address(small, "batch_report")]
    counts = []
    for url in urls:
        with CaptureQueriesContext(connection) as queries:
            reader.get(url)
        counts.append(len(queries))
    large = answered_batch(person, corpus, [ANSWER] * 4)
    urls = [address(large), "/evidence/batches/", address(large, "batch_report")]
    for url, count in zip(urls, counts, strict=True):
        with django_assert_num_queries(count):
            reader.get(url)


def test_only_own_batches_are_listed(reader: Client, corpus: Corpus) -> None:
    answered_batch(UserFactory(), corpus, [ANSWER])
    assert "No batch yet" in reader.get("/evidence/batches/").content.decode()
