"""Answers that came with their claims, and the judgements that they become."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.judgement_rules import check_judgement
from annotation.models import Claim, EarlyAnswer, Pair
from annotation.services.guidelines import accepted_guideline
from annotation.services.judgements import (
    Answer,
    Seen,
    answer_from,
    rationales_of,
    submit_judgement,
)
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import Document, User
from corpus.records import Label
from corpus.transitions import change_state

# The key of the judgement that an answer becomes: the same answer, the same key.
_KEYS = uuid.UUID("6d1c1ad3-8f2e-5c0c-9b0e-7a7f2f4f6f10")
REWORDED = "The claim was reworded after it was answered."
CHANGED = "The abstract was changed after it was answered."


@transaction.atomic
def give_early_answer(
    *,
    claim: Claim,
    document: Document,
    annotator: User,
    answer: Answer,
) -> EarlyAnswer:
    """Keep what the writer of a submitted claim answers about one abstract."""
    if claim.state != Claim.State.SUBMITTED:
        raise DomainError("Only a claim that waits for proofreading is answered early.")
    if not document.has_abstract:
        raise DomainError("This abstract has no text yet, so nobody can judge it.")
    errors = check_judgement(
        answer.label,
        answer.rationales,
        sentence_count=len(document.sentences),
        rules=claim.project.rules,
        labels=claim.project.labels,
    ).errors
    if errors:
        raise DomainError(" ".join(errors))
    early = EarlyAnswer.objects.create(
        claim_version=claim.versions.get(number=claim.version),
        document=document,
        annotator=annotator,
        label=answer.label.value,
        rationales=rationales_of(answer),
        document_hash=document.content_hash,
        guideline=accepted_guideline(claim.project, annotator),
        given_at=timezone.now(),
    )
    _record(early, claim, annotator, "answer", fields=column_values(early))
    return early


def judge_early_answers(claim: Claim, actor: User) -> None:
    """Make judgements of what was answered early about a claim; it is approved.

    The caller is in the transaction of the approval and has made the pairs.
    """
    for early in _waiting(claim).select_related("claim_version", "guideline"):
        if why := _obstacle(early, claim):
            _set_aside(early, claim, actor, why)
        else:
            _judge(early, claim, actor)


def set_early_answers_aside(claim: Claim, actor: User, why: str) -> None:
    """Keep, but never use, what was answered about a claim that is no more."""
    for early in _waiting(claim):
        _set_aside(early, claim, actor, why)


def _waiting(claim: Claim) -> QuerySet[EarlyAnswer]:
    return EarlyAnswer.objects.filter(
        claim_version__claim=claim, state=EarlyAnswer.State.WAITING
    ).order_by("pk")


def _obstacle(early: EarlyAnswer, claim: Claim) -> str:
    """Say why an answer does not hold for the approved claim; empty if it does."""
    if early.claim_version.number != claim.version:
        return REWORDED
    if early.document.content_hash != early.document_hash:
        return CHANGED
    return ""


def _judge(early: EarlyAnswer, claim: Claim, actor: User) -> None:
    pair = Pair.objects.filter(claim=claim, document=early.document).first()
    if pair is None:
        _set_aside(early, claim, actor, "The claim no longer cites this abstract.")
        return
    try:
        judgement = submit_judgement(
            pair=pair,
            annotator=early.annotator,
            answer=answer_from(Label(early.label), early.rationales),
            submission_key=uuid.uuid5(_KEYS, str(early.pk)),
            seen=Seen(early.guideline, early.given_at),
        )
    except DomainError as error:
        _set_aside(early, claim, actor, str(error))
        return
    old = change_state(
        early,
        from_states={EarlyAnswer.State.WAITING},
        to_state=EarlyAnswer.State.JUDGED,
        judgement=judgement,
    )
    _record(
        early, claim, actor, "judge", old=old, fields={"judgement_id": judgement.pk}
    )


def _set_aside(early: EarlyAnswer, claim: Claim, actor: User, why: str) -> None:
    old = change_state(
        early,
        from_states={EarlyAnswer.State.WAITING},
        to_state=EarlyAnswer.State.SET_ASIDE,
    )
    _record(early, claim, actor, "set_aside", old=old, why=why)


def _record(
    early: EarlyAnswer,
    claim: Claim,
    actor: User,
    verb: str,
    *,
    old: str = "",
    why: str = "",
    fields: dict[str, object] | None = None,
) -> None:
    record_event(
        noun="earlyanswer",
        obj=early,
        verb=verb,
        actor=actor,
        project_id=claim.project_id,
        from_state=old,
        to_state=early.state,
        why=why,
        fields=fields,
    )
