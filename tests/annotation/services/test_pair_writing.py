"""A claim, its negation and both labels in one submission, and what becomes of them."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest

from annotation.models import Claim, EarlyAnswer, Judgement, Pair
from annotation.services.claim_reviews import (
    approve_claim,
    fix_and_approve_claim,
    reject_claim,
    request_claim_changes,
)
from annotation.services.claims import Draft, revise_claim
from annotation.services.guidelines import publish_guideline
from annotation.services.judgements import Answer
from annotation.services.pair_writing import (
    ClaimAndNegation,
    EarlyAnswers,
    write_claim_and_negation,
)
from annotation.services.retiring import retire_claim
from annotation.services.withdrawals import withdraw_from_source
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import Document
from corpus.records import ClaimKind, Label, Rationale, SentenceRole
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.factories import Team, accept_texts, make_team

pytestmark = pytest.mark.django_db

CLAIM, NEGATION = "Nettle tea leaves knees as they are.", "Nettle tea eases knee pain."
PRIMARY, SUPPLEMENTARY = SentenceRole.PRIMARY, SentenceRole.SUPPLEMENTARY
SUPPORT = Answer(Label.SUPPORT, (Rationale((1, 2), (SUPPLEMENTARY, PRIMARY)),))
REFUTE = Answer(Label.CONTRADICT, (Rationale((2,), (PRIMARY,)),))


@pytest.fixture
def team() -> Team:
    """A Check-COVID project with two sources."""
    return make_team(protocol="check-covid", citances=2)


def _document(team: Team) -> Document:
    return Document.objects.get(citations__citance=team.sources[0].citance)


def _written(team: Team) -> ClaimAndNegation:
    answers = EarlyAnswers(_document(team), SUPPORT, REFUTE)
    claim = Draft(CLAIM, ClaimKind.COMPOSED)
    return ClaimAndNegation(claim, NEGATION, answers=answers)


def _submit(
    team: Team, key: uuid.UUID | None = None, **changes: Any
) -> tuple[Claim, Claim]:
    claim, negation = write_claim_and_negation(
        source=team.sources[0],
        author=team.annotator,
        written=replace(_written(team), **changes),
        submission_key=key or uuid.uuid4(),
    )
    return claim, negation


def _states() -> list[str]:
    return list(EarlyAnswer.objects.order_by("pk").values_list("state", flat=True))


def test_claim_and_negation_wait_with_their_answers(team: Team) -> None:
    claim, negation = _submit(team)
    assert negation.negates == claim
    assert negation.family == claim.family
    assert {claim.state, negation.state} == {"submitted"}
    assert _states() == ["waiting", "waiting"]
    assert not Pair.objects.exists()
    assert_events_rebuild_the_tables()


def test_approval_makes_judgements_of_the_writer(team: Team) -> None:
    claim, negation = _submit(team)
    seen_guideline = team.guideline
    publish_guideline(
        project=team.project, text="New rules.", actor=team.admin, change_note="All."
    )
    accept_texts(team.project, team.annotator)
    for approved in (claim, negation):
        approve_claim(claim=approved, reviewer=team.reviewer, expected_version=1)
    judgements = Judgement.objects.order_by("pk")
    assert [(j.pair.claim, j.label, j.state, j.annotator) for j in judgements] == [
        (claim, "SUPPORT", "submitted", team.annotator),
        (negation, "CONTRADICT", "submitted", team.annotator),
    ]
    first = judgements[0]
    assert first.rationales.get().sentences == [1, 2]
    assert first.rationales.get().roles == ["SUPPLEMENTARY", "PRIMARY"]
    early = EarlyAnswer.objects.get(claim_version__claim=claim)
    assert (first.guideline, first.submitted_at) == (seen_guideline, early.given_at)
    assert early.judgement == first
    assert set(Pair.objects.values_list("state", flat=True)) == {"judged"}
    assert _states() == ["judged", "judged"]
    assert_events_rebuild_the_tables()


def test_an_answer_never_holds_for_another_wording(team: Team) -> None:
    claim, negation = _submit(team)
    fix_and_approve_claim(
        claim=claim,
        reviewer=team.reviewer,
        text="Nettle tea changes knees.",
        expected_version=1,
    )
    request_claim_changes(
        claim=negation,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    revise_claim(
        claim=negation,
        author=team.annotator,
        text="Nettle tea heals knees.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    approve_claim(claim=negation, reviewer=team.reviewer, expected_version=2)
    assert not Judgement.objects.exists()
    assert _states() == ["set_aside", "set_aside"]
    assert set(Pair.objects.values_list("state", flat=True)) == {"open"}
    assert_events_rebuild_the_tables()


def test_an_answer_falls_with_a_changed_abstract(team: Team) -> None:
    claim, _ = _submit(team)
    Document.objects.filter(pk=_document(team).pk).update(content_hash="other")
    approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    assert not Judgement.objects.exists()
    assert _states() == ["set_aside", "waiting"]


@pytest.mark.parametrize("end", ["rejected", "retired", "withdrawn"])
def test_an_answer_falls_with_its_claim(team: Team, end: str) -> None:
    claim, negation = _submit(team)
    if end == "rejected":
        reject_claim(
            claim=claim,
            reviewer=team.reviewer,
            reason_code="wording",
            note="This is no sentence.",
            expected_version=1,
        )
    elif end == "retired":
        retire_claim(claim=claim, actor=team.admin, reason="A duplicate.")
    else:
        source = team.sources[0]
        source.refresh_from_db()
        withdraw_from_source(source=source, author=team.annotator)
    others = "set_aside" if end == "withdrawn" else "waiting"
    assert _states() == ["set_aside", others]
    negation.refresh_from_db()
    assert negation.state == ("withdrawn" if end == "withdrawn" else "submitted")
    assert_events_rebuild_the_tables()


def test_the_same_form_twice_writes_once(team: Team) -> None:
    key = uuid.uuid4()
    assert _submit(team, key) == _submit(team, key)
    assert (Claim.objects.count(), EarlyAnswer.objects.count()) == (2, 2)


@pytest.mark.parametrize(
    "change", ["claim", "negation", "answers"], ids=lambda name: f"other-{name}"
)
def test_the_same_form_with_something_else_is_refused(team: Team, change: str) -> None:
    key = uuid.uuid4()
    _submit(team, key)
    other = {
        "claim": Draft("Tea is green.", ClaimKind.COMPOSED),
        "negation": "Tea is red.",
        "answers": EarlyAnswers(_document(team), REFUTE, SUPPORT),
    }[change]
    with pytest.raises(AlreadySentError):
        _submit(team, key, **{change: other})
    assert Claim.objects.count() == 2


def test_a_negation_needs_a_reason_for_its_trigger(team: Team) -> None:
    with pytest.raises(DomainError, match="“never”"):
        _submit(team, negation="Nettle tea never leaves knees as they are.")
    assert not Claim.objects.exists()
    assert team.project.sources.filter(state="open").count() == 2


def test_an_answer_that_breaks_the_rules_is_refused_with_all(team: Team) -> None:
    wrong = EarlyAnswers(_document(team), Answer(Label.SUPPORT), REFUTE)
    with pytest.raises(DomainError, match="Choose the sentences"):
        _submit(team, answers=wrong)
    assert not Claim.objects.exists()


def test_extracted_means_word_for_word(team: Team) -> None:
    extracted = ClaimKind.EXTRACTED
    with pytest.raises(DomainError, match="word for word"):
        _submit(team, claim=Draft("Nettles sting.", extracted))
    claim, negation = _submit(
        team,
        claim=Draft("Nettle tea did not ease knee pain", extracted),
        negation="Nettle tea eased knee pain.",
    )
    assert (claim.kind, negation.kind) == ("extracted", "composed")


def test_a_source_is_written_from_once(team: Team) -> None:
    _submit(team)
    with pytest.raises(StaleStateError):
        _submit(team)
    assert Claim.objects.count() == 2
