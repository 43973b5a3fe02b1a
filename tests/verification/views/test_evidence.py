"""Finding evidence: asking, the answer, keeping it, marking it, and its files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from corpus.exceptions import DomainError
from corpus.live import ML_QUEUE, pulse
from corpus.models import Corpus
from corpus.models.library import Visibility
from tests.factories import CorpusFactory, DocumentFactory, UserFactory
from tests.verification.checks import (
    ANSWER,
    CLAIM,
    RETRACTED,
    SHY,
    SUPPORTING,
    UNCLEAR,
    kept_check,
    make_check,
    public_corpus,
)
from tests.verification.systems import install_system
from verification.evidence import Answer
from verification.models import FactCheck, Plausibility
from verification.services import evidence, evidence_limits
from verification.services.evidence_keeping import mark_abstract
from verification.worker.serving import serve_waiting_checks
from verification.worker.warm import WARM

pytestmark = pytest.mark.django_db

ASK = "/evidence/"


@pytest.fixture(autouse=True)
def _system(settings: Settings, tmp_path: Path) -> Iterator[None]:
    cache.clear()  # whether a worker was alive a moment ago
    settings.DATA_DIR = tmp_path
    install_system()
    yield
    WARM.systems.clear()
    WARM.corpora.clear()


def address(check: FactCheck, name: str = "evidence_answer") -> str:
    return reverse(f"verification:{name}", args=[check.token])


def ask(client: Client, corpus: Corpus, claim: str = CLAIM) -> FactCheck:
    wanted = {"claim": claim, "corpus": corpus.slug, "system": "plain"}
    response = client.post(ASK, wanted)
    assert response.status_code == 302, response.content.decode()
    return FactCheck.objects.get(token=response["Location"].split("/")[-2])


def page_of(client: Client, check: FactCheck) -> str:
    return client.get(address(check)).content.decode()


def test_a_visitors_claim_gets_an_answer(client: Client) -> None:
    corpus = public_corpus(name="Teas")
    DocumentFactory(corpus=corpus, external_id="7", published="2019-11")
    check = ask(client, corpus, " Nettle tea\r\neases knee pain. ")
    assert check.claim == "Nettle tea eases knee pain."
    assert "hx-get" in page_of(client, check)
    serve_waiting_checks()
    page = page_of(client, check)
    assert "1 abstract, newest 2019-11" in page
    assert "Knee pain did not differ between the halves." in page
    assert "hx-get" not in page
    assert "/corpora/teas/documents/" in page


def test_an_address_is_kept_as_a_hash_that_changes_every_day(client: Client) -> None:
    check = ask(client, public_corpus())
    assert check.client == evidence_limits.client_key("127.0.0.1", check.asked_at)
    assert "127.0.0.1" not in check.client
    tomorrow = check.asked_at + timedelta(days=1)
    assert check.client != evidence_limits.client_key("127.0.0.1", tomorrow)


def test_addresses_of_one_household_count_together() -> None:
    def key(address: str) -> str:
        return evidence_limits.client_key(address, timezone.now())

    assert key("2001:db8::1") == key("2001:db8::ffff:2") != key("2001:db8:0:1::1")
    assert key("192.0.2.1") != key("192.0.2.2")
    assert key("unknown") == key("unknown")


def test_who_is_signed_in_is_kept_instead_of_an_address(client: Client) -> None:
    person = UserFactory()
    client.force_login(person)
    check = ask(client, public_corpus())
    assert (check.asked_by, check.client) == (person, "")


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.INSTANCE])
def test_a_corpus_that_is_not_public_is_neither_offered_nor_searched(
    client: Client, visibility: Visibility
) -> None:
    owner = UserFactory()
    hidden = CorpusFactory(visibility=visibility, owner=owner, name="Hidden herbs")
    public_corpus()
    client.force_login(owner)
    assert "Hidden herbs" not in client.get(ASK).content.decode()
    wanted = {"claim": CLAIM, "corpus": hidden.slug, "system": "plain"}
    response = client.post(ASK, wanted)
    assert "everybody may read" in response.content.decode()
    assert CLAIM in response.content.decode()
    assert not FactCheck.objects.exists()


def test_who_asks_too_much_is_told_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_limits, "VISITOR_CLAIMS", 2)
    corpus, now = public_corpus(), timezone.now()
    ask(client, corpus)
    earlier = ask(client, corpus)
    earlier_at = now - timedelta(minutes=50)
    FactCheck.objects.filter(pk=earlier.pk).update(
        asked_at=earlier_at, client=evidence_limits.client_key("127.0.0.1", earlier_at)
    )
    wanted = {"claim": CLAIM, "corpus": corpus.slug, "system": "plain"}
    response = client.post(ASK, wanted)
    assert response.status_code == 429
    assert 590 < int(response["Retry-After"]) <= 600
    page = response.content.decode()
    assert "Ask again in 10 minutes" in page
    assert CLAIM in page
    # Another address has room.
    other = client.post(ASK, wanted, REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 302


def test_nothing_to_search_is_said(client: Client) -> None:
    assert "No corpus to search" in client.get(ASK).content.decode()


def test_a_missing_worker_is_said_at_once(client: Client) -> None:
    check = make_check(answer=None)
    assert "No worker with models is running" in page_of(client, check)
    pulse(ML_QUEUE)
    assert "No worker with models" not in page_of(client, check)


def test_a_poll_brings_only_news(client: Client) -> None:
    pulse(ML_QUEUE)
    check = make_check(answer=None)
    poll = {"hx-request": "true"}
    seen = client.get(f"{address(check)}?seen=waiting-works", headers=poll)
    assert seen.status_code == 204
    check.state = FactCheck.State.RETRIEVED
    check.save()
    news = client.get(f"{address(check)}?seen=waiting-works", headers=poll)
    assert news.content.decode().lstrip().startswith('<div id="answer"')


def test_both_sides_stand_beside_each_other_without_a_tally(client: Client) -> None:
    page = page_of(client, make_check())
    order = [
        page.index(words)
        for words in (
            "5,183 abstracts, newest 2019-11",
            "Retracted: no evidence",
            "Miracles of nettle",
            ">Supporting<",
            "Nettle tea and knees",
            ">Refuting<",
            "No effect of tea on knees",
            "Found, but no clear evidence",
            "Tea in gardens",
            "Tea and rain",
        )
    ]
    assert order == sorted(order)
    assert page.count("cd-label-support") == 1  # the retracted one has no label
    assert "confidence 0.87" in page
    assert 'href="https://doi.org/10.5555/nettle.11"' in page
    assert 'href="https://pubmed.ncbi.nlm.nih.gov/1234567/"' in page
    assert "No medical advice" in page
    assert "No evidence in this corpus" not in page


@pytest.mark.parametrize("found", [(), (UNCLEAR,), (RETRACTED,)])
def test_nothing_found_does_not_mean_false(
    client: Client, found: tuple[object, ...]
) -> None:
    check = make_check(answer=Answer(5183, "2019-11", False, found))  # type: ignore[arg-type]
    assert (
        "No evidence in this corpus. This does not mean that the claim is false."
        in page_of(client, check)
    )


@pytest.mark.parametrize("name", ["evidence_answer", "evidence_json", "evidence_csv"])
def test_invented_abstracts_are_said_to_be_invented(client: Client, name: str) -> None:
    check = make_check(public_corpus(is_demo=True))
    text = client.get(address(check, name)).content.decode()
    words = {"evidence_csv": ",yes,"}.get(name, "invented for a demonstration")
    assert words in text


def test_an_answer_that_nobody_keeps_can_be_opened_for_an_hour(client: Client) -> None:
    check = make_check()
    assert "is removed at" in page_of(client, check)
    asked_at = timezone.now() - timedelta(hours=1)
    FactCheck.objects.filter(pk=check.pk).update(asked_at=asked_at)
    for name in ("evidence_answer", "evidence_json", "evidence_csv"):
        assert client.get(address(check, name)).status_code == 404
    assert client.post(address(check, "keep_evidence")).status_code == 404


def test_a_permalink_stays_with_corpus_system_and_date(client: Client) -> None:
    check = make_check()
    assert client.post(address(check, "keep_evidence")).status_code == 302
    asked_at = timezone.now() - timedelta(days=400)
    FactCheck.objects.filter(pk=check.pk).update(asked_at=asked_at)
    page = page_of(client, check)
    assert "Kept on" in page
    assert "(version 3)" in page
    assert "abababababab" in page
    assert asked_at.strftime("%Y-%m-%d") in page


def test_a_permalink_can_be_taken_back_within_the_hour(client: Client) -> None:
    check = kept_check()
    assert "Do not keep it" in page_of(client, check)
    client.post(address(check, "release_evidence"))
    assert "is removed at" in page_of(client, check)
    marked = kept_check()
    Plausibility.objects.create(
        check_of=marked, document="11", rater=UserFactory(), is_plausible=True
    )
    old = kept_check()
    asked_at = timezone.now() - timedelta(hours=1)
    FactCheck.objects.filter(pk=old.pk).update(asked_at=asked_at)
    for kept in (marked, old):
        response = client.post(address(kept, "release_evidence"), follow=True)
        assert "no longer be taken back" in response.content.decode()
        assert "Kept on" in response.content.decode()


def test_what_somebody_asked_with_an_account_only_they_take_back(
    client: Client,
) -> None:
    asker = UserFactory()
    check = kept_check(asked_by=asker)
    assert "Do not keep it" not in page_of(client, check)
    response = client.post(address(check, "release_evidence"), follow=True)
    assert "Only whoever asked" in response.content.decode()
    client.force_login(asker)
    assert "Do not keep it" in page_of(client, check)
    client.post(address(check, "release_evidence"))
    assert "is removed at" in page_of(client, check)


def test_an_answer_that_was_taken_back_meanwhile_is_not_marked() -> None:
    seen = kept_check()
    FactCheck.objects.filter(pk=seen.pk).update(kept_at=None)
    with pytest.raises(DomainError, match="Keep this answer first"):
        mark_abstract(check=seen, document="11", rater=UserFactory(), is_plausible=True)
    assert not Plausibility.objects.exists()


def test_a_page_that_polls_stops_when_its_answer_is_gone(client: Client) -> None:
    check = make_check(answer=None)
    FactCheck.objects.filter(pk=check.pk).delete()
    response = client.get(address(check), headers={"HX-Request": "true"})
    assert response.status_code == 286
    assert "This answer is gone" in response.content.decode()
    assert "hx-get" not in response.content.decode()


def test_confidence_is_that_of_the_label_and_of_nothing_else() -> None:
    assert SUPPORTING.confidence == 0.87
    unsure = replace(SUPPORTING, label="SUPPORT", probabilities=(0.1, 0.6, 0.3))
    assert unsure.confidence == 0.3
    assert UNCLEAR.confidence is None
    assert SHY.confidence == 0.5


def test_while_very_many_wait_a_claim_is_refused_and_stays_in_the_form(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MAX_WAITING", 1)
    corpus = public_corpus()
    ask(client, corpus)
    page = client.post(ASK, {"claim": CLAIM, "corpus": corpus.slug, "system": "plain"})
    assert "Many claims wait" in page.content.decode()
    assert CLAIM in page.content.decode()


def test_only_a_whole_answer_is_kept(client: Client) -> None:
    check = make_check(answer=None)
    response = client.post(address(check, "keep_evidence"), follow=True)
    assert "Only a whole answer" in response.content.decode()
    check.refresh_from_db()
    assert check.kept_at is None


def test_permalinks_have_a_limit(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_limits, "VISITOR_PERMALINKS", 1)
    kept_check(client="a")
    check = make_check(client="a")
    response = client.post(address(check, "keep_evidence"), follow=True)
    assert "as many answers today" in response.content.decode()


def test_an_answer_goes_when_its_corpus_is_no_longer_public(client: Client) -> None:
    check = kept_check()
    Corpus.objects.update(visibility=Visibility.PRIVATE)
    assert client.get(address(check)).status_code == 404


def test_search_engines_are_sent_away(client: Client) -> None:
    check = kept_check()
    for name in ("evidence_answer", "evidence_json", "evidence_csv"):
        assert "noindex" in client.get(address(check, name))["X-Robots-Tag"]


def test_a_failed_check_says_why(client: Client) -> None:
    check = make_check(answer=None, state="failed", error="The models are missing.")
    assert "The models are missing." in page_of(client, check)


def test_the_json_holds_the_answer(client: Client) -> None:
    values = client.get(address(make_check(), "evidence_json")).json()
    assert values["searched"] == {"abstracts": 5183, "newest": "2019-11"}
    first, retracted = values["abstracts"][:2]
    assert (first["label"], first["confidence"], first["rationale"]) == (
        "SUPPORT",
        0.87,
        [1],
    )
    assert first["probabilities"] == {
        "CONTRADICT": 0.05,
        "NOT_ENOUGH_INFO": 0.08,
        "SUPPORT": 0.87,
    }
    assert (retracted["label"], retracted["is_evidence"]) == ("SUPPORT", False)
    assert "No medical advice" in values["notice"]


def test_the_table_has_a_row_for_each_abstract_and_no_formula(client: Client) -> None:
    check = make_check()
    FactCheck.objects.filter(pk=check.pk).update(claim="=1+1")
    content = client.get(address(check, "evidence_csv")).content.decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [row["document"] for row in rows] == ["11", "15", "12", "13", "14"]
    assert {row["claim"] for row in rows} == {"'=1+1"}
    assert rows[2]["rationale"] == "Pain was the same in both groups."
    assert (rows[0]["rationale_sentences"], rows[0]["p_support"]) == ("2", "0.8700")
    assert rows[4]["label"] == "ABSTAINED"


def test_a_table_without_abstracts_still_holds_the_claim(client: Client) -> None:
    check = make_check(answer=Answer(searched=9))
    content = client.get(address(check, "evidence_csv")).content.decode()
    (row,) = csv.DictReader(io.StringIO(content))
    assert (row["claim"], row["abstracts_searched"]) == (CLAIM, "9")


def test_an_expert_marks_evidence_and_takes_it_back(client: Client) -> None:
    check, expert = kept_check(), UserFactory()
    client.force_login(expert)

    def mark(**values: str) -> str:
        response = client.post(address(check, "mark_evidence"), values, follow=True)
        return response.content.decode()

    assert 'aria-pressed="true"' in mark(document="11", plausible="yes")
    mark(document="11", plausible="no")
    assert Plausibility.objects.get().is_plausible is False
    assert 'aria-pressed="true"' not in mark(document="11", plausible="")
    assert not Plausibility.objects.exists()
    for document in ("13", "15", "nothing"):
        assert "no evidence in this answer" in mark(document=document, plausible="yes")
    assert "Say whether" in mark(document="11", plausible="perhaps")
    assert not Plausibility.objects.exists()


def test_only_kept_answers_are_marked(client: Client) -> None:
    check = make_check()
    client.force_login(UserFactory())
    assert "plausible?" not in page_of(client, check)
    wanted = {"document": "11", "plausible": "yes"}
    response = client.post(address(check, "mark_evidence"), wanted, follow=True)
    assert "Keep this answer first" in response.content.decode()


def test_nobody_sees_what_another_expert_thinks(client: Client) -> None:
    check = kept_check()
    client.force_login(UserFactory())
    before = client.get(address(check)).context["page"].marks
    rater = UserFactory()
    Plausibility.objects.create(
        check_of=check, document="11", rater=rater, is_plausible=False
    )
    page = client.get(address(check))
    assert page.context["page"].marks == before == {}
    assert 'aria-pressed="true"' not in page.content.decode()


def test_a_page_asks_the_database_the_same_whatever_was_found(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    corpus = public_corpus()
    client.force_login(UserFactory())
    small = kept_check(corpus=corpus, answer=Answer(9, "", False, ANSWER.abstracts[:1]))
    large = kept_check(corpus=corpus)
    page_of(client, small)
    with CaptureQueriesContext(connection) as queries:
        page_of(client, small)
    with django_assert_num_queries(len(queries)):
        page_of(client, large)


def test_cookies_are_not_needed() -> None:
    """A visitor's answer leaves no session behind."""
    client = Client()
    response = client.get(address(kept_check()))
    assert django_settings.SESSION_COOKIE_NAME not in response.cookies
