"""Deciding about pairs whose judgements disagree, and taking a decision back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotation.access import judged_by
from annotation.models import Adjudication, Judgement, Pair, Stage, Verdict
from annotation.services.guidelines import accepted_guideline
from annotation.services.judgements import (
    Answer,
    current_answer,
    judgement_fields,
    record_judgement,
    require_sound,
    write_version,
)
from annotation.services.pairs import lock_pair
from annotation.services.settling import record_verdict, settle_pair, standing
from annotation.services.slots import finish_item
from corpus.events import column_values, record_event
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import User
from corpus.text import normalise_newlines
from corpus.transitions import change_state

Decision = Adjudication.Decision
CHANGED = (
    "The judgements of this pair have changed since you opened it. Read them again; "
    "what you wrote is still here."
)
OWN = "You judged this pair yourself, so somebody else decides about it."


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an adjudicator wants: a judgement, another answer, or both.

    A judgement alone is taken as it is; with an answer it is changed; an answer alone
    is a new judgement. ``seen`` is what ``seen_answers`` said when the page was opened.
    """

    taken: Judgement | None
    answer: Answer | None
    seen: str
    note: str = ""


def seen_answers(judgements: Sequence[Judgement]) -> str:
    """Return which judgements, in which versions, somebody decides about."""
    return " ".join(f"{j.pk}.{j.version}" for j in judgements)


@transaction.atomic
def adjudicate_pair(
    *, pair: Pair, adjudicator: User, ruling: Ruling, submission_key: uuid.UUID
) -> Adjudication:
    """Decide about a pair: its verdict adopts what the adjudicator takes or writes.

    An unchanged answer is plainly taken. The same form sent twice decides once;
    ``AlreadySentError`` if it says something else the second time.
    """
    pair = lock_pair(pair)
    if already := _sent(submission_key, pair, adjudicator, ruling):
        return already
    judgements = list(standing(pair.judgements.all()))
    _require_disputed(pair, judgements, adjudicator, ruling)
    finish_item(stage=Stage.ADJUDICATE, item_id=pair.pk, person=adjudicator)
    decision, adopted = _adopted(pair, adjudicator, ruling)
    replaced = _adopt(pair, adopted, adjudicator)
    adjudication = Adjudication.objects.create(
        pair=pair,
        adjudicator=adjudicator,
        decision=decision,
        judgement=adopted,
        based_on=ruling.taken if decision == Decision.EDIT else None,
        note=normalise_newlines(ruling.note).strip(),
        replaced=replaced,
        submission_key=submission_key,
    )
    _record(adjudication, str(decision), column_values(adjudication))
    settle_pair(pair, adjudicator)
    return adjudication


def _sent(
    key: uuid.UUID, pair: Pair, adjudicator: User, ruling: Ruling
) -> Adjudication | None:
    found = Adjudication.objects.filter(submission_key=key).first()
    if found is None:
        return None
    is_here = (found.pair_id, found.adjudicator_id) == (pair.pk, adjudicator.pk)
    if not is_here or found.undone_at is not None or not _is_same(found, ruling):
        raise AlreadySentError
    return found


def _is_same(found: Adjudication, ruling: Ruling) -> bool:
    """Whether a decision is what a ruling asks for."""
    taken, answer = ruling.taken, ruling.answer
    if taken is not None and _is_unchanged(taken, answer):
        return (found.decision, found.judgement) == (Decision.TAKE, taken)
    written = (found.based_on, current_answer(found.judgement))
    return found.decision != Decision.TAKE and written == (taken, answer)


def _is_unchanged(taken: Judgement, answer: Answer | None) -> bool:
    return answer is None or answer == current_answer(taken)


def _require_disputed(
    pair: Pair, judgements: Sequence[Judgement], adjudicator: User, ruling: Ruling
) -> None:
    if pair.state != Pair.State.DISPUTED:
        raise StaleStateError("This pair is not waiting for a decision any more.")
    if judged_by(adjudicator).filter(pair=pair).exists():
        raise DomainError(OWN)
    if ruling.seen != seen_answers(judgements):
        raise StaleStateError(CHANGED)
    if ruling.taken is not None and ruling.taken not in judgements:
        raise StaleStateError(CHANGED)
    if ruling.taken is None and ruling.answer is None:
        raise DomainError("Take one of the judgements, or write another one.")


