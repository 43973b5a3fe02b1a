"""Deciding about judgements that disagree, and taking the decision back."""

from __future__ import annotations

import json
import uuid
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from annotation.access import get_project
from annotation.agreement_report import Wanted
from annotation.models import (
    Adjudication,
    Judgement,
    Pair,
    Review,
    Stage,
    Verdict,
)
from annotation.protocols import Verifier
from annotation.selectors import queue
from annotation.selectors.adjudicating import (
    comparison,
    disputed_pairs,
    readable_pairs,
)
from annotation.selectors.agreement import agreement_of
from annotation.selectors.progress import people_of
from annotation.services.adjudications import (
    Ruling,
    adjudicate_pair,
    seen_answers,
    undo_adjudication,
)
from annotation.services.exports import ClaimSelection, export_claims
from annotation.services.judgement_reviews import approve_judgement, reject_judgement
from annotation.services.judgement_withdrawals import (
    is_untouched,
    last_judgement,
    withdraw_judgement,
)
from annotation.services.judgements import Answer, current_answer
from annotation.services.leases import take_next
from annotation.services.reannotation import Design, draw_sample
from annotation.services.review_undo import undo_review
from annotation.services.settling import standing
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.formats.base import WriteOptions
from corpus.formats.registry import get_format
from corpus.models import User
from corpus.records import Label, Rationale
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
OTHER_SENTENCE = Answer(Label.SUPPORT, (Rationale((1,)),))


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=5)


def disputed(
    team: Team,
    second: Answer = CONTRADICT,
    text: str = "Nettle tea eases knee pain.",
    *,
    is_single: bool = True,
) -> Pair:
    """A pair on which the other annotator and the newcomer disagree.

    ``is_single``: the first answer was the verdict before the second came.
    """
    return contested(team, approved(team, text).pairs.get(), second, is_single)


def contested(team: Team, pair: Pair, second: Answer, is_single: bool) -> Pair:
    """The same of a given pair."""
    text = pair.claim.text
    first = judged(pair, team.other_annotator)
    if is_single:
        approve_judgement(judgement=first, reviewer=team.reviewer, expected_version=1)
    design = Design(1, seed=1)
    draw_sample(project=team.project, actor=team.admin, name=text, design=design)
    judged(pair, team.newcomer, second)
    if not is_single:
        approve_judgement(judgement=first, reviewer=team.reviewer, expected_version=1)
    pair.refresh_from_db()
    return pair


def sides(pair: Pair) -> list[Judgement]:
    return list(standing(pair.judgements.all()))


def reopen(team: Team, pair: Pair) -> None:
    """Let the first answer be rejected after all: its place is free."""
    first = sides(pair)[0]
    review = Review.objects.get(judgement_version__judgement=first)
    undo_review(review=review, reviewer=team.reviewer)
    reject_judgement(
        judgement=first,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="It judges another dose.",
        expected_version=1,
    )


def decide(
    team: Team,
    pair: Pair,
    taken: Judgement | None = None,
    answer: Answer | None = None,
    *,
    by: User | None = None,
    seen: str | None = None,
    key: uuid.UUID | None = None,
) -> Adjudication:
    seen = seen_answers(sides(pair)) if seen is None else seen
    return adjudicate_pair(
        pair=pair,
        adjudicator=by or team.reviewer,
        ruling=Ruling(taken, answer, seen, note="The dose differs."),
        submission_key=key or uuid.uuid4(),
    )


def verdict(pair: Pair) -> tuple[str, str, str]:
    found = Verdict.objects.select_related("judgement").get(pair=pair)
    return found.provenance, found.judgement.label, found.judgement.origin


@pytest.mark.parametrize("is_single", [True, False])
def test_taking_a_judgement_makes_it_the_verdict(team: Team, is_single: bool) -> None:
    pair = disputed(team, is_single=is_single)
    assert (pair.state, pair.conflict) == ("disputed", 300)
    done = decide(team, pair, sides(pair)[1])
    pair.refresh_from_db()
    assert (pair.state, pair.conflict) == ("approved", 0)
    assert verdict(pair) == ("adjudicated", "CONTRADICT", "annotator")
    assert (done.decision, done.note) == ("take", "The dose differs.")
    assert_events_rebuild_the_tables()
    undo_adjudication(adjudication=done, adjudicator=team.reviewer)
    pair.refresh_from_db()
    assert pair.state == "disputed"
    stood = list(Verdict.objects.values_list("provenance", "judgement__label"))
    assert stood == ([("single", "SUPPORT")] if is_single else [])
    assert_events_rebuild_the_tables()


