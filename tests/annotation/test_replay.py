"""Events are complete: replaying them gives what the tables hold."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest

from annotation.models import Claim, Pair
from annotation.replay import replay
from annotation.services import claim_reviews, claims, judgement_reviews, judgements
from annotation.services.sources import reopen_source, skip_source
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, approved, judged, written
from tests.factories import make_team


@dataclass
class _Event:
    """An event by hand."""

    verb: str
    from_state: str
    to_state: str
    payload: dict[str, Any] = field(default_factory=dict)
    noun: str = "claim"
    object_id: int = 7


def test_fields_and_states_are_folded_in_order() -> None:
    result = replay(
        [
            _Event("write", "", "submitted", {"set": {"text": "a", "version": 1}}),
            _Event("approve", "submitted", "approved", {"set": {"text": "b"}}),
        ]
    )
    assert result.objects["claim"][7] == {
        "text": "b",
        "version": 1,
        "state": "approved",
    }
    assert result.contradictions == []


def test_an_event_that_is_missing_between_two_others_is_noticed() -> None:
    result = replay(
        [
            _Event("write", "", "submitted"),
            _Event("revise", "changes_requested", "submitted"),
        ]
    )
    assert result.contradictions == [
        "claim 7: revise leaves changes_requested, but it was submitted"
    ]


@pytest.mark.django_db
def test_a_project_is_rebuilt_from_its_events() -> None:
    """One item goes every way that there is."""
    team = make_team(citances=6)
    _approve_one_whole_path(team)
    _return_and_revise(team)
    _fix_and_reject(team)
    source = team.project.sources.filter(state="open")[0]
    skip_source(source=source, actor=team.annotator, reason="No finding")
    reopen_source(source=source, actor=team.admin)
    assert set(Claim.objects.values_list("state", flat=True)) == {
        "approved",
        "rejected",
        "submitted",
    }
    assert_events_rebuild_the_tables()


def _approve_one_whole_path(team: Any) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    judgement_reviews.approve_judgement(
        judgement=judgement, reviewer=team.reviewer, expected_version=1
    )


def _return_and_revise(team: Any) -> None:
    reason = {"reviewer": team.reviewer, "reason_code": "wording", "note": "Typo"}
    claim = written(team, "Tea help.")
    claim_reviews.request_claim_changes(claim=claim, expected_version=1, **reason)
    claims.revise_claim(
        claim=claim,
        author=team.annotator,
        text="Tea helps.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    judgement_reviews.request_judgement_changes(
        judgement=judgement, expected_version=1, **reason
    )
    judgements.revise_judgement(
        judgement=judgement,
        annotator=team.other_annotator,
        answer=CONTRADICT,
        expected_version=1,
        submission_key=uuid.uuid4(),
    )


def _fix_and_reject(team: Any) -> None:
    reason = {"reviewer": team.reviewer, "reason_code": "other", "note": "No"}
    claim_reviews.reject_claim(
        claim=written(team, "Tea is tea."), expected_version=1, **reason
    )
    claim = claim_reviews.fix_and_approve_claim(
        claim=written(team, "Tea ease pain."),
        reviewer=team.reviewer,
        text="Tea eases pain.",
        expected_version=1,
    )
    pair = Pair.objects.get(claim=claim)
    judgement = judged(pair, team.other_annotator)
    judgement_reviews.reject_judgement(
        judgement=judgement, expected_version=1, **reason
    )
    judgement_reviews.fix_and_approve_judgement(
        judgement=judged(pair, team.admin),
        reviewer=team.reviewer,
        answer=CONTRADICT,
        expected_version=1,
    )
