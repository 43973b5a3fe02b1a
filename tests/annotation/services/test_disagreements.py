"""The author's one answer, who decides on it, and how decisions are taken back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation import access as door
from annotation.models import (
    Claim,
    Comment,
    Disagreement,
    Judgement,
    Notice,
    Pair,
    Review,
    Stage,
    Verdict,
)
from annotation.selectors import work
from annotation.services.claim_reviews import (
    approve_claim,
    fix_and_approve_claim,
    reject_claim,
    request_claim_changes,
)
from annotation.services.disagreements import (
    disagree_with_claim_review,
    disagree_with_judgement_review,
)
from annotation.services.judgement_reviews import (
    approve_judgement,
    fix_and_approve_judgement,
    reject_judgement,
    request_judgement_changes,
)
from annotation.services.judgements import current_answer, revise_judgement
from annotation.services.members import add_member, suspend_member
from annotation.services.review_undo import undo_review
from annotation.services.reviews import Remark
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged, written
from tests.factories import Team, UserFactory, accept_texts, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=4)


@pytest.fixture
def second(team: Team) -> User:
    """Another reviewer."""
    user: User = UserFactory()
    add_member(
        project=team.project,
        user=user,
        stages=[Stage.PROOFREAD, Stage.REVIEW],
        actor=team.admin,
        state="trusted",
    )
    accept_texts(team.project, user)
    return user


def _only_reviewer(team: Team) -> None:
    """Take the admin's part in reviewing away: one reviewer is left."""
    membership = team.membership(team.admin)
    membership.stages = [Stage.ADMIN]
    membership.save()


def _returned(team: Team, note: str = "Look at sentence 3.") -> Judgement:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    return request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="wrong_label",
        note=note,
        expected_version=1,
        remarks=[Remark(Comment.Part.SENTENCE, " It says <differ>. ", 2)],
    )