@pytest.mark.parametrize(("is_edit", "decision"), [(True, "edit"), (False, "write")])
def test_what_an_adjudicator_writes_is_no_independent_judgement(
    team: Team, is_edit: bool, decision: str
) -> None:
    pair = disputed(team)
    before = agreement_of(team.project, Wanted())
    taken = sides(pair)[0] if is_edit else None
    done = decide(team, pair, taken, OTHER_SENTENCE)
    assert (done.decision, done.based_on) == (decision, taken)
    assert verdict(pair) == ("adjudicated", "SUPPORT", "adjudicator")
    assert current_answer(done.judgement) == OTHER_SENTENCE
    assert done.judgement.slot is None
    assert len(sides(pair)) == 2
    after = agreement_of(team.project, Wanted())
    assert (after.n_pairs, after.confusion) == (before.n_pairs, before.confusion)
    assert last_judgement(team.project, team.reviewer) is None
    people = {row.person: row for row in people_of(team.project)}
    assert people[team.reviewer].verified == 0
    undo_adjudication(adjudication=done, adjudicator=team.reviewer)
    done.judgement.refresh_from_db()
    assert done.judgement.state == "withdrawn"
    assert verdict(pair) == ("single", "SUPPORT", "annotator")
    decide(team, pair, None, OTHER_SENTENCE)
    assert_events_rebuild_the_tables()


def test_going_back_before_adjudication_leaves_no_answer_without_a_known_origin(
    team: Team,
) -> None:
    """The rule of the database before it knows annotators and imports only."""
    decide(team, disputed(team), None, OTHER_SENTENCE)
    import_module("annotation.migrations.0015_disputed_pairs").unmark(apps, None)
    origins = Judgement.objects.filter(annotator=team.reviewer)
    assert list(origins.values_list("origin", flat=True)) == ["annotator"]
    assert_events_rebuild_the_tables()


def test_an_unchanged_answer_is_plainly_taken(team: Team) -> None:
    pair = disputed(team)
    assert decide(team, pair, sides(pair)[0], SUPPORT).decision == "take"


def test_nobody_decides_about_their_own_judgement(team: Team) -> None:
    membership = team.membership(team.newcomer)
    membership.stages = [*membership.stages, "adjudicate"]
    membership.save(update_fields=["stages"])
    pair = disputed(team)
    access = get_project(team.newcomer, team.project.slug)
    assert not disputed_pairs(access).exists()
    with pytest.raises(DomainError, match="You judged this pair yourself"):
        decide(team, pair, sides(pair)[0], by=team.newcomer)


def test_nobody_decides_about_what_they_judged_before_it_was_rejected(
    team: Team,
) -> None:
    pair = approved(team).pairs.get()
    reject_judgement(
        judgement=judged(pair, team.admin),
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="It judges another dose.",
        expected_version=1,
    )
    pair = contested(team, pair, CONTRADICT, is_single=True)
    access = get_project(team.admin, team.project.slug)
    assert pair.state == "disputed"
    assert not disputed_pairs(access).exists()
    assert not readable_pairs(access).exists()
    with pytest.raises(DomainError, match="You judged this pair yourself"):
        decide(team, pair, None, OTHER_SENTENCE, by=team.admin)


def test_a_decision_on_answers_that_changed_is_refused(team: Team) -> None:
    pair = disputed(team)
    with pytest.raises(StaleStateError, match="have changed"):
        decide(team, pair, sides(pair)[0], seen="7.1 8.1")
    second = sides(pair)[1]
    reopen(team, pair)
    with pytest.raises(StaleStateError, match="not waiting"):
        decide(team, pair, second)


def test_a_form_decides_once_and_a_pair_is_decided_once(team: Team) -> None:
    pair, key = disputed(team), uuid.uuid4()
    first, second = sides(pair)
    done = decide(team, pair, first, key=key)
    assert decide(team, pair, first, key=key) == done
    for taken, answer in ((second, None), (first, OTHER_SENTENCE), (None, SUPPORT)):
        with pytest.raises(AlreadySentError):
            decide(team, pair, taken, answer, key=key)
    with pytest.raises(StaleStateError, match="not waiting"):
        decide(team, pair, second, by=team.admin)
    undo_adjudication(adjudication=done, adjudicator=team.reviewer)
    with pytest.raises(AlreadySentError):
        decide(team, pair, first, key=key)
    with pytest.raises(StaleStateError, match="already"):
        undo_adjudication(adjudication=done, adjudicator=team.reviewer)