def _adopted(
    pair: Pair, adjudicator: User, ruling: Ruling
) -> tuple[Decision, Judgement]:
    taken, answer = ruling.taken, ruling.answer
    if taken is not None and _is_unchanged(taken, answer):
        return Decision.TAKE, taken
    assert answer is not None  # noqa: S101  (one of the two was required)
    require_sound(pair, answer)
    decision = Decision.WRITE if taken is None else Decision.EDIT
    return decision, _write(pair, adjudicator, answer)


def _write(pair: Pair, adjudicator: User, answer: Answer) -> Judgement:
    """Keep the adjudicator's own answer: in no slot, since it is not independent."""
    judgement = Judgement.objects.create(
        pair=pair,
        annotator=adjudicator,
        origin=Judgement.Origin.ADJUDICATOR,
        slot=None,
        state=Judgement.State.ADJUDICATED,
        label=answer.label.value,
        claim_version=pair.claim.versions.get(number=pair.claim.version),
        document_hash=pair.document.content_hash,
        guideline=accepted_guideline(pair.project, adjudicator),
        submitted_at=timezone.now(),
    )
    write_version(judgement, adjudicator, answer, None)
    record_judgement(
        judgement, adjudicator, "adjudicate", fields=judgement_fields(judgement)
    )
    return judgement


def _adopt(
    pair: Pair, judgement: Judgement, adjudicator: User
) -> dict[str, object] | None:
    """Let the verdict adopt a judgement; return the one that stood before."""
    values = {
        "judgement": judgement,
        "provenance": Verdict.Provenance.ADJUDICATED,
        "decided_by": adjudicator,
        "decided_at": timezone.now(),
    }
    before = Verdict.objects.filter(pair=pair).first()
    replaced = column_values(before) if before else None
    verdict, _ = Verdict.objects.update_or_create(pair=pair, defaults=values)
    record_verdict(verdict, adjudicator, "adjudicate", column_values(verdict))
    return replaced


@transaction.atomic
def undo_adjudication(*, adjudication: Adjudication, adjudicator: User) -> Pair:
    """Take a decision back: the pair waits again, with the verdict that it had."""
    if adjudication.adjudicator_id != adjudicator.pk:
        raise DomainError("Only whoever decided takes a decision back.")
    pair = lock_pair(adjudication.pair)
    undone = timezone.now()
    changed = Adjudication.objects.filter(pk=adjudication.pk, undone_at=None).update(
        undone_at=undone
    )
    if changed != 1:
        raise StaleStateError("This decision has been taken back already.")
    adjudication.undone_at = undone
    _record(adjudication, "undo", {"undone_at": undone.isoformat()})
    _restore_verdict(adjudication, adjudicator)
    if adjudication.decision != Decision.TAKE:
        _withdraw(adjudication.judgement, adjudicator)
    settle_pair(pair, adjudicator)
    return pair


def _restore_verdict(adjudication: Adjudication, adjudicator: User) -> None:
    verdict = Verdict.objects.get(pair=adjudication.pair_id)
    if adjudication.replaced is None:
        record_verdict(verdict, adjudicator, "delete")
        verdict.delete()
        return
    Verdict.objects.filter(pk=verdict.pk).update(**adjudication.replaced)
    verdict.refresh_from_db()
    record_verdict(verdict, adjudicator, "restore", column_values(verdict))


def _withdraw(judgement: Judgement, adjudicator: User) -> None:
    old = change_state(
        judgement,
        from_states={Judgement.State.ADJUDICATED},
        to_state=Judgement.State.WITHDRAWN,
    )
    record_judgement(judgement, adjudicator, "withdraw", old=old)


def _record(adjudication: Adjudication, verb: str, fields: dict[str, object]) -> None:
    record_event(
        noun="adjudication",
        obj=adjudication,
        verb=verb,
        actor=adjudication.adjudicator,
        project_id=adjudication.pair.project_id,
        why=adjudication.note if verb != "undo" else "",
        fields=fields,
    )