def _disputed(team: Team) -> Judgement:
    judgement = _returned(team)
    disagree_with_judgement_review(
        judgement=judgement,
        author=team.other_annotator,
        text="Sentence 3 is about another tea.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    return judgement


def _waiting(team: Team, user: User) -> list[Judgement]:
    access = door.get_project(user, team.project.slug)
    return list(work.judgements_to_review(access))


def test_comments_are_tied_to_a_sentence(team: Team) -> None:
    _returned(team)
    comment = Comment.objects.get()
    assert (comment.part, comment.sentence, comment.text) == (
        "sentence",
        2,
        "It says <differ>.",
    )


@pytest.mark.parametrize("sentence", [3, -1, None])
def test_a_comment_names_a_sentence_that_exists(
    team: Team, sentence: int | None
) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    with pytest.raises(DomainError, match="has 3 sentences"):
        request_judgement_changes(
            judgement=judgement,
            reviewer=team.reviewer,
            reason_code="wrong_label",
            note="",
            expected_version=1,
            remarks=[Remark(Comment.Part.SENTENCE, "Why?", sentence)],
        )
    judgement.refresh_from_db()
    assert judgement.state == "submitted"


def test_a_comment_is_reason_enough(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    remark = Remark(Comment.Part.CLAIM, "Which tea?")
    values: dict[str, Any] = {
        "judgement": judgement,
        "reviewer": team.reviewer,
        "expected_version": 1,
    }
    with pytest.raises(DomainError, match="a reason"):
        request_judgement_changes(**values, reason_code="", note=" ")
    request_judgement_changes(**values, reason_code="", note="", remarks=[remark])
    assert judgement.state == "changes_requested"


def test_the_disagreement_goes_to_another_reviewer(team: Team, second: User) -> None:
    judgement = _disputed(team)
    assert judgement.state == "submitted"
    assert _waiting(team, team.reviewer) == []
    assert _waiting(team, second) == [judgement]
    with pytest.raises(DomainError, match="another reviewer decides"):
        approve_judgement(
            judgement=judgement, reviewer=team.reviewer, expected_version=1
        )
    told = Notice.objects.filter(kind="disputed")
    assert {notice.user for notice in told} == {second, team.admin}


def test_the_second_opinion_can_agree_with_the_author(team: Team, second: User) -> None:
    judgement = _disputed(team)
    approve_judgement(judgement=judgement, reviewer=second, expected_version=1)
    disagreement = Disagreement.objects.get()
    assert disagreement.state == "upheld"
    assert disagreement.decided_by == Review.objects.latest("pk")
    assert Notice.objects.get(kind="upheld").user == team.other_annotator
    answered = Notice.objects.get(kind="answered")
    assert answered.user == team.reviewer
    assert "It was approved." in answered.text
    assert_events_rebuild_the_tables()


def test_an_author_disagrees_once(team: Team, second: User) -> None:
    judgement = _disputed(team)
    request_judgement_changes(
        judgement=judgement,
        reviewer=second,
        reason_code="wrong_label",
        note="I agree with the first reviewer.",
        expected_version=1,
    )
    assert Disagreement.objects.get().state == "overruled"
    with pytest.raises(DomainError, match="disagreed once already"):
        disagree_with_judgement_review(
            judgement=judgement,
            author=team.other_annotator,
            text="Still.",
            expected_version=1,
            submission_key=uuid.uuid4(),
        )
    revise_judgement(
        judgement=judgement,
        annotator=team.other_annotator,
        answer=CONTRADICT,
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    # What was answered is over: the first reviewer may decide on the new version.
    assert judgement in _waiting(team, team.reviewer)
    assert_events_rebuild_the_tables()


def test_where_nobody_else_may_decide_the_same_reviewer_does(team: Team) -> None:
    _only_reviewer(team)
    judgement = _disputed(team)
    assert _waiting(team, team.reviewer) == [judgement]
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    assert Disagreement.objects.get().state == "upheld"
    assert Review.objects.latest("pk").is_second_opinion
    assert not Notice.objects.filter(kind="answered").exists()


def test_a_reviewer_who_left_is_nobody_else(team: Team, second: User) -> None:
    _only_reviewer(team)
    judgement = _disputed(team)
    suspend_member(membership=team.membership(second), actor=team.admin)
    assert _waiting(team, team.reviewer) == [judgement]


def test_the_annotator_is_nobody_else(team: Team) -> None:
    """An annotator who reviews others cannot give the opinion on their own work."""
    _only_reviewer(team)
    membership = team.membership(team.other_annotator)
    membership.stages = [Stage.VERIFY, Stage.REVIEW]
    membership.save()
    judgement = _disputed(team)
    assert _waiting(team, team.reviewer) == [judgement]


def test_the_same_form_disagrees_once(team: Team) -> None:
    judgement, key = _returned(team), uuid.uuid4()
    values: dict[str, Any] = {
        "judgement": judgement,
        "author": team.other_annotator,
        "expected_version": 1,
        "submission_key": key,
    }
    first = disagree_with_judgement_review(**values, text="No.\r\nIt does not.")
    assert disagree_with_judgement_review(**values, text="No.\nIt does not.") == first
    with pytest.raises(AlreadySentError):
        disagree_with_judgement_review(**values, text="Yes.")


@pytest.mark.parametrize(
    ("text", "words"),
    [("  ", "Say why"), ("x" * 2001, "at most 2000"), ("a\x00", "cannot hold")],
)
def test_an_answer_has_words(team: Team, text: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        disagree_with_judgement_review(
            judgement=_returned(team),
            author=team.other_annotator,
            text=text,
            expected_version=1,
            submission_key=uuid.uuid4(),
        )


def test_only_the_author_disagrees(team: Team) -> None:
    with pytest.raises(DomainError, match="Only the author"):
        disagree_with_judgement_review(
            judgement=_returned(team),
            author=team.annotator,
            text="No.",
            expected_version=1,
            submission_key=uuid.uuid4(),
        )


def test_claims_have_the_same_path(team: Team, second: User) -> None:
    claim = request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="not_atomic",
        note="",
        expected_version=1,
    )
    disagree_with_claim_review(
        claim=claim,
        author=team.annotator,
        text="It is one finding.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    lists = {
        user: list(work.claims_to_proofread(door.get_project(user, team.project.slug)))
        for user in (team.reviewer, second)
    }
    assert lists == {team.reviewer: [], second: [claim]}
    with pytest.raises(DomainError, match="another reviewer decides"):
        approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    approve_claim(claim=claim, reviewer=second, expected_version=1)
    assert Disagreement.objects.get().state == "upheld"
    assert_events_rebuild_the_tables()


def test_a_decision_sent_twice_is_one(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    key = uuid.uuid4()
    for _ in range(2):
        fix_and_approve_judgement(
            judgement=judgement,
            reviewer=team.reviewer,
            answer=CONTRADICT,
            expected_version=1,
            submission_key=key,
        )
    assert Review.objects.filter(judgement_version__isnull=False).count() == 1
    with pytest.raises(AlreadySentError):
        reject_judgement(
            judgement=judgement,
            reviewer=team.reviewer,
            reason_code="other",
            note="No.",
            expected_version=1,
            submission_key=key,
        )


def test_a_key_that_was_used_for_another_item_is_refused_in_words(team: Team) -> None:
    first, second = (
        judged(approved(team, f"Tea {n} helps.").pairs.get(), team.other_annotator)
        for n in (1, 2)
    )
    values: dict[str, Any] = {
        "reviewer": team.reviewer,
        "reason_code": "wrong_label",
        "note": "No.",
        "expected_version": 1,
        "submission_key": uuid.uuid4(),
    }
    request_judgement_changes(judgement=first, **values)
    with pytest.raises(AlreadySentError):
        request_judgement_changes(judgement=second, **values)
    answer: dict[str, Any] = {
        "author": team.other_annotator,
        "text": "Yes.",
        "expected_version": 1,
        "submission_key": uuid.uuid4(),
    }
    request_judgement_changes(
        judgement=second, **values | {"submission_key": uuid.uuid4()}
    )
    disagree_with_judgement_review(judgement=first, **answer)
    with pytest.raises(AlreadySentError):
        disagree_with_judgement_review(judgement=second, **answer)
    second.refresh_from_db()
    assert second.state == "changes_requested"


# ---------- taking back ----------


def _last(team: Team) -> Review:
    return Review.objects.latest("pk")


def test_an_approval_is_taken_back_with_its_verdict(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    assert Verdict.objects.count() == 1
    undo_review(review=_last(team), reviewer=team.reviewer)
    judgement.refresh_from_db()
    pair = Pair.objects.get(pk=judgement.pair_id)
    assert (judgement.state, pair.state) == ("submitted", "judged")
    assert not Verdict.objects.exists()
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    assert_events_rebuild_the_tables()


def test_a_fix_is_taken_back_to_the_authors_answer(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    fix_and_approve_judgement(
        judgement=judgement,
        reviewer=team.reviewer,
        answer=CONTRADICT,
        expected_version=1,
    )
    notice = Notice.objects.get(kind="fixed")
    undo_review(review=_last(team), reviewer=team.reviewer)
    judgement.refresh_from_db()
    assert (judgement.state, judgement.version) == ("submitted", 1)
    assert current_answer(judgement) == SUPPORT
    assert not Notice.objects.filter(pk=notice.pk).exists()
    assert_events_rebuild_the_tables()


def test_requested_changes_are_taken_back_until_the_author_answers(team: Team) -> None:
    judgement = _returned(team)
    undo_review(review=_last(team), reviewer=team.reviewer)
    judgement.refresh_from_db()
    assert judgement.state == "submitted"
    judgement = _disputed(team)
    with pytest.raises(StaleStateError, match="acted on"):
        undo_review(
            review=Review.objects.filter(decision="request_changes").latest("pk"),
            reviewer=team.reviewer,
        )


def test_a_rejection_is_taken_back_while_the_slot_is_free(team: Team) -> None:
    pair = approved(team).pairs.get()
    values: dict[str, Any] = {
        "reviewer": team.reviewer,
        "reason_code": "other",
        "note": "No.",
    }
    judgement = judged(pair, team.other_annotator)
    reject_judgement(judgement=judgement, expected_version=1, **values)
    undo_review(review=_last(team), reviewer=team.reviewer)
    judgement.refresh_from_db()
    assert (judgement.state, judgement.slot) == ("submitted", 0)
    reject_judgement(judgement=judgement, expected_version=1, **values)
    judged(pair, team.admin)
    with pytest.raises(StaleStateError, match="acted on"):
        undo_review(review=_last(team), reviewer=team.reviewer)
    assert_events_rebuild_the_tables()


def test_an_approved_claim_is_taken_back_until_somebody_judges(team: Team) -> None:
    claim = fix_and_approve_claim(
        claim=written(team, "Nettle tea ease pain."),
        reviewer=team.reviewer,
        text="Nettle tea eases pain.",
        expected_version=1,
    )
    undo_review(review=_last(team), reviewer=team.reviewer)
    claim.refresh_from_db()
    assert (claim.state, claim.version, claim.text) == (
        "submitted",
        1,
        "Nettle tea ease pain.",
    )
    assert not claim.pairs.exists()
    # Whoever took a wording back may decide again.
    approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    judged(claim.pairs.get(), team.other_annotator)
    with pytest.raises(StaleStateError, match="acted on"):
        undo_review(review=_last(team), reviewer=team.reviewer)
    assert_events_rebuild_the_tables()


def test_a_rejected_claim_is_taken_back(team: Team) -> None:
    claim = reject_claim(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="not_verifiable",
        note="Nobody can measure this.",
        expected_version=1,
    )
    undo_review(review=_last(team), reviewer=team.reviewer)
    claim.refresh_from_db()
    assert claim.state == Claim.State.SUBMITTED
    with pytest.raises(StaleStateError, match="taken back already"):
        undo_review(review=_last(team), reviewer=team.reviewer)


def test_nobody_takes_back_the_decision_of_another(team: Team) -> None:
    _returned(team)
    with pytest.raises(DomainError, match="Only whoever decided"):
        undo_review(review=_last(team), reviewer=team.admin)


def test_a_second_opinion_is_taken_back(team: Team, second: User) -> None:
    judgement = _disputed(team)
    approve_judgement(judgement=judgement, reviewer=second, expected_version=1)
    undo_review(review=_last(team), reviewer=second)
    disagreement = Disagreement.objects.get()
    assert (disagreement.state, disagreement.decided_by) == ("open", None)
    assert not Notice.objects.filter(kind__in=["upheld", "answered"]).exists()
    assert _waiting(team, team.reviewer) == []
    assert_events_rebuild_the_tables()
