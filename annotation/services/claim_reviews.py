"""Proofreading: deciding on claims, and making the pairs of approved ones."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from annotation.models import (
    Claim,
    ClaimCitation,
    ClaimVersion,
    Draft,
    Pair,
    Review,
    Stage,
)
from annotation.selectors.second_opinions import require_other_reviewer
from annotation.services.claims import (
    add_claim_version,
    clean_text,
    record_claim,
    require_claim_version,
    version_fields,
)
from annotation.services.drafts import drop_draft
from annotation.services.early_answers import (
    judge_early_answers,
    set_early_answers_aside,
)
from annotation.services.pairs import pair_created
from annotation.services.review_notices import tell_author
from annotation.services.reviews import (
    Remark,
    Ruling,
    require_grounds,
    ruling_sent,
    write_review,
)
from annotation.services.slots import finish_item
from corpus.exceptions import DomainError
from corpus.models import Event, User
from corpus.transitions import change_state

Decision = Review.Decision


@transaction.atomic
def approve_claim(
    *,
    claim: Claim,
    reviewer: User,
    expected_version: int,
    note: str = "",
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Claim:
    """Approve a claim as it stands; its pairs are open for judgement at once."""
    ruling = Ruling(
        Decision.APPROVE,
        note=note,
        remarks=tuple(remarks),
        submission_key=submission_key,
    )
    if _is_sent(claim, ruling, reviewer):
        return claim
    _require_decidable(claim, reviewer, expected_version)
    return _approve(claim, reviewer, ruling, {})


@transaction.atomic
def fix_and_approve_claim(
    *,
    claim: Claim,
    reviewer: User,
    text: str,
    expected_version: int,
    note: str = "",
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Claim:
    """Approve a claim in the reviewer's wording; the author's version is kept.

    An unchanged wording is plainly approved.
    """
    ruling = Ruling(
        Decision.FIX_AND_APPROVE,
        note=note,
        remarks=tuple(remarks),
        submission_key=submission_key,
    )
    if _is_sent(claim, ruling, reviewer):
        return claim
    _require_decidable(claim, reviewer, expected_version)
    cleaned = clean_text(text)
    if cleaned == claim.text:
        plain = Ruling(Decision.APPROVE, "", note, ruling.remarks, submission_key)
        return _approve(claim, reviewer, plain, {})
    reviewed = _current_version(claim)
    add_claim_version(claim, reviewer, cleaned, None)
    return _approve(claim, reviewer, ruling, version_fields(claim), reviewed)


def _is_sent(claim: Claim, ruling: Ruling, reviewer: User) -> bool:
    """Whether this very form has decided before; locks the claim."""
    Claim.objects.select_for_update().only("pk").get(pk=claim.pk)
    if ruling_sent(ruling, claim, reviewer) is None:
        return False
    claim.refresh_from_db(fields=["state", "version", "text"])
    return True


def _require_decidable(claim: Claim, reviewer: User, expected_version: int) -> None:
    require_claim_version(claim, expected_version)
    is_own = claim.author_id == reviewer.pk
    if is_own or claim.versions.filter(author=reviewer).exists():
        raise DomainError("Nobody decides on a claim that they wrote.")
    require_other_reviewer(claim, reviewer)


def _approve(
    claim: Claim,
    reviewer: User,
    ruling: Ruling,
    fields: dict[str, object],
    reviewed: ClaimVersion | None = None,
) -> Claim:
    old = change_state(
        claim, from_states={Claim.State.SUBMITTED}, to_state=Claim.State.APPROVED
    )
    _review(claim, reviewer, ruling, reviewed)
    cited = _cited_documents(claim)
    fields = {**fields, "cited": cited}
    record_claim(claim, reviewer, old, ruling.decision.value, fields=fields)
    _create_pairs(claim, reviewer, cited)
    judge_early_answers(claim, reviewer)
    return claim


@transaction.atomic
def request_claim_changes(
    *,
    claim: Claim,
    reviewer: User,
    reason_code: str,
    note: str,
    expected_version: int,
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Claim:
    """Send a claim back to its author with a reason."""
    ruling = Ruling(
        Decision.REQUEST_CHANGES, reason_code, note, tuple(remarks), submission_key
    )
    state = Claim.State.CHANGES_REQUESTED
    return _refuse(claim, reviewer, ruling, expected_version, state)


@transaction.atomic
def reject_claim(
    *,
    claim: Claim,
    reviewer: User,
    reason_code: str,
    note: str,
    expected_version: int,
    remarks: Sequence[Remark] = (),
    submission_key: uuid.UUID | None = None,
) -> Claim:
    """Refuse a claim for good, with a reason."""
    ruling = Ruling(Decision.REJECT, reason_code, note, tuple(remarks), submission_key)
    return _refuse(claim, reviewer, ruling, expected_version, Claim.State.REJECTED)


def _refuse(
    claim: Claim,
    reviewer: User,
    ruling: Ruling,
    expected_version: int,
    state: Claim.State,
) -> Claim:
    if _is_sent(claim, ruling, reviewer):
        return claim
    _require_decidable(claim, reviewer, expected_version)
    require_grounds(ruling)
    old = change_state(claim, from_states={Claim.State.SUBMITTED}, to_state=state)
    _review(claim, reviewer, ruling)
    why = ruling.note or ruling.reason_code
    record_claim(claim, reviewer, old, ruling.decision.value, why=why)
    if state == Claim.State.REJECTED:
        set_early_answers_aside(claim, reviewer, "The claim was rejected.")
    return claim


def _current_version(claim: Claim) -> ClaimVersion:
    return claim.versions.get(number=claim.version)


def _review(
    claim: Claim,
    reviewer: User,
    ruling: Ruling,
    version: ClaimVersion | None = None,
) -> None:
    finish_item(stage=Stage.PROOFREAD, item_id=claim.pk, person=reviewer)
    review = write_review(
        item=claim,
        version=version or _current_version(claim),
        reviewer=reviewer,
        ruling=ruling,
    )
    tell_author(claim, review)
    drop_draft(user=reviewer, kind=Draft.Kind.PROOFREAD, item_id=claim.pk)


def _create_pairs(claim: Claim, actor: User, documents: list[int]) -> None:
    """Make one open pair per cited abstract (or study of the question)."""
    ClaimCitation.objects.bulk_create(
        ClaimCitation(claim=claim, document_id=pk, ordinal=ordinal)
        for ordinal, pk in enumerate(documents)
    )
    pairs = Pair.objects.bulk_create(
        Pair(
            project=claim.project,
            claim=claim,
            document_id=pk,
            origin=Pair.Origin.CITED,
            ordinal=ordinal,
        )
        for ordinal, pk in enumerate(dict.fromkeys(documents))
    )
    Event.objects.bulk_create(pair_created(pair, actor) for pair in pairs)


def _cited_documents(claim: Claim) -> list[int]:
    source = claim.source
    if source is None:
        return []
    if source.citance is not None:
        rows = source.citance.citations.order_by("ordinal")
        return list(rows.values_list("document_id", flat=True))
    if source.question is None:
        return []
    studies = source.question.studies.order_by("ordinal")
    return list(studies.values_list("document_id", flat=True))
