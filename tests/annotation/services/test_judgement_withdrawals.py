"""Taking answers back: only one's own, only untouched ones, with nothing lost."""

from __future__ import annotations

import uuid

import pytest

from annotation.access import get_project
from annotation.models import Draft, Judgement, Lease, Pair, Stage
from annotation.services.drafts import save_draft
from annotation.services.judgement_reviews import (
    approve_judgement,
    request_judgement_changes,
)
from annotation.services.judgement_withdrawals import withdraw_judgement, withdraw_last
from annotation.services.judgements import Answer, revise_judgement, submit_judgement
from annotation.services.leases import take_next
from corpus.exceptions import DomainError, StaleStateError
from corpus.records import Label, Rationale
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team(citances=3)


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def test_an_answer_taken_back_can_be_changed_and_submitted_again(
    team: Team, pair: Pair
) -> None:
    first = judged(pair, team.other_annotator, CONTRADICT)
    withdraw_judgement(judgement=first, annotator=team.other_annotator)
    pair.refresh_from_db()
    assert (first.state, first.slot, pair.state) == ("withdrawn", None, "open")
    draft = Draft.objects.get()
    assert draft.content == {
        "label": "CONTRADICT",
        "sentence_0": "1",
        "sentence_2": "1",
    }
    assert Lease.objects.get().person == team.other_annotator
    second = judged(pair, team.other_annotator, SUPPORT)
    pair.refresh_from_db()
    assert (second.slot, second.version, pair.state) == (0, 1, "judged")
    assert not Draft.objects.exists()
    assert not Lease.objects.exists()
    assert first.versions.get().label == "CONTRADICT", "the old answer stays readable"
    assert_events_rebuild_the_tables()


def test_the_pair_comes_first_for_whoever_took_the_answer_back(
    team: Team, pair: Pair
) -> None:
    approved(team, "Tea is old.")
    judgement = judged(pair, team.other_annotator)
    withdraw_judgement(judgement=judgement, annotator=team.other_annotator)
    access = get_project(team.other_annotator, team.project.slug)
    lease = take_next(access=access, stage=Stage.VERIFY)
    assert lease is not None
    assert lease.item_id == pair.pk


def test_nobody_else_takes_an_answer_back(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.other_annotator)
    with pytest.raises(DomainError, match="Only who gave"):
        withdraw_judgement(judgement=judgement, annotator=team.reviewer)


def test_what_somebody_acted_on_stays(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.other_annotator)
    request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="",
        expected_version=1,
    )
    with pytest.raises(StaleStateError, match="acted on"):
        withdraw_judgement(judgement=judgement, annotator=team.other_annotator)
    revise_judgement(
        judgement=judgement,
        annotator=team.other_annotator,
        answer=CONTRADICT,
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    with pytest.raises(StaleStateError, match="acted on"):
        withdraw_judgement(judgement=judgement, annotator=team.other_annotator)


def test_a_review_that_comes_after_is_refused_in_words(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.other_annotator)
    seen = Judgement.objects.get(pk=judgement.pk)
    withdraw_judgement(judgement=judgement, annotator=team.other_annotator)
    with pytest.raises(StaleStateError, match="taken back"):
        approve_judgement(judgement=seen, reviewer=team.reviewer, expected_version=1)


def test_undo_reaches_back_until_somebody_has_acted(team: Team, pair: Pair) -> None:
    person, project = team.other_annotator, team.project
    oldest = judged(pair, person)
    middle = judged(approved(team, "Tea is old.").pairs.get(), person)
    newest = judged(approved(team, "Tea is new.").pairs.get(), person)
    approve_judgement(judgement=oldest, reviewer=team.reviewer, expected_version=1)
    assert withdraw_last(project=project, annotator=person) == newest
    assert withdraw_last(project=project, annotator=person) == middle
    with pytest.raises(StaleStateError, match="acted on"):
        withdraw_last(project=project, annotator=person)
    with pytest.raises(DomainError, match="nothing of yours"):
        withdraw_last(project=project, annotator=team.annotator)


def test_a_draft_of_another_tab_gives_way_to_the_old_answer(
    team: Team, pair: Pair
) -> None:
    judgement = judged(pair, team.other_annotator)
    save_draft(
        user=team.other_annotator,
        project=team.project,
        kind="verify",
        item_id=pair.pk,
        content={"label": "MIXED"},
        expected_version=0,
    )
    withdraw_judgement(judgement=judgement, annotator=team.other_annotator)
    draft = Draft.objects.get()
    assert (draft.content["label"], draft.version) == ("SUPPORT", 2)


def test_the_same_form_again_after_taking_it_back_says_so(
    team: Team, pair: Pair
) -> None:
    key = uuid.uuid4()

    def submit() -> Judgement:
        return submit_judgement(
            pair=pair,
            annotator=team.other_annotator,
            answer=SUPPORT,
            submission_key=key,
        )

    withdraw_judgement(judgement=submit(), annotator=team.other_annotator)
    with pytest.raises(StaleStateError, match="taken this answer back"):
        submit()


def test_with_two_judgements_only_the_own_slot_is_free(team: Team) -> None:
    team.project.settings["judgements_per_pair"] = 2
    team.project.save()
    pair = approved(team).pairs.get()
    judged(pair, team.admin)
    mine = judged(pair, team.other_annotator)
    assert mine.slot == 1
    withdraw_judgement(judgement=mine, annotator=team.other_annotator)
    assert Lease.objects.get().slot == 1
    answer = Answer(Label.SUPPORT, (Rationale((1,)),))
    assert judged(pair, team.other_annotator, answer).slot == 1
