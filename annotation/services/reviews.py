"""What decisions on claims and on judgements share."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.models import (
    Claim,
    ClaimVersion,
    Comment,
    Disagreement,
    Judgement,
    JudgementVersion,
    Review,
)
from annotation.services.review_notices import project_of, tell_about_second_opinion
from corpus.events import column_values, new_event, record_event
from corpus.exceptions import AlreadySentError, DomainError
from corpus.models import Event, User
from corpus.text import bad_character, normalise_newlines
from corpus.transitions import change_state

LONGEST_COMMENT = 2_000
Decision = Review.Decision


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment as it comes from the form; ``sentence`` is counted from 0."""

    part: Comment.Part
    text: str
    sentence: int | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision with what explains it.

    A form that is sent twice carries the same ``submission_key``: it decides once.
    """

    decision: Review.Decision
    reason_code: str = ""
    note: str = ""
    remarks: tuple[Remark, ...] = field(default=())
    submission_key: uuid.UUID | None = None


def ruling_sent(
    ruling: Ruling, item: Claim | Judgement, reviewer: User
) -> Review | None:
    """Return what the form with this key has decided; None if it is new.

    ``AlreadySentError`` if that was another decision, or one on another item.
    """
    if ruling.submission_key is None:
        return None
    reviews = Review.objects.filter(submission_key=ruling.submission_key)
    review = reviews.first()
    if review is None:
        return None
    about = "claim_version__claim"
    if isinstance(item, Judgement):
        about = "judgement_version__judgement"
    if not reviews.filter(**{about: item}, reviewer=reviewer).exists():
        raise AlreadySentError
    approvals = {Decision.APPROVE, Decision.FIX_AND_APPROVE}
    is_same = review.decision == ruling.decision or (
        {review.decision, ruling.decision} <= approvals
    )
    if not is_same or review.undone_at is not None:
        raise AlreadySentError
    return review


REJECTION_WORDS = (
    "Say in a note or a comment why this is rejected: it does not come back to its "
    "author, who learns from your words only."
)


def require_grounds(ruling: Ruling) -> None:
    """Refuse a refusal that teaches its author nothing.

    What comes back can be asked about by its author. What is rejected is gone, so
    that a reason from the list does not suffice.
    """
    has_words = bool(ruling.note.strip()) or any(
        remark.text.strip() for remark in ruling.remarks
    )
    if ruling.decision == Decision.REJECT and not has_words:
        raise DomainError(REJECTION_WORDS)
    if not (ruling.reason_code or has_words):
        raise DomainError("Give the author a reason.")


def open_disagreement(item: Claim | Judgement) -> Disagreement | None:
    """Return the author's answer that waits for a second opinion, if there is one."""
    noun = "claim" if isinstance(item, Claim) else "judgement"
    return (
        Disagreement.objects.filter(**{noun: item}, state=Disagreement.State.OPEN)
        .select_related("review__reviewer")
        .first()
    )


def write_review(
    *,
    item: Claim | Judgement,
    version: ClaimVersion | JudgementVersion,
    reviewer: User,
    ruling: Ruling,
    sentence_count: int = 0,
) -> Review:
    """Keep a decision with its comments; it settles a disagreement that was open.

    The caller has locked the item and checked who decides.
    """
    disagreement = open_disagreement(item)
    about = "claim_version" if isinstance(item, Claim) else "judgement_version"
    review = Review.objects.create(
        project=project_of(item),
        reviewer=reviewer,
        **{about: version},
        decision=ruling.decision,
        reason_code=ruling.reason_code,
        note=normalise_newlines(ruling.note).strip(),
        is_second_opinion=disagreement is not None,
        submission_key=ruling.submission_key,
    )
    record_event(
        noun="review",
        obj=review,
        verb=str(review.decision),
        actor=reviewer,
        project_id=review.project_id,
        fields=column_values(review),
    )
    _write_comments(review, ruling.remarks, sentence_count)
    if disagreement is not None:
        _settle(disagreement, review)
    return review


def _write_comments(
    review: Review, remarks: Iterable[Remark], sentence_count: int
) -> None:
    comments = Comment.objects.bulk_create(
        _comment(review, remark, sentence_count)
        for remark in remarks
        if remark.text.strip()
    )
    Event.objects.bulk_create(
        new_event(
            noun="comment",
            obj=comment,
            verb="create",
            actor=review.reviewer,
            project_id=review.project_id,
            fields=column_values(comment),
        )
        for comment in comments
    )


def _comment(review: Review, remark: Remark, sentence_count: int) -> Comment:
    text = normalise_newlines(remark.text).strip()
    if len(text) > LONGEST_COMMENT:
        raise DomainError(f"A comment has at most {LONGEST_COMMENT} characters.")
    if problem := bad_character(text):
        raise DomainError(f"A comment cannot hold {problem[1]}.")
    sentence = remark.sentence
    if remark.part == Comment.Part.SENTENCE and not (
        sentence is not None and 0 <= sentence < sentence_count
    ):
        raise DomainError(f"The abstract has {sentence_count} sentences.")
    return Comment(review=review, part=remark.part, sentence=sentence, text=text)


def _settle(disagreement: Disagreement, review: Review) -> None:
    """A plain approval agrees with the author; everything else does not."""
    is_upheld = review.decision == Decision.APPROVE
    state = Disagreement.State.UPHELD if is_upheld else Disagreement.State.OVERRULED
    old = change_state(
        disagreement,
        from_states={Disagreement.State.OPEN},
        to_state=state,
        decided_by=review,
    )
    record_disagreement(
        disagreement,
        review.reviewer,
        "decide",
        old=old,
        fields={"decided_by_id": review.pk},
    )
    tell_about_second_opinion(disagreement)


def record_disagreement(
    disagreement: Disagreement,
    actor: User,
    verb: str,
    *,
    old: str = "",
    fields: dict[str, object] | None = None,
) -> None:
    """Write the event of a change of a disagreement."""
    record_event(
        noun="disagreement",
        obj=disagreement,
        verb=verb,
        actor=actor,
        project_id=disagreement.project_id,
        from_state=old,
        to_state=disagreement.state,
        fields=fields,
    )
