"""Writing, revising and proofreading claims."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation.models import Claim, Comment, Review, Source
from annotation.services import claim_reviews, claims, sources
from annotation.services.claims import Draft
from annotation.services.judgement_reviews import approve_judgement
from annotation.services.retiring import retire_claim
from annotation.services.reviews import Remark
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.records import ClaimKind
from tests.annotation.work import approved, judged, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
COMPOSED = ClaimKind.COMPOSED


@pytest.fixture
def team() -> Team:
    return make_team(citances=3)


def _write(team: Team, *texts: str, key: uuid.UUID | None = None) -> list[Claim]:
    return claims.write_claims(
        source=Source.objects.get(pk=team.sources[0].pk),
        author=team.annotator,
        drafts=[Draft(text, COMPOSED) for text in texts],
        submission_key=key or uuid.uuid4(),
    )


def test_several_claims_come_from_one_source_and_close_it(team: Team) -> None:
    first, second = _write(team, "Tea eases pain.", "Nettles sting.")
    assert (first.external_id, second.external_id) == ("1", "2")
    assert first.state == second.state == Claim.State.SUBMITTED
    assert first.family != second.family
    source = Source.objects.get(pk=team.sources[0].pk)
    assert (source.state, source.closed_by) == (Source.State.DONE, team.annotator)


def test_the_same_form_sent_twice_writes_once(team: Team) -> None:
    key = uuid.uuid4()
    first = _write(team, "Tea eases pain.", key=key)
    again = _write(team, "Tea eases pain.", key=key)
    assert [c.pk for c in first] == [c.pk for c in again]
    assert Claim.objects.count() == 1


@pytest.mark.parametrize(
    "texts",
    [("Tea eases pain a little.",), ("Tea eases pain.", "Nettles sting."), ()],
    ids=["another wording", "one more", "one less"],
)
def test_a_form_changed_after_it_was_sent_is_refused_in_words(
    team: Team, texts: tuple[str, ...]
) -> None:
    key = uuid.uuid4()
    _write(team, "Tea eases pain.", key=key)
    with pytest.raises(AlreadySentError, match="was not saved"):
        _write(team, *texts, key=key)
    assert Claim.objects.get().text == "Tea eases pain."


def test_a_key_that_was_used_for_another_source_is_refused_in_words(team: Team) -> None:
    key = uuid.uuid4()
    _write(team, "Tea eases pain.", key=key)
    other = Source.objects.get(pk=team.sources[1].pk)
    draft = [Draft("Tea eases pain.", COMPOSED)]
    with pytest.raises(AlreadySentError):
        claims.write_claims(
            source=other, author=team.annotator, drafts=draft, submission_key=key
        )
    other.refresh_from_db()
    assert other.state == Source.State.OPEN


def test_two_writers_of_one_source_cannot_both_win(team: Team) -> None:
    stale = team.sources[0]
    _write(team, "Tea eases pain.")
    with pytest.raises(StaleStateError, match="it is now written"):
        claims.write_claims(
            source=stale,
            author=team.other_annotator,
            drafts=[Draft("Nettles sting.", COMPOSED)],
            submission_key=uuid.uuid4(),
        )
    assert Claim.objects.count() == 1


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((), "between 1 and 3"),
        (("a b", "c d", "e f", "g h"), "between 1 and 3"),
        (("  ",), "Write the claim first"),
        (("Tea helps.", "TEA  helps."), "say the same"),
        (("x" * 2001,), "at most 2000"),
        (("nul \x00",), "NUL"),
    ],
)
def test_unusable_claims_are_refused_in_words_and_nothing_is_written(
    team: Team, texts: tuple[str, ...], message: str
) -> None:
    with pytest.raises(DomainError, match=message):
        _write(team, *texts)
    assert Claim.objects.count() == 0
    assert Source.objects.get(pk=team.sources[0].pk).state == Source.State.OPEN


def test_browser_line_ends_are_normalised_once(team: Team) -> None:
    (claim,) = _write(team, "One\r\ntwo\rthree")
    assert claim.text == "One\ntwo\nthree"


def test_an_approved_claim_has_one_open_pair_per_cited_abstract(team: Team) -> None:
    claim = written(team)
    claim_reviews.approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    (pair,) = claim.pairs.all()
    assert claim.source
    assert claim.source.citance
    (cited,) = claim.source.citance.documents.all()
    assert (pair.document, pair.state, pair.origin) == (cited, "open", "cited")
    assert [c.document for c in claim.citations.all()] == [cited]


def test_fix_and_approve_keeps_both_wordings(team: Team) -> None:
    claim = claim_reviews.fix_and_approve_claim(
        claim=written(team, "Tea ease pain."),
        reviewer=team.reviewer,
        text="Tea eases pain.",
        expected_version=1,
    )
    assert claim.state == Claim.State.APPROVED
    wordings = claim.versions.order_by("number").values_list("text", "author")
    assert list(wordings) == [
        ("Tea ease pain.", team.annotator.pk),
        ("Tea eases pain.", team.reviewer.pk),
    ]
    review = Review.objects.get()
    assert review.decision == Review.Decision.FIX_AND_APPROVE
    assert review.claim_version
    assert review.claim_version.number == 1


def test_an_unchanged_fix_is_a_plain_approval(team: Team) -> None:
    claim = written(team)
    claim_reviews.fix_and_approve_claim(
        claim=claim, reviewer=team.reviewer, text=claim.text, expected_version=1
    )
    assert Review.objects.get().decision == Review.Decision.APPROVE
    assert claim.versions.count() == 1


def test_requested_changes_come_back_as_a_new_version(team: Team) -> None:
    claim = written(team, "It helps.")
    claim_reviews.request_claim_changes(
        claim=claim,
        reviewer=team.reviewer,
        reason_code="no_context",
        note="What is it?",
        expected_version=1,
    )
    assert claim.state == Claim.State.CHANGES_REQUESTED
    key = uuid.uuid4()
    for _ in range(2):  # a double click
        claims.revise_claim(
            claim=claim,
            author=team.annotator,
            text="Tea helps.",
            expected_version=1,
            submission_key=key,
        )
    claim.refresh_from_db()
    assert (claim.state, claim.version, claim.text) == ("submitted", 2, "Tea helps.")


def test_a_stale_page_is_told_of_the_newer_version(team: Team) -> None:
    claim = written(team)
    stale = Claim.objects.get(pk=claim.pk)
    claim_reviews.request_claim_changes(
        claim=claim,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    claims.revise_claim(
        claim=claim,
        author=team.annotator,
        text="Tea helps.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    with pytest.raises(StaleStateError, match="newer version"):
        claim_reviews.approve_claim(
            claim=stale, reviewer=team.reviewer, expected_version=1
        )


def test_nobody_decides_on_their_own_claim(team: Team) -> None:
    with pytest.raises(DomainError, match="they wrote"):
        claim_reviews.approve_claim(
            claim=written(team), reviewer=team.annotator, expected_version=1
        )


def test_a_refusal_needs_a_reason(team: Team) -> None:
    claim = written(team)
    with pytest.raises(DomainError, match="Give the author a reason"):
        claim_reviews.request_claim_changes(
            claim=claim,
            reviewer=team.reviewer,
            reason_code="",
            note=" ",
            expected_version=1,
        )
    claim.refresh_from_db()
    assert claim.state == Claim.State.SUBMITTED


def test_a_rejection_needs_words_to_the_author(team: Team) -> None:
    claim = written(team)
    rejection: dict[str, Any] = {
        "claim": claim,
        "reviewer": team.reviewer,
        "reason_code": "not_verifiable",
        "expected_version": 1,
    }
    blank = [Remark(Comment.Part.CLAIM, " \n")]
    with pytest.raises(DomainError, match="Say in a note or a comment why"):
        claim_reviews.reject_claim(note=" ", remarks=blank, **rejection)
    claim.refresh_from_db()
    assert claim.state == Claim.State.SUBMITTED
    said = [Remark(Comment.Part.CLAIM, "Nobody can measure this.")]
    claim_reviews.reject_claim(note="", remarks=said, **rejection)
    claim.refresh_from_db()
    assert claim.state == Claim.State.REJECTED


def test_a_skipped_source_keeps_its_reason_and_can_come_back(team: Team) -> None:
    source = team.sources[0]
    with pytest.raises(DomainError, match="Say why"):
        sources.skip_source(source=source, actor=team.annotator, reason=" ")
    sources.skip_source(source=source, actor=team.annotator, reason="No finding")
    assert source.state == Source.State.SKIPPED
    sources.reopen_source(source=source, actor=team.admin)
    source.refresh_from_db()
    assert (source.state, source.closed_by) == (Source.State.OPEN, None)


def test_sources_are_added_once(team: Team) -> None:
    assert sources.add_sources(project=team.project, actor=team.admin) == 0
    assert team.project.sources.count() == 3


def test_a_retired_claim_takes_its_pairs_out_and_nothing_is_deleted(
    team: Team,
) -> None:
    claim = approved(team)
    judgement = judged(claim.pairs.get(), team.other_annotator)
    with pytest.raises(DomainError, match="Say why"):
        retire_claim(claim=claim, actor=team.admin, reason=" ")
    retire_claim(claim=claim, actor=team.admin, reason="Duplicate")
    assert claim.state == Claim.State.RETIRED
    assert claim.pairs.get().state == "retired"
    with pytest.raises(StaleStateError, match="taken out"):
        approve_judgement(
            judgement=judgement, reviewer=team.reviewer, expected_version=1
        )
    assert claim.pairs.get().judgements.count() == 1
