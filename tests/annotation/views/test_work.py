"""The plain work pages: the main path, refusals, and who sees what."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from annotation.access import get_project
from annotation.models import (
    Claim,
    Judgement,
    Lease,
    Notice,
    Pair,
    Source,
    Stage,
    Verdict,
)
from annotation.services.claim_reviews import request_claim_changes
from annotation.services.judgement_reviews import (
    approve_judgement,
    request_judgement_changes,
)
from annotation.services.leases import take_item
from annotation.services.negations import negate_claim
from annotation.services.projects import archive_project
from annotation.services.sources import reopen_source, skip_source
from corpus.models import Document, User
from tests.annotation.work import CONTRADICT, approved, judged, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.fixture
def team() -> Team:
    return make_team(citances=2)


@pytest.fixture
def sign_in() -> SignIn:
    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


def _url(name: str, team: Team, *args: int) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def _claim_post(**changes: str) -> dict[str, str]:
    return {"submission_key": str(uuid.uuid4()), "text_1": "Tea helps.", **changes}


def _answer_post(**changes: str) -> dict[str, str]:
    key = str(uuid.uuid4())
    return {"submission_key": key, "label": "SUPPORT", "sentence_2": "1", **changes}


def test_more_than_nine_rationales_keep_their_order(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    twelve = [f"Sentence {n}." for n in range(12)]
    Document.objects.filter(pk=pair.document_id).update(sentences=twelve)
    answer = {f"sentence_{n}": str(n + 1) for n in range(11)}
    url = _url("verify_pair", team, pair.pk)
    sign_in(team.other_annotator).post(url, _answer_post(**answer))
    rationales = Judgement.objects.get().rationales.order_by("ordinal")
    assert [r.sentences for r in rationales] == [[n] for n in range(11)]


def test_a_claim_goes_from_citance_to_verdict(team: Team, sign_in: SignIn) -> None:
    writer, reviewer = sign_in(team.annotator), sign_in(team.reviewer)
    verifier = sign_in(team.other_annotator)
    page = writer.get(_url("write_claims", team), follow=True)
    assert b'class="cd-citance"' in page.content
    writer.post(page.redirect_chain[-1][0], _claim_post(text_2="Nettles sting."))
    first = Claim.objects.get(text="Tea helps.")
    page = reviewer.get(_url("proofread_claim", team, first.pk))
    assert b"Tea helps." in page.content
    reviewer.post(
        _url("proofread_claim", team, first.pk),
        {"text": "Tea helps.", "decision": "approve", "version": "1"},
    )
    page = verifier.get(_url("verify_pairs", team), follow=True)
    assert b"Half of them drank nettle tea daily." in page.content
    verifier.post(page.redirect_chain[-1][0], _answer_post())
    judgement = Judgement.objects.get()
    reviewer.post(
        _url("review_judgement", team, judgement.pk),
        {"decision": "approve", "version": "1", **_answer_post()},
    )
    verdict = Verdict.objects.get()
    assert (verdict.judgement, verdict.provenance) == (judgement, "single")
    assert [r.sentences for r in judgement.rationales.all()] == [[2]]


def test_a_double_click_writes_once_and_is_not_an_error(
    team: Team, sign_in: SignIn
) -> None:
    client, data = sign_in(team.annotator), _claim_post()
    url = _url("write_source", team, team.sources[0].pk)
    assert [client.post(url, data).status_code for _ in range(2)] == [302, 302]
    assert Claim.objects.count() == 1
    approved(team)
    pair, data = Pair.objects.get(), _answer_post()
    client = sign_in(team.other_annotator)
    url = _url("verify_pair", team, pair.pk)
    assert [client.post(url, data).status_code for _ in range(2)] == [302, 302]
    assert Judgement.objects.count() == 1


def test_a_refused_form_keeps_what_was_typed(team: Team, sign_in: SignIn) -> None:
    client = sign_in(team.annotator)
    typed = _claim_post(text_1="Tea helps.", text_2="TEA helps.")
    page = client.post(_url("write_source", team, team.sources[0].pk), typed)
    assert page.status_code == 200
    assert b"say the same" in page.content
    assert b"TEA helps." in page.content
    approved(team)
    pair = Pair.objects.get()
    client = sign_in(team.other_annotator)
    page = client.post(_url("verify_pair", team, pair.pk), _answer_post(sentence_2=""))
    assert b"Choose the sentences that justify the label." in page.content
    assert Pair.objects.get().state == Pair.State.OPEN


def test_returned_work_comes_first(team: Team, sign_in: SignIn) -> None:
    claim = written(team)
    reviewer, writer = sign_in(team.reviewer), sign_in(team.annotator)
    refusal = {"decision": "request_changes", "version": "1", "text": claim.text}
    url = _url("proofread_claim", team, claim.pk)
    assert b"Choose a reason" in reviewer.post(url, refusal).content
    reviewer.post(url, {**refusal, "reason_code": "wording", "note": "Typo"})
    page = writer.get(_url("write_claims", team), follow=True)
    assert b"Typo" in page.content
    assert b"Wording or spelling" in page.content
    assert Notice.objects.get(user=team.annotator).read_at is None
    writer.post(
        page.redirect_chain[-1][0],
        {"submission_key": str(uuid.uuid4()), "version": "1", "text": "Tea works."},
    )
    claim.refresh_from_db()
    assert (claim.state, claim.text, claim.version) == ("submitted", "Tea works.", 2)
    assert Notice.objects.get(user=team.annotator).read_at is not None


def test_a_returned_judgement_comes_first_with_its_answer_filled_in(
    team: Team, sign_in: SignIn
) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    reviewer, verifier = sign_in(team.reviewer), sign_in(team.other_annotator)
    reviewer.post(
        _url("review_judgement", team, judgement.pk),
        {
            **_answer_post(),
            "decision": "request_changes",
            "version": "1",
            "reason_code": "wrong_label",
        },
    )
    page = verifier.get(_url("verify_pairs", team), follow=True)
    assert re.search(rb'value="SUPPORT"[^>]*checked', page.content)
    verifier.post(
        page.redirect_chain[-1][0], _answer_post(label="CONTRADICT", version="1")
    )
    judgement.refresh_from_db()
    assert (judgement.state, judgement.label) == ("submitted", "CONTRADICT")
    assert Notice.objects.get(user=team.other_annotator).read_at is not None


def test_pages_of_returned_work_mark_the_queue_that_they_belong_to(
    team: Team, sign_in: SignIn
) -> None:
    claim = written(team)
    request_claim_changes(
        claim=claim,
        reviewer=team.reviewer,
        expected_version=1,
        reason_code="wording",
        note="",
    )
    page = sign_in(team.annotator).get(_url("write_claims", team), follow=True)
    current = re.findall(r'href="([^"]*)" aria-current="page"', page.content.decode())
    assert current == [_url("write_claims", team)]
    assert "first in your queue" in page.content.decode()


def test_the_last_answer_is_named_as_long_as_it_can_be_taken_back(
    team: Team, sign_in: SignIn
) -> None:
    judgement = judged(approved(team, "Tea helps.").pairs.get(), team.other_annotator)
    client, url = sign_in(team.other_annotator), _url("verify_pairs", team)
    page = " ".join(client.get(url).content.decode().split())
    words = 'Your last answer: SUPPORTS, <span dir="auto">Tea helps.</span>'
    assert words in page
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    page = client.get(url).content.decode()
    assert "Your last answer" not in page
    assert "Undo" not in page


@pytest.mark.parametrize("name", ["verify_pairs", "negate_claims"])
def test_an_empty_queue_offers_the_other_work_of_the_project(
    name: str, team: Team, sign_in: SignIn
) -> None:
    page = sign_in(team.other_annotator).get(_url(name, team)).content.decode()
    assert "What else waits for you here" in page
    assert f'<a href="{_url("write_claims", team)}">Sources to write from' in page


def test_an_empty_queue_does_not_offer_itself(team: Team, sign_in: SignIn) -> None:
    """Everything is in front of somebody else."""
    sources = list(team.project.sources.all())
    for source in sources:
        take_item(
            access=get_project(team.other_annotator, team.project.slug),
            stage=Stage.WRITE,
            item_id=source.pk,
        )
    page = sign_in(team.annotator).get(_url("write_claims", team)).content.decode()
    assert "Nothing for you at the moment" in page
    assert "What else waits for you here" not in page


def test_a_pair_that_somebody_else_judged_leads_on_with_a_message(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    judged(pair, team.admin)
    client = sign_in(team.other_annotator)
    page = client.post(_url("verify_pair", team, pair.pk), _answer_post(), follow=True)
    assert b"no longer waiting for you" in page.content
    assert Judgement.objects.count() == 1


def test_what_is_unusual_is_said_and_taken_all_the_same(
    team: Team, sign_in: SignIn
) -> None:
    long_claim = " ".join(["Tea"] * 41)
    url = _url("write_source", team, team.sources[0].pk)
    writer = sign_in(team.annotator)
    remarks = writer.post(f"{url}check/", {"text_1": long_claim, "box": "1"})
    assert b"41 words; more than 40 is rare here." in remarks.content
    assert writer.post(url, _claim_post(text_1=long_claim)).status_code == 302
    assert Claim.objects.count() == 1
    team.project.settings = {**team.project.settings, "max_rationale_sentences": 1}
    team.project.save(update_fields=["settings"])
    pair = approved(team).pairs.get()
    page = sign_in(team.other_annotator).post(
        _url("verify_pair", team, pair.pk), _answer_post(sentence_0="1"), follow=True
    )
    assert b"A rationale of 2 sentences" in page.content
    assert Judgement.objects.count() == 1


def test_skipping_needs_a_reason(team: Team, sign_in: SignIn) -> None:
    client, source = sign_in(team.annotator), team.sources[0]
    url = _url("skip_source", team, source.pk)
    assert b"Say why" in client.post(url, {"reason": ""}, follow=True).content
    client.post(url, {"reason": "No finding"})
    assert Source.objects.get(pk=source.pk).state == Source.State.SKIPPED


def test_an_admin_reads_why_a_source_is_skipped_and_reopens_it(
    team: Team, sign_in: SignIn
) -> None:
    for source in team.sources:
        for reason in ("Too vague", "<b>No finding</b>"):
            skip_source(source=source, actor=team.annotator, reason=reason)
            if reason == "Too vague":
                reopen_source(source=source, actor=team.admin)
    admin, url = sign_in(team.admin), _url("skipped_sources", team)
    page = admin.get(url).content
    assert page.count(b"&lt;b&gt;No finding&lt;/b&gt;") == len(team.sources)
    assert b"Too vague" not in page, "the last reason counts"

    source = team.sources[0]
    admin.post(_url("reopen_source", team, source.pk))
    source.refresh_from_db()
    assert (source.state, source.closed_by) == (Source.State.OPEN, None)
    assert admin.post(_url("reopen_source", team, source.pk)).status_code == 404


def test_work_waits_for_the_accepted_texts(team: Team, sign_in: SignIn) -> None:
    page = sign_in(team.newcomer).get(_url("write_claims", team))
    assert page.status_code == 302
    assert page.url.startswith(_url("accept_texts", team))  # type: ignore[attr-defined]


def test_an_annotator_sees_their_own_claims_only(team: Team, sign_in: SignIn) -> None:
    claim = approved(team)
    judged(claim.pairs.get(), team.other_annotator)
    other = sign_in(team.other_annotator)
    assert claim.text.encode() not in other.get(_url("claims", team)).content
    assert other.get(_url("claim", team, claim.pk)).status_code == 404
    own = sign_in(team.annotator).get(_url("claim", team, claim.pk)).content
    assert claim.text.encode() in own
    assert b"Half of them drank" not in own, "the cited abstract is hidden"
    assert b"cd-label-support" not in own, "others' judgements are hidden"
    full = sign_in(team.reviewer).get(_url("claim", team, claim.pk)).content
    assert b"Half of them drank" in full
    assert b"cd-label-support" in full


def test_nobody_writes_from_a_citance_of_an_abstract_that_they_judged(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    # The second citance cites the abstract of the first.
    second = team.project.sources.get(state=Source.State.OPEN)
    second.citance.citations.update(document=pair.document)  # type: ignore[union-attr]
    client = sign_in(team.other_annotator)
    before = client.get(_url("write_claims", team))
    assert before.url == _url("write_source", team, second.pk)  # type: ignore[attr-defined]
    judged(pair, team.other_annotator)
    page = client.get(_url("write_claims", team))
    assert b"Nothing is waiting to be written" in page.content


def test_only_admins_retire_claims(team: Team, sign_in: SignIn) -> None:
    claim = approved(team)
    url = _url("retire_claim", team, claim.pk)
    reviewer, admin = sign_in(team.reviewer), sign_in(team.admin)
    assert reviewer.post(url, {"reason": "Duplicate"}).status_code == 403
    admin.post(url, {"reason": "Duplicate"})
    claim.refresh_from_db()
    assert claim.state == Claim.State.RETIRED


def test_an_archived_project_is_read_but_not_worked_in(
    team: Team, sign_in: SignIn
) -> None:
    claim = written(team)
    archive_project(project=team.project, actor=team.admin)
    writer, reviewer = sign_in(team.annotator), sign_in(team.reviewer)
    assert writer.get(_url("write_claims", team)).status_code == 403
    assert (
        writer.post(
            _url("write_source", team, team.sources[1].pk), _claim_post()
        ).status_code
        == 403
    )
    page = reviewer.get(_url("proofread_claim", team, claim.pk))
    assert page.status_code == 403
    assert b"archived" in page.content
    assert claim.text.encode() in reviewer.get(_url("claims", team)).content
    assert (
        _url("write_claims", team).encode()
        not in writer.get(_url("project", team)).content
    )
    admin = sign_in(team.admin)
    admin.post(_url("restore_project", team))
    assert writer.get(_url("write_claims", team)).status_code == 302


@pytest.mark.parametrize("name", ["proofread_claims", "review_judgements", "claims"])
def test_lists_have_constant_query_counts(
    team: Team,
    sign_in: SignIn,
    name: str,
) -> None:
    client = sign_in(team.reviewer)
    url = _url(name, team)
    client.get(url)
    with CaptureQueriesContext(connection) as empty:
        client.get(url)
    judged(approved(team).pairs.get(), team.other_annotator)
    written(team)
    with CaptureQueriesContext(connection) as filled:
        client.get(url)
    assert len(filled) <= len(empty) + 1


def test_hostile_text_is_escaped_everywhere(team: Team, sign_in: SignIn) -> None:
    hostile = "</script><img src=x onerror=alert(1)> \U0001d6fd-catenin"
    judged(approved(team, hostile).pairs.get(), team.other_annotator)
    claim = Claim.objects.get()
    client = sign_in(team.reviewer)
    for url in (
        _url("claims", team),
        _url("claim", team, claim.pk),
        _url("review_judgements", team),
        _url("review_judgement", team, Judgement.objects.get().pk),
    ):
        content = client.get(url).content.decode()
        assert "<img src=x" not in content
        assert "\U0001d6fd-catenin" in content


def test_reviewers_read_the_labels_in_the_words_of_the_project(
    team: Team, sign_in: SignIn
) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator, CONTRADICT)
    client = sign_in(team.reviewer)
    for url in (
        _url("review_judgements", team),
        _url("review_judgement", team, judgement.pk),
        _url("claim", team, judgement.pair.claim_id),
    ):
        page = client.get(url).content.decode()
        assert "</span>REFUTES</span>" in page
        assert "</span>CONTRADICT</span>" not in page


def test_the_original_stands_beside_its_negation(team: Team, sign_in: SignIn) -> None:
    negation = negate_claim(
        original=approved(team, "Tea eases pain."),
        author=team.annotator,
        text="Tea worsens pain.",
        submission_key=uuid.uuid4(),
    )
    url = _url("proofread_claim", team, negation.pk)
    assert "Tea eases pain." in sign_in(team.reviewer).get(url).content.decode()
    url = _url("revise_claim", team, negation.pk)
    assert "Tea eases pain." in sign_in(team.annotator).get(url).content.decode()


def test_an_answer_that_comes_too_late_is_shown_so_that_nothing_is_lost(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    url = _url("verify_pair", team, pair.pk)
    client = sign_in(team.other_annotator)
    client.get(url)
    Lease.objects.all().delete()
    judged(pair, team.admin)
    late = _answer_post(sentence_0="2", sentence_7x="1", sentence_9="<b>")
    response = client.post(url, late)
    page = " ".join(response.content.decode().split())
    assert response.status_code == 409
    assert "That pair is no longer waiting for you." in page
    assert "Label: <strong>SUPPORTS</strong>" in page
    assert "<li>Sentence 1: <strong>rationale 2</strong></li>" in page
    assert "<li>Sentence 3: <strong>rationale 1</strong></li>" in page
    assert "<li>Sentence 10: <strong>&lt;b&gt;</strong></li>" in page
    assert "sentence_7x" not in page
    assert Judgement.objects.count() == 1
    assert escape(pair.document.sentences[2]) not in page, "it may be anybody's pair"


def test_a_late_answer_stands_beside_the_pair_for_who_may_read_it(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    judged(pair, team.other_annotator)
    url = _url("verify_pair", team, pair.pk)
    page = sign_in(team.admin).post(url, _answer_post()).content.decode()
    assert escape(pair.claim.text) in page
    assert escape(pair.document.sentences[2]) in page


def test_a_late_answer_of_the_pages_own_module_is_said_in_a_line(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    judged(pair, team.admin)
    response = sign_in(team.other_annotator).post(
        _url("verify_pair", team, pair.pk),
        _answer_post(),
        headers={"HX-Request": "true"},
    )
    assert response.status_code == 409
    assert response.headers["Content-Type"].startswith("text/plain")


def test_a_late_answer_never_shows_its_writer_the_abstract(
    team: Team, sign_in: SignIn
) -> None:
    pair = approved(team).pairs.get()
    url = _url("verify_pair", team, pair.pk)
    response = sign_in(team.annotator).post(url, _answer_post())
    assert response.status_code == 409
    page = response.content.decode()
    assert "Sentence 3" in page
    assert escape(pair.document.title) not in page
    assert escape(pair.document.sentences[2]) not in page


def test_two_returned_items_are_told_apart_by_their_headings(
    team: Team, sign_in: SignIn
) -> None:
    answers = [
        judged(approved(team, text).pairs.get(), team.other_annotator)
        for text in ("Mint tea eases pain.", "Nettles sting.")
    ]
    for judgement in answers:
        request_judgement_changes(
            judgement=judgement,
            reviewer=team.reviewer,
            reason_code="wrong_label",
            note="",
            expected_version=1,
        )
    client = sign_in(team.other_annotator)
    for judgement, text in zip(
        answers, ("Mint tea eases pain.", "Nettles sting."), strict=True
    ):
        page = client.get(_url("revise_judgement", team, judgement.pk)).content.decode()
        assert f'<h1>Revise a judgement: <q dir="auto">{text}</q></h1>' in page
        assert f"<title>Revise a judgement: {text}" in page
    more = make_team(citances=1, name="Naps")
    claim = written(more, "Long naps help.")
    response = sign_in(more.annotator).get(_url("revise_claim", more, claim.pk))
    heading = '<h1>Revise a claim: <q dir="auto">Long naps help.</q></h1>'
    assert heading in response.content.decode()
