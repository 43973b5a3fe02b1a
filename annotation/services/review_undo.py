"""Taking back a decision while nobody has acted on it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.models import (
    Claim,
    ClaimCitation,
    Disagreement,
    Judgement,
    JudgementVersion,
    Lease,
    Pair,
    Review,
    Stage,
    SuggestionOffer,
    Verdict,
)
from annotation.services.claims import record_claim, restore_claim_version
from annotation.services.judgements import (
    answer_fields,
    record_judgement,
    restore_answer,
)
from annotation.services.pairs import lock_pair
from annotation.services.review_notices import withdraw
from annotation.services.reviews import record_disagreement
from annotation.services.settling import record_verdict, settle_pair
from corpus.events import new_event, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from corpus.transitions import change_state

ACTED_ON = (
    "Somebody has acted on this decision in the meantime: it can no longer be taken "
    "back."
)
Decision = Review.Decision
AFTER: dict[str, str] = {
    Decision.APPROVE: "approved",
    Decision.FIX_AND_APPROVE: "approved",
    Decision.REQUEST_CHANGES: "changes_requested",
    Decision.REJECT: "rejected",
}


@transaction.atomic
def undo_review(*, review: Review, reviewer: User) -> Claim | Judgement:
    """Take back the last decision on an item; it waits for a decision again.

    Refused with ``StaleStateError`` when the author, an annotator or another
    reviewer has acted on it. The decision itself stays as a row.
    """
    if review.reviewer_id != reviewer.pk:
        raise DomainError("Only whoever decided takes a decision back.")
    if review.claim_version is not None:
        return _undo_on_claim(review, review.claim_version.claim)
    assert review.judgement_version is not None  # noqa: S101  (a constraint)
    return _undo_on_judgement(review, review.judgement_version.judgement)


def can_undo(review: Review) -> bool:
    """Whether a decision still stands as the last word: a guess, without locks."""
    item, number = _item_of(review)
    is_fix = review.decision == Decision.FIX_AND_APPROVE
    return (
        review.undone_at is None
        and item.state == AFTER[review.decision]
        and item.version == number + (1 if is_fix else 0)
    )


def _item_of(review: Review) -> tuple[Claim | Judgement, int]:
    """Return what a decision was about, and the number of the version."""
    if review.claim_version is not None:
        return review.claim_version.claim, review.claim_version.number
    assert review.judgement_version is not None  # noqa: S101  (a constraint)
    return review.judgement_version.judgement, review.judgement_version.number


def _undo_on_claim(review: Review, claim: Claim) -> Claim:
    claim = Claim.objects.select_for_update().get(pk=claim.pk)
    number = review.claim_version.number if review.claim_version else 0
    _require_last(review, claim, claim.version, number)
    if review.decision in {Decision.APPROVE, Decision.FIX_AND_APPROVE}:
        _take_pairs_away(claim, review.reviewer)
    old = change_state(
        claim,
        from_states={AFTER[review.decision]},
        to_state=Claim.State.SUBMITTED,
    )
    fields: dict[str, object] = {"cited": []}
    if review.decision == Decision.FIX_AND_APPROVE:
        fields |= restore_claim_version(claim, number)
    record_claim(claim, review.reviewer, old, "undo_review", fields=fields)
    _mark_undone(review, claim)
    return claim


def _take_pairs_away(claim: Claim, actor: User) -> None:
    """Delete the pairs that the approval made; nobody has begun with one."""
    pairs = list(claim.pairs.select_for_update().order_by("pk"))
    keys = [pair.pk for pair in pairs]
    held = Lease.objects.filter(
        Q(stage=Stage.VERIFY, item_id__in=keys)
        | Q(stage=Stage.NEGATE, item_id=claim.pk),
        expires_at__gt=timezone.now(),
    )
    is_used = (
        Judgement.objects.filter(pair__in=keys).exists()
        or SuggestionOffer.objects.filter(pair__in=keys).exists()
        or claim.negations.exists()
        or held.exists()
    )
    if is_used:
        raise StaleStateError(ACTED_ON)
    Event.objects.bulk_create(
        new_event(
            noun="pair",
            obj=pair,
            verb="delete",
            actor=actor,
            project_id=claim.project_id,
        )
        for pair in pairs
    )
    Lease.objects.filter(stage=Stage.VERIFY, item_id__in=keys).delete()
    Pair.objects.filter(pk__in=keys).delete()
    ClaimCitation.objects.filter(claim=claim).delete()


def _undo_on_judgement(review: Review, judgement: Judgement) -> Judgement:
    pair = lock_pair(judgement.pair)
    judgement = Judgement.objects.select_related("pair__project").get(pk=judgement.pk)
    version = review.judgement_version
    number = version.number if version else 0
    _require_last(review, judgement, judgement.version, number)
    also: dict[str, object] = {}
    if review.decision == Decision.REJECT:
        also["slot"] = _slot_again(pair)
    elif review.decision != Decision.REQUEST_CHANGES:
        _take_verdict_away(pair, review.reviewer)
    old = change_state(
        judgement,
        from_states={AFTER[review.decision]},
        to_state=Judgement.State.SUBMITTED,
        **also,
    )
    if review.decision == Decision.FIX_AND_APPROVE:
        restore_answer(judgement, _version(judgement, number))
    record_judgement(
        judgement,
        review.reviewer,
        "undo_review",
        old=old,
        fields={**also, **answer_fields(judgement)},
    )
    settle_pair(pair, review.reviewer)
    _mark_undone(review, judgement)
    return judgement


def _version(judgement: Judgement, number: int) -> JudgementVersion:
    return judgement.versions.get(number=number)


def _slot_again(pair: Pair) -> int:
    """Return the slot that a rejection gave away, if nobody is about to fill it."""
    taken = set(pair.judgements.exclude(slot=None).values_list("slot", flat=True))
    live = Lease.objects.filter(
        stage=Stage.VERIFY, item_id=pair.pk, expires_at__gt=timezone.now()
    )
    taken |= set(live.values_list("slot", flat=True))
    # Never one of a re-annotation: that is not reviewed.
    for slot in range(pair.project.rules.judgements_per_pair):
        if slot not in taken:
            return slot
    raise StaleStateError(ACTED_ON)


def _take_verdict_away(pair: Pair, actor: User) -> None:
    verdict = Verdict.objects.filter(pair=pair).first()
    if verdict is None:
        return
    if verdict.provenance == Verdict.Provenance.ADJUDICATED:
        raise StaleStateError(ACTED_ON)
    record_verdict(verdict, actor, "delete")
    verdict.delete()


def _require_last(
    review: Review, item: Claim | Judgement, version: int, reviewed: int
) -> None:
    """Refuse unless the decision is the last thing that happened to the item."""
    is_fix = review.decision == Decision.FIX_AND_APPROVE
    is_current = version == reviewed + (1 if is_fix else 0)
    fresh = Review.objects.select_for_update(of=("self",)).get(pk=review.pk)
    if fresh.undone_at is not None:
        raise StaleStateError("This decision has been taken back already.")
    if not is_current or item.state != AFTER[review.decision]:
        raise StaleStateError(ACTED_ON)
    about = "claim_version__claim" if isinstance(item, Claim) else None
    about = about or "judgement_version__judgement"
    later = Review.objects.filter(**{about: item}, pk__gt=review.pk, undone_at=None)
    if later.exists():
        raise StaleStateError(ACTED_ON)


def _mark_undone(review: Review, item: Claim | Judgement) -> None:
    withdraw(item, review)
    review.undone_at = timezone.now()
    review.save(update_fields=["undone_at"])
    record_event(
        noun="review",
        obj=review,
        verb="undo",
        actor=review.reviewer,
        project_id=review.project_id,
        fields={"undone_at": review.undone_at.isoformat()},
    )
    disagreement = Disagreement.objects.filter(decided_by=review).first()
    if disagreement is None:
        return
    old = change_state(
        disagreement,
        from_states={str(disagreement.state)},
        to_state=Disagreement.State.OPEN,
        decided_by=None,
    )
    record_disagreement(
        disagreement, review.reviewer, "reopen", old=old, fields={"decided_by_id": None}
    )