def test_a_written_answer_comes_again_or_is_another(team: Team) -> None:
    pair, key = disputed(team), uuid.uuid4()
    first = sides(pair)[0]
    done = decide(team, pair, first, OTHER_SENTENCE, key=key)
    assert decide(team, pair, first, OTHER_SENTENCE, key=key) == done
    for taken, answer in ((None, OTHER_SENTENCE), (first, CONTRADICT), (first, None)):
        with pytest.raises(AlreadySentError):
            decide(team, pair, taken, answer, key=key)


def test_a_second_judgement_is_not_taken_back_from_a_dispute(team: Team) -> None:
    agreed = disputed(team, SUPPORT, "Mint tea eases knee pain.")
    assert is_untouched(sides(agreed)[1])
    pair = disputed(team)
    second = sides(pair)[1]
    assert not is_untouched(second)
    with pytest.raises(StaleStateError, match="acted on it"):
        withdraw_judgement(judgement=second, annotator=team.newcomer)


def test_whoever_decided_never_judges_the_pair(team: Team) -> None:
    team.project.settings["verifier"] = Verifier.ANYONE
    team.project.save(update_fields=["settings"])
    pair = disputed(team)
    done = decide(team, pair, sides(pair)[0], by=team.admin)
    with pytest.raises(DomainError, match="Only whoever decided"):
        undo_adjudication(adjudication=done, adjudicator=team.reviewer)
    undo_adjudication(adjudication=done, adjudicator=team.admin)
    reopen(team, pair)

    def waits_for(user: User) -> list[int]:
        access = get_project(user, team.project.slug)
        return queue.next_items(access, Stage.VERIFY, besides=None)

    assert waits_for(team.annotator) == [pair.pk]
    assert waits_for(team.admin) == []


def test_the_most_informative_dispute_comes_first(team: Team) -> None:
    three = Answer(Label.SUPPORT, (Rationale((1, 2)),))
    sentences = disputed(team, three, "Tea number 1 eases pain.")
    apart = disputed(team, OTHER_SENTENCE, "Tea number 2 eases pain.")
    unclear = disputed(team, Answer(Label.NOT_ENOUGH_INFO), "Tea number 3 eases pain.")
    opposed = disputed(team, CONTRADICT, "Tea number 4 eases pain.")
    wanted = [opposed.pk, unclear.pk, apart.pk, sentences.pk]
    access = get_project(team.reviewer, team.project.slug)
    assert queue.next_items(access, Stage.ADJUDICATE, besides=None) == wanted
    lease = take_next(access=access, stage=Stage.ADJUDICATE)
    assert lease is not None
    assert lease.item_id == opposed.pk
    other = take_next(
        access=get_project(team.admin, team.project.slug), stage=Stage.ADJUDICATE
    )
    assert other is not None
    assert other.item_id == unclear.pk


def test_sides_have_letters_over_the_same_sentences(team: Team) -> None:
    found = comparison(disputed(team, OTHER_SENTENCE))
    assert [(side.letter, side.judgement.slot) for side in found.sides] == [
        ("A", 0),
        ("B", 1),
    ]
    chosen = {
        line.number: [letter for letter, marks in line.marks if marks]
        for line in found.lines
        if line.is_chosen
    }
    assert chosen == {2: ["B"], 3: ["A"]}


def test_what_was_adjudicated_is_not_drawn_again(team: Team) -> None:
    pair = disputed(team)
    decide(team, pair, sides(pair)[0])
    with pytest.raises(DomainError, match="not 1 pairs"):
        draw_sample(
            project=team.project, actor=team.admin, name="A", design=Design(1, seed=1)
        )


def test_an_export_says_how_its_pairs_were_decided(team: Team, tmp_path: Path) -> None:
    disputed(team, CONTRADICT, "Tea number 1 eases pain.")
    settled = disputed(team, CONTRADICT, "Tea number 2 eases pain.")
    decide(team, settled, sides(settled)[1])
    agreed = disputed(team, SUPPORT, "Tea number 3 eases pain.")
    agreed.judgements.filter(slot=0).update(suggestion_shown=True)
    export_claims(
        selection=ClaimSelection(team.project),
        fmt=get_format("scifact"),
        options=WriteOptions(),
        output=tmp_path / "claims.jsonl",
    )
    manifest = json.loads((tmp_path / "claims.jsonl.manifest.json").read_text())
    assert [entry["provenance"] for entry in manifest["verdicts"]] == [
        "single",
        "adjudicated",
        "unanimous",
    ]
    assert [entry["suggestion_shown"] for entry in manifest["verdicts"]] == [
        False,
        False,
        True,
    ]
    assert manifest["counts"]["verdicts"] == {
        "adjudicated": 1,
        "of these, disputed by a later judgement": 1,
        "single": 1,
        "unanimous": 1,
    }
