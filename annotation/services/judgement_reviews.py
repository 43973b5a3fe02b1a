"""Reviewing judgements."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from annotation.models import (
    Draft,
    Judgement,
    JudgementVersion,
    Pair,
    Review,
    Stage,
)
from annotation.selectors.second_opinions import require_other_reviewer
from annotation.services.drafts import drop_draft
from annotation.services.judgements import (
    Answer,
    answer_fields,
    current_answer,
    record_judgement,
    replace_answer,
    require_judgement_version,
    require_sound,
)
from annotation.services.pairs import lock_pair
from annotation.services.review_notices import tell_author
from annotation.services.reviews import (
    Remark,
    Ruling,
    require_grounds,
    ruling_sent,
    write_review,
)
from annotation.services.settling import settle_pair
from annotation.services.slots import finish_item
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.transitions import change_state

Decision = Review.Decision


@transaction.atomic
def approve_judgement(
    *,
    judgement: Judgement,
    reviewer: User,
    expected_version: int,
    note: str = "",
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Judgement:
    """Approve a judgement as it stands."""
    pair = lock_pair(judgement.pair)
    ruling = Ruling(
        Decision.APPROVE,
        note=note,
        remarks=tuple(remarks),
        submission_key=submission_key,
    )
    if ruling_sent(ruling, judgement, reviewer):
        return _refreshed(judgement)
    _require_reviewable(judgement, reviewer, expected_version)
    return _approve(judgement, pair, reviewer, ruling)


@transaction.atomic
def fix_and_approve_judgement(
    *,
    judgement: Judgement,
    reviewer: User,
    answer: Answer,
    expected_version: int,
    note: str = "",
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Judgement:
    """Approve a judgement with the reviewer's answer; the author's is kept.

    An unchanged answer is plainly approved.
    """
    pair = lock_pair(judgement.pair)
    ruling = Ruling(
        Decision.FIX_AND_APPROVE,
        note=note,
        remarks=tuple(remarks),
        submission_key=submission_key,
    )
    if ruling_sent(ruling, judgement, reviewer):
        return _refreshed(judgement)
    _require_reviewable(judgement, reviewer, expected_version)
    if answer == current_answer(judgement):
        plain = Ruling(Decision.APPROVE, "", note, ruling.remarks, submission_key)
        return _approve(judgement, pair, reviewer, plain)
    require_sound(pair, answer)
    reviewed = judgement.versions.get(number=judgement.version)
    replace_answer(judgement, reviewer, answer, None)
    return _approve(judgement, pair, reviewer, ruling, reviewed)


def _refreshed(judgement: Judgement) -> Judgement:
    judgement.refresh_from_db(fields=["state", "version", "label"])
    return judgement


def _require_reviewable(
    judgement: Judgement, reviewer: User, expected_version: int
) -> None:
    """Refuse the review of a judgement whose pair is locked."""
    judgement.refresh_from_db(fields=["state", "version"])
    require_judgement_version(judgement, expected_version)
    if judgement.annotator_id == reviewer.pk:
        raise DomainError("Nobody reviews their own judgement.")
    require_other_reviewer(judgement, reviewer)


def _approve(
    judgement: Judgement,
    pair: Pair,
    reviewer: User,
    ruling: Ruling,
    reviewed: JudgementVersion | None = None,
) -> Judgement:
    old = change_state(
        judgement,
        from_states={Judgement.State.SUBMITTED},
        to_state=Judgement.State.APPROVED,
    )
    _review(judgement, pair, reviewer, ruling, reviewed)
    record_judgement(
        judgement,
        reviewer,
        ruling.decision.value,
        old=old,
        fields=answer_fields(judgement),
    )
    settle_pair(pair, reviewer)
    return judgement


@transaction.atomic
def request_judgement_changes(
    *,
    judgement: Judgement,
    reviewer: User,
    reason_code: str,
    note: str,
    expected_version: int,
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Judgement:
    """Send a judgement back to its annotator with a reason."""
    ruling = Ruling(
        Decision.REQUEST_CHANGES, reason_code, note, tuple(remarks), submission_key
    )
    return _refuse(
        judgement,
        reviewer,
        ruling,
        expected_version,
        state=Judgement.State.CHANGES_REQUESTED,
    )


@transaction.atomic
def reject_judgement(
    *,
    judgement: Judgement,
    reviewer: User,
    reason_code: str,
    note: str,
    expected_version: int,
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Judgement:
    """Refuse a judgement for good: its slot goes to another annotator."""
    ruling = Ruling(Decision.REJECT, reason_code, note, tuple(remarks), submission_key)
    return _refuse(
        judgement,
        reviewer,
        ruling,
        expected_version,
        state=Judgement.State.REJECTED,
        slot=None,
    )


def _refuse(
    judgement: Judgement,
    reviewer: User,
    ruling: Ruling,
    expected_version: int,
    *,
    state: Judgement.State,
    **also: object,
) -> Judgement:
    pair = lock_pair(judgement.pair)
    if ruling_sent(ruling, judgement, reviewer):
        return _refreshed(judgement)
    _require_reviewable(judgement, reviewer, expected_version)
    require_grounds(ruling)
    old = change_state(
        judgement, from_states={Judgement.State.SUBMITTED}, to_state=state, **also
    )
    _review(judgement, pair, reviewer, ruling)
    record_judgement(
        judgement,
        reviewer,
        ruling.decision.value,
        old=old,
        why=ruling.note,
        fields=also or None,
    )
    settle_pair(pair, reviewer)
    return judgement


def _review(
    judgement: Judgement,
    pair: Pair,
    reviewer: User,
    ruling: Ruling,
    version: JudgementVersion | None = None,
) -> None:
    finish_item(stage=Stage.REVIEW, item_id=judgement.pk, person=reviewer)
    review = write_review(
        item=judgement,
        version=version or judgement.versions.get(number=judgement.version),
        reviewer=reviewer,
        ruling=ruling,
        sentence_count=len(pair.document.sentences),
    )
    tell_author(judgement, review)
    drop_draft(user=reviewer, kind=Draft.Kind.REVIEW, item_id=judgement.pk)
