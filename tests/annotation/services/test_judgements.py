"""Judging pairs, reviewing judgements, and the states that follow."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation.access import get_project
from annotation.models import Judgement, Pair, Project, Verdict
from annotation.services import judgement_reviews, judgements
from annotation.services.documents import fill_abstract
from annotation.services.guidelines import publish_guideline
from annotation.services.judgements import Answer
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import Document
from corpus.records import Label, Rationale
from tests.annotation.work import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, approved, judged
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db
KEY = uuid.uuid4()


@pytest.fixture
def team() -> Team:
    return make_team(citances=2)


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def _needs_two(project: Project) -> None:
    project.settings = {**project.settings, "judgements_per_pair": 2}
    project.save()


def _approve(judgement: Judgement, team: Team) -> Judgement:
    return judgement_reviews.approve_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        expected_version=judgement.version,
    )


def test_a_judgement_names_what_it_saw(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.other_annotator)
    assert judgement.claim_version == pair.claim.versions.get()
    assert judgement.document_hash == pair.document.content_hash
    assert judgement.guideline == team.guideline
    pair.refresh_from_db()
    assert pair.state == Pair.State.JUDGED


def test_a_judgement_names_the_guideline_that_its_annotator_accepted(
    team: Team, pair: Pair
) -> None:
    """Work that was begun before a new version came out was done by the old one."""
    publish_guideline(
        project=team.project, text="New", actor=team.admin, change_note="All"
    )
    assert judged(pair, team.other_annotator).guideline == team.guideline


def test_a_pair_waits_for_a_missing_abstract(team: Team, pair: Pair) -> None:
    Document.objects.filter(pk=pair.document_id).update(
        sentences=[], separators=[""], has_abstract=False
    )
    pair.document.refresh_from_db()
    access = get_project(team.other_annotator, team.project.slug)
    assert list(access.pairs_to_verify()) == []
    with pytest.raises(DomainError, match="no text yet"):
        judged(pair, team.other_annotator)

    fill_abstract(document=pair.document, text="It came. Late.", actor=team.admin)
    assert list(access.pairs_to_verify()) == [pair]
    pair.document.refresh_from_db()
    saw = judged(pair, team.other_annotator, NOT_ENOUGH_INFO).document_hash
    assert saw == Document.objects.get(pk=pair.document_id).content_hash


def test_the_same_form_sent_twice_judges_once(team: Team, pair: Pair) -> None:
    key = uuid.uuid4()
    first, again = (
        judgements.submit_judgement(
            pair=pair,
            annotator=team.other_annotator,
            answer=SUPPORT,
            submission_key=key,
        )
        for _ in range(2)
    )
    assert first.pk == again.pk
    assert Judgement.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [CONTRADICT, Answer(Label.SUPPORT, (Rationale((1,)),))],
    ids=["another label", "another sentence"],
)
def test_an_answer_changed_after_it_was_sent_is_refused_in_words(
    team: Team, pair: Pair, changed: Answer
) -> None:
    form: dict[str, Any] = {
        "pair": pair,
        "annotator": team.other_annotator,
        "submission_key": KEY,
    }
    judgements.submit_judgement(**form, answer=SUPPORT)
    with pytest.raises(AlreadySentError, match="was not saved"):
        judgements.submit_judgement(**form, answer=changed)
    judgement = Judgement.objects.get()
    assert [r.sentences for r in judgement.rationales.all()] == [[2]]


def test_a_key_that_was_used_for_another_pair_is_refused_in_words(team: Team) -> None:
    first, second = (approved(team, f"Tea {n} helps.").pairs.get() for n in (1, 2))
    form: dict[str, Any] = {
        "annotator": team.other_annotator,
        "answer": SUPPORT,
        "submission_key": KEY,
    }
    judgements.submit_judgement(pair=first, **form)
    with pytest.raises(AlreadySentError):
        judgements.submit_judgement(pair=second, **form)
    with pytest.raises(AlreadySentError):
        judgements.submit_judgement(pair=first, **form | {"annotator": team.newcomer})
    assert not Judgement.objects.filter(pair=second).exists()


def test_an_unsound_answer_is_refused_and_leaves_the_pair_open(
    team: Team, pair: Pair
) -> None:
    with pytest.raises(DomainError, match="Choose the sentences"):
        judged(pair, team.other_annotator, Answer(Label.SUPPORT))
    pair.refresh_from_db()
    assert pair.state == Pair.State.OPEN


def test_a_second_annotator_comes_too_late(team: Team, pair: Pair) -> None:
    judged(pair, team.other_annotator)
    with pytest.raises(StaleStateError):
        judged(pair, team.admin)


def test_an_approved_single_judgement_is_the_verdict(team: Team, pair: Pair) -> None:
    judgement = _approve(judged(pair, team.other_annotator), team)
    verdict = Verdict.objects.get(pair=pair)
    assert (verdict.judgement, verdict.provenance) == (judgement, "single")
    pair.refresh_from_db()
    assert pair.state == Pair.State.APPROVED


def test_fix_and_approve_adopts_the_reviewers_answer(team: Team, pair: Pair) -> None:
    judgement = judgement_reviews.fix_and_approve_judgement(
        judgement=judged(pair, team.other_annotator),
        reviewer=team.reviewer,
        answer=CONTRADICT,
        expected_version=1,
    )
    assert judgement.label == Label.CONTRADICT
    assert [r.sentences for r in judgement.rationales.all()] == [[0, 2]]
    first = judgement.versions.get(number=1)
    assert first.label == Label.SUPPORT
    assert first.rationales == [{"sentences": [2], "roles": []}]


def test_changes_go_to_the_author_and_come_back(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.other_annotator)
    judgement_reviews.request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="Read sentence 1.",
        expected_version=1,
    )
    pair.refresh_from_db()
    assert pair.state == Pair.State.CHANGES_REQUESTED
    judgements.revise_judgement(
        judgement=judgement,
        annotator=team.other_annotator,
        answer=CONTRADICT,
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    pair.refresh_from_db()
    assert (judgement.state, pair.state) == ("submitted", "judged")
    _approve(judgement, team)
    assert Verdict.objects.get().judgement.label == Label.CONTRADICT


def test_a_rejected_judgement_gives_its_slot_to_somebody_else(
    team: Team, pair: Pair
) -> None:
    judgement = judged(pair, team.other_annotator)
    judgement_reviews.reject_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="other",
        note="Random clicks.",
        expected_version=1,
    )
    pair.refresh_from_db()
    assert pair.state == Pair.State.OPEN
    with pytest.raises(DomainError, match="judged this pair already"):
        judged(pair, team.other_annotator)
    assert judged(pair, team.admin).slot == 0


def test_nobody_reviews_their_own_judgement(team: Team, pair: Pair) -> None:
    judgement = judged(pair, team.admin)
    with pytest.raises(DomainError, match="their own"):
        judgement_reviews.approve_judgement(
            judgement=judgement, reviewer=team.admin, expected_version=1
        )


def test_two_agreeing_judgements_are_unanimous(team: Team, pair: Pair) -> None:
    _needs_two(team.project)
    first = judged(pair, team.other_annotator)
    pair.refresh_from_db()
    assert pair.state == Pair.State.OPEN
    second = judged(pair, team.admin)
    assert (first.slot, second.slot) == (0, 1)
    _approve(first, team)
    assert not Verdict.objects.exists()
    _approve(second, team)
    assert Verdict.objects.get().provenance == Verdict.Provenance.UNANIMOUS


def test_two_disagreeing_judgements_wait_for_adjudication(
    team: Team, pair: Pair
) -> None:
    _needs_two(team.project)
    for annotator, answer in (
        (team.other_annotator, SUPPORT),
        (team.admin, NOT_ENOUGH_INFO),
    ):
        _approve(judged(pair, annotator, answer), team)
    pair.refresh_from_db()
    assert pair.state == Pair.State.DISPUTED
    assert not Verdict.objects.exists()


def test_a_return_beside_a_rejection_keeps_the_pair_in_the_queue(
    team: Team, pair: Pair
) -> None:
    _needs_two(team.project)
    first, second = judged(pair, team.other_annotator), judged(pair, team.admin)
    judgement_reviews.request_judgement_changes(
        judgement=first,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note="",
        expected_version=1,
    )
    judgement_reviews.reject_judgement(
        judgement=second,
        reviewer=team.reviewer,
        reason_code="other",
        note="Random.",
        expected_version=1,
    )
    pair.refresh_from_db()
    assert pair.state == Pair.State.OPEN


def test_who_touched_the_claims_family_never_gets_its_pairs(
    team: Team, pair: Pair
) -> None:
    def offered(user: object) -> bool:
        access = get_project(user, team.project.slug)  # type: ignore[arg-type]
        return access.pairs_to_verify().filter(pk=pair.pk).exists()

    assert offered(team.other_annotator)
    assert not offered(team.annotator), "wrote the claim"
    team.membership(team.reviewer).stages.append("verify")
    membership = team.membership(team.reviewer)
    membership.stages = [*membership.stages, "verify"]
    membership.save()
    assert not offered(team.reviewer), "proofread the claim"
    judged(pair, team.other_annotator)
    assert not offered(team.other_annotator), "judged the pair"
