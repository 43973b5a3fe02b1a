"""Negating approved claims, and taking back what was just sent."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation import access as door
from annotation.models import Claim, Skip, Stage
from annotation.selectors import work
from annotation.services.claim_reviews import (
    approve_claim,
    reject_claim,
    request_claim_changes,
)
from annotation.services.claims import Draft, revise_claim, write_claims
from annotation.services.judgement_reviews import approve_judgement
from annotation.services.leases import skip_item, unskip_item
from annotation.services.negations import negate_claim
from annotation.services.withdrawals import withdraw_from_source, withdraw_negation
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from corpus.records import ClaimKind
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import approved, judged, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db

NEGATION = "Nettle tea eases knee pain."


@pytest.fixture
def team() -> Team:
    """Three sources wait."""
    return make_team(citances=3)


def _negate(
    original: Claim, author: User, text: str = NEGATION, why: str = ""
) -> Claim:
    return negate_claim(
        original=original,
        author=author,
        text=text,
        submission_key=uuid.uuid4(),
        trigger_reason=why,
    )


def _waiting(team: Team) -> list[Claim]:
    access = door.get_project(team.other_annotator, team.project.slug)
    return list(work.claims_to_negate(access))


def test_only_approved_originals_without_a_negation_wait(team: Team) -> None:
    written(team, "Tea is popular.")
    original = approved(team)
    assert _waiting(team) == [original]
    negation = _negate(original, team.other_annotator)
    assert _waiting(team) == []
    approve_claim(claim=negation, reviewer=team.reviewer, expected_version=1)
    assert _waiting(team) == [], "a negation is never negated itself"


@pytest.mark.parametrize("end", ["rejected", "withdrawn"])
def test_an_original_waits_again_when_its_negation_fell(team: Team, end: str) -> None:
    original = approved(team)
    negation = _negate(original, team.other_annotator)
    if end == "rejected":
        reject_claim(
            claim=negation,
            reviewer=team.reviewer,
            reason_code="wording",
            note="This is no sentence.",
            expected_version=1,
        )
    else:
        withdraw_negation(negation=negation, author=team.other_annotator)
    assert _waiting(team) == [original]
    assert negation.state == end or Claim.objects.get(pk=negation.pk).state == end
    _negate(original, team.other_annotator)
    assert _waiting(team) == []
    assert_events_rebuild_the_tables()


def test_a_second_negation_is_refused(team: Team) -> None:
    original = approved(team)
    _negate(original, team.other_annotator)
    with pytest.raises(StaleStateError, match="in the meantime"):
        _negate(original, team.annotator, "Nettle tea worsens knee pain.")


def test_a_negation_is_not_negated(team: Team) -> None:
    negation = _negate(approved(team), team.other_annotator)
    with pytest.raises(DomainError, match="itself a negation"):
        _negate(negation, team.annotator, "Nettle tea worsens knee pain.")


def test_a_claim_that_nobody_approved_is_not_negated(team: Team) -> None:
    with pytest.raises(StaleStateError, match="waiting for proofreading"):
        _negate(written(team), team.other_annotator)


def test_a_new_trigger_word_needs_a_reason(team: Team) -> None:
    original = approved(team, "Nettle tea eases knee pain.")
    text = "Nettle tea does not ease knee pain."
    with pytest.raises(DomainError, match="does not say “not”"):
        _negate(original, team.other_annotator, text, "  ")
    negation = _negate(original, team.other_annotator, text, " No opposite exists. ")
    event = Event.objects.get(noun="claim", object_id=negation.pk, verb="negate")
    assert event.why == "No opposite exists."


def test_a_revised_negation_needs_the_reason_as_well(team: Team) -> None:
    negation = _negate(approved(team, "Tea eases pain."), team.other_annotator, "Tea?")
    request_claim_changes(
        claim=negation,
        reviewer=team.reviewer,
        reason_code="wording",
        note="",
        expected_version=1,
    )
    values: dict[str, Any] = {
        "claim": negation,
        "author": team.other_annotator,
        "text": "Tea never eases pain.",
        "expected_version": 1,
    }
    with pytest.raises(DomainError, match="“never”"):
        revise_claim(**values, submission_key=uuid.uuid4())
    revise_claim(
        **values, submission_key=uuid.uuid4(), trigger_reason="The study says so."
    )
    assert negation.state == Claim.State.SUBMITTED
    assert_events_rebuild_the_tables()


def test_a_claim_that_was_skipped_waits_for_nobody(team: Team) -> None:
    original = approved(team)
    skip_item(
        access=door.get_project(team.annotator, team.project.slug),
        stage=Stage.NEGATE,
        item_id=original.pk,
        reason="Only “not” would do.",
    )
    assert _waiting(team) == []
    assert_events_rebuild_the_tables()
    unskip_item(skip=Skip.objects.get(), actor=team.admin)
    assert _waiting(team) == [original]


def test_who_negated_never_verifies_a_member_of_the_family(team: Team) -> None:
    original = approved(team)
    access = door.get_project(team.other_annotator, team.project.slug)
    assert access.pairs_to_verify().count() == 1
    negation = _negate(original, team.other_annotator)
    approve_claim(claim=negation, reviewer=team.reviewer, expected_version=1)
    assert not access.pairs_to_verify().exists()
    membership = team.membership(team.admin)
    admin = door.ProjectAccess(team.project, team.admin, membership)
    assert admin.pairs_to_verify().count() == 2


def test_who_reviewed_a_judgement_never_verifies_a_member_of_the_family(
    team: Team,
) -> None:
    original = approved(team)
    # Whose claim it is and who approved it may not judge it anyway: here a third
    # person has reviewed what a fourth one answered.
    judgement = judged(original.pairs.get(), team.other_annotator)
    approve_judgement(judgement=judgement, reviewer=team.admin, expected_version=1)
    negation = _negate(original, team.annotator)
    approve_claim(claim=negation, reviewer=team.reviewer, expected_version=1)
    membership = team.membership(team.admin)
    admin = door.ProjectAccess(team.project, team.admin, membership)
    assert negation.pairs.count() == 1
    assert not admin.pairs_to_verify().exists()


def _write_two(team: Team, key: uuid.UUID) -> list[Claim]:
    return write_claims(
        source=team.sources[0],
        author=team.annotator,
        drafts=[
            Draft("Nettle tea helps.", ClaimKind.COMPOSED),
            Draft("Nettle tea is safe.", ClaimKind.COMPOSED),
        ],
        submission_key=key,
    )


def test_what_was_written_from_a_source_is_taken_back_together(team: Team) -> None:
    key = uuid.uuid4()
    _write_two(team, key)
    source = team.sources[0]
    source.refresh_from_db()
    taken = withdraw_from_source(source=source, author=team.annotator)
    assert [claim.state for claim in taken] == ["withdrawn", "withdrawn"]
    source.refresh_from_db()
    assert (source.state, source.closed_by) == ("open", None)
    access = door.get_project(team.reviewer, team.project.slug)
    assert not work.claims_to_proofread(access).exists()
    with pytest.raises(StaleStateError, match="took this back"):
        _write_two(team, key)
    assert_events_rebuild_the_tables()
    again = _write_two(team, uuid.uuid4())
    assert source.claims.filter(state="submitted").count() == len(again) == 2
    assert_events_rebuild_the_tables()


def test_nothing_is_taken_back_once_somebody_has_acted(team: Team) -> None:
    first, _ = _write_two(team, uuid.uuid4())
    approve_claim(claim=first, reviewer=team.reviewer, expected_version=1)
    source = team.sources[0]
    source.refresh_from_db()
    with pytest.raises(StaleStateError, match="Somebody has acted"):
        withdraw_from_source(source=source, author=team.annotator)
    source.refresh_from_db()
    assert source.state == "done"


def test_nobody_takes_back_the_work_of_others(team: Team) -> None:
    written(team)
    source = team.sources[0]
    source.refresh_from_db()
    with pytest.raises(DomainError, match="nothing of yours"):
        withdraw_from_source(source=source, author=team.other_annotator)
    negation = _negate(approved(team, "Tea helps."), team.annotator, "Tea harms.")
    with pytest.raises(DomainError, match="Only the author"):
        withdraw_negation(negation=negation, author=team.other_annotator)
