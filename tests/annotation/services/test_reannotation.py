"""A second, blind judgement of what was judged: drawing, judging, undoing."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.access import get_project
from annotation.models import (
    Judgement,
    Pair,
    ReannotationSample,
    Review,
    Stage,
    Verdict,
)
from annotation.protocols import Verifier
from annotation.selectors import queue, verifying
from annotation.selectors.dashboard import own_work
from annotation.selectors.personal_data import personal_data_json
from annotation.selectors.reannotation import plan_sample, sample_rows
from annotation.selectors.records import claim_records
from annotation.services.judgement_reviews import approve_judgement, reject_judgement
from annotation.services.judgement_withdrawals import withdraw_judgement
from annotation.services.judgements import Answer
from annotation.services.leases import take_next
from annotation.services.purge import purge_project
from annotation.services.reannotation import Design, draw_sample, undo_sample
from annotation.services.review_undo import undo_review
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=6)


def decided(team: Team, text: str = "Nettle tea eases knee pain.") -> Pair:
    """A pair that the other annotator has judged, approved by the reviewer."""
    pair = approved(team, text).pairs.get()
    judgement = judged(pair, team.other_annotator)
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    pair.refresh_from_db()
    return pair


def drawn(team: Team, size: int = 1, name: str = "First") -> ReannotationSample:
    return draw_sample(
        project=team.project, actor=team.admin, name=name, design=Design(size, seed=1)
    )


def waits_for(team: Team, user: User) -> list[int]:
    access = get_project(user, team.project.slug)
    return queue.next_items(access, Stage.VERIFY, besides=None)


def provenance(pair: Pair) -> str:
    return Verdict.objects.get(pair=pair).provenance


def exported(team: Team) -> list[object]:
    return [list(claim.evidence) for claim in claim_records(team.project.claims.all())]


def test_a_drawn_pair_waits_for_others_and_keeps_its_verdict(team: Team) -> None:
    pair = decided(team)
    before = exported(team)
    drawn(team)
    assert waits_for(team, team.other_annotator) == []  # who judged it
    assert waits_for(team, team.annotator) == []  # who wrote its claim
    assert waits_for(team, team.newcomer) == [pair.pk]
    assert exported(team) == before
    assert provenance(pair) == "single"
    assert_events_rebuild_the_tables()


@pytest.mark.parametrize(
    ("answer", "state", "stands"),
    [(SUPPORT, "approved", "unanimous"), (CONTRADICT, "disputed", "single")],
)
def test_the_second_judgement_measures_and_is_not_reviewed(
    team: Team, answer: Answer, state: str, stands: str
) -> None:
    pair = decided(team)
    sample = drawn(team)
    before = exported(team)
    second = judged(pair, team.newcomer, answer)
    pair.refresh_from_db()
    assert (second.state, second.slot, pair.state) == ("unreviewed", 1, state)
    assert provenance(pair) == stands
    assert exported(team) == before
    (row,) = sample_rows(team.project)
    assert (row.sample, row.total, row.done) == (sample, 1, 1)
    assert waits_for(team, team.admin) == []
    assert_events_rebuild_the_tables()


def test_a_first_judgement_can_be_approved_while_the_second_is_awaited(
    team: Team,
) -> None:
    pair = approved(team).pairs.get()
    first = judged(pair, team.other_annotator)
    drawn(team)
    approve_judgement(judgement=first, reviewer=team.reviewer, expected_version=1)
    pair.refresh_from_db()
    assert (pair.state, provenance(pair)) == ("open", "single")
    judged(pair, team.newcomer)
    pair.refresh_from_db()
    assert (pair.state, provenance(pair)) == ("approved", "unanimous")


def test_who_judges_again_is_never_told_so(team: Team) -> None:
    decided(team)
    drawn(team)
    second = judged(Pair.objects.get(), team.newcomer, CONTRADICT)
    access = get_project(team.newcomer, team.project.slug)
    waiting = ("judgements", "submitted", "waiting for review", 1)
    assert own_work(access) == [waiting]
    assert verifying.judged(second).state == "submitted"
    data = "".join(personal_data_json(team.newcomer))
    assert '"verb": "submit"' in data
    for word in ("unreviewed", "disputed", "suggestion_arm"):
        assert word not in data


def test_a_second_judgement_can_be_taken_back_and_given_again(team: Team) -> None:
    pair = decided(team)
    drawn(team)
    second = judged(pair, team.newcomer)
    withdraw_judgement(judgement=second, annotator=team.newcomer)
    pair.refresh_from_db()
    assert (pair.state, provenance(pair)) == ("open", "single")
    assert sample_rows(team.project)[0].in_hand == 1
    judged(pair, team.newcomer, CONTRADICT)
    assert Judgement.objects.filter(pair=pair, state="unreviewed").count() == 1
    assert_events_rebuild_the_tables()


def test_the_review_of_the_first_can_be_undone_meanwhile(team: Team) -> None:
    pair = decided(team)
    drawn(team)
    judged(pair, team.newcomer)
    review = Review.objects.get(judgement_version__judgement__pair=pair)
    undo_review(review=review, reviewer=team.reviewer)
    pair.refresh_from_db()
    assert pair.state == "judged"
    assert not Verdict.objects.filter(pair=pair).exists()
    first = pair.judgements.get(slot=0)
    approve_judgement(judgement=first, reviewer=team.reviewer, expected_version=1)
    assert provenance(pair) == "unanimous"
    assert_events_rebuild_the_tables()


def test_undoing_a_rejection_never_fills_the_slot_of_a_second_judgement(
    team: Team,
) -> None:
    pair = approved(team).pairs.get()
    first = judged(pair, team.other_annotator)
    drawn(team)
    reject_judgement(
        judgement=first,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="It does not follow.",
        expected_version=1,
    )
    judged(pair, team.newcomer)
    review = Review.objects.get(judgement_version__judgement=first)
    with pytest.raises(StaleStateError, match="acted on this decision"):
        undo_review(review=review, reviewer=team.reviewer)


def test_whoever_reviewed_a_pair_never_judges_it_again(team: Team) -> None:
    """Where anybody may judge, they would otherwise know the first answer."""
    team.project.settings["verifier"] = Verifier.ANYONE
    team.project.save(update_fields=["settings"])
    membership = team.membership(team.reviewer)
    membership.stages = [*membership.stages, "verify"]
    membership.save(update_fields=["stages"])
    pair = decided(team)
    drawn(team)
    assert waits_for(team, team.reviewer) == []
    assert waits_for(team, team.annotator) == [pair.pk]


def test_where_writers_judge_their_claims_others_judge_again(team: Team) -> None:
    team.project.settings["verifier"] = Verifier.WRITER
    team.project.save(update_fields=["settings"])
    pair = approved(team).pairs.get()
    judged(pair, team.annotator)
    assert waits_for(team, team.newcomer) == []
    drawn(team)
    assert waits_for(team, team.annotator) == []
    assert waits_for(team, team.newcomer) == [pair.pk]


def test_only_what_is_judged_here_can_be_drawn_and_once_at_a_time(team: Team) -> None:
    decided(team)
    approved(team, "Mint tea eases knee pain.")  # still to be judged
    drawn(team)
    with pytest.raises(DomainError, match="not 1 pairs"):
        drawn(team, name="Second")
    judged(Pair.objects.get(judgements_wanted=2), team.newcomer)
    third = drawn(team, name="Third")
    assert [found.judgements for found in third.sampled.all()] == [3]


def test_a_name_is_taken_once_and_a_sample_is_never_empty(team: Team) -> None:
    decided(team)
    decided(team, "Mint tea eases knee pain.")
    drawn(team)
    with pytest.raises(DomainError, match="already"):
        drawn(team)
    with pytest.raises(DomainError, match="at least one pair"):
        drawn(team, size=0, name="Empty")


def test_a_draw_is_undone_while_nobody_has_begun(team: Team) -> None:
    pair = decided(team)
    waiting = approved(team, "Mint tea eases knee pain.").pairs.get()
    judged(waiting, team.other_annotator)
    undo_sample(sample=drawn(team, size=2), actor=team.admin)
    assert dict(Pair.objects.values_list("pk", "state")) == {
        pair.pk: "approved",
        waiting.pk: "judged",
    }
    assert set(Pair.objects.values_list("judgements_wanted", flat=True)) == {0}
    assert waits_for(team, team.newcomer) == []
    assert_events_rebuild_the_tables()


def test_undoing_a_draw_leaves_what_an_earlier_sample_asked_for(team: Team) -> None:
    pair = decided(team)
    drawn(team)
    judged(pair, team.newcomer)
    undo_sample(sample=drawn(team, name="Second"), actor=team.admin)
    pair.refresh_from_db()
    assert (pair.state, pair.judgements_wanted) == ("approved", 2)


def test_undoing_a_draw_finds_the_dispute_that_came_meanwhile(team: Team) -> None:
    team.project.settings["judgements_per_pair"] = 2
    team.project.save(update_fields=["settings"])
    pair = approved(team).pairs.get()
    both = [
        judged(pair, team.other_annotator),
        judged(pair, team.newcomer, CONTRADICT),
    ]
    sample = drawn(team)
    for judgement in both:
        approve_judgement(
            judgement=judgement, reviewer=team.reviewer, expected_version=1
        )
    undo_sample(sample=sample, actor=team.admin)
    pair.refresh_from_db()
    assert (pair.state, pair.conflict) == ("disputed", 300)


def test_a_draw_is_not_undone_under_somebody_who_judges(team: Team) -> None:
    decided(team)
    sample = drawn(team)
    take_next(access=get_project(team.newcomer, team.project.slug), stage=Stage.VERIFY)
    with pytest.raises(StaleStateError, match="in front of them"):
        undo_sample(sample=sample, actor=team.admin)
    judged(Pair.objects.get(), team.newcomer)
    with pytest.raises(StaleStateError, match="has judged a pair"):
        undo_sample(sample=sample, actor=team.admin)


def test_strata_are_those_of_the_first_judgement(team: Team) -> None:
    for n, answer in enumerate((SUPPORT, SUPPORT, CONTRADICT)):
        pair = approved(team, f"Tea number {n} eases pain.").pairs.get()
        judged(pair, team.other_annotator, answer)
    plan = plan_sample(team.project, kinds=("label", "stage"), size=2, seed=3)
    assert [(row.words, row.available, row.drawn) for row in plan.rows] == [
        (("REFUTES", "waiting for review"), 1, 1),
        (("SUPPORTS", "waiting for review"), 2, 1),
    ]


def test_drawing_many_takes_as_many_queries_as_drawing_few(team: Team) -> None:
    pairs = [decided(team, f"Tea {n} eases pain.") for n in range(4)]
    with CaptureQueriesContext(connection) as few:
        sample = drawn(team)
    undo_sample(sample=sample, actor=team.admin)
    Pair.objects.filter(pk__in=[p.pk for p in pairs]).update(judgements_wanted=0)
    with CaptureQueriesContext(connection) as many:
        drawn(team, size=4, name="Four")
    assert len(few) == len(many)


def test_a_purge_takes_the_samples(team: Team) -> None:
    decided(team)
    drawn(team)
    purge_project(project=team.project, typed_name=team.project.name)
    assert not ReannotationSample.objects.exists()
