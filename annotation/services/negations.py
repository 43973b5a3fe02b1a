"""Negations: claims that the abstract refutes, linked to their originals."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Model

from annotation import models
from annotation.models import Claim, Stage
from annotation.protocols import NegationStep
from annotation.services.claims import (
    Draft,
    claims_sent,
    clean_text,
    create_claim,
    require_trigger_reason,
)
from annotation.services.drafts import drop_draft
from annotation.services.slots import finish_item
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.records import ClaimKind
from corpus.text import text_key

# A negation in one of these states no longer stands: its original needs another.
FALLEN = (Claim.State.WITHDRAWN, Claim.State.REJECTED, Claim.State.RETIRED)


@transaction.atomic
def negate_claim(
    *,
    original: Claim,
    author: User,
    text: str,
    submission_key: uuid.UUID,
    trigger_reason: str = "",
) -> Claim:
    """Write the negation of a claim; it waits for proofreading.

    The negation is in the family of its original. ``trigger_reason`` says why it
    uses a negation word that the original does not have. The same form sent twice
    gives the same claim.
    """
    about: dict[str, Model] = {"author": author, "claim__negates": original}
    if already := claims_sent([submission_key], [text], **about):
        return already[0]
    # One negation for each original: two people who send at once come one by one.
    original = Claim.objects.select_for_update().get(pk=original.pk)
    _require_negatable(original)
    cleaned = clean_text(text)
    if text_key(cleaned) == original.text_key:
        raise DomainError("The negation says the same as its original.")
    require_trigger_reason(original.text, cleaned, trigger_reason)
    finish_item(stage=Stage.NEGATE, item_id=original.pk, person=author)
    drop_draft(user=author, kind=models.Draft.Kind.NEGATE, item_id=original.pk)
    return create_claim(
        project=original.project,
        source=original.source,
        author=author,
        draft=Draft(cleaned, ClaimKind.COMPOSED),
        submission_key=submission_key,
        negates=original,
        why=trigger_reason.strip(),
    )


def _require_negatable(original: Claim) -> None:
    """Refuse what is never negated, not yet, or not any more."""
    step = original.project.rules.negation
    if step is NegationStep.NONE:
        raise DomainError("Claims of this project are not negated.")
    if original.negates_id is not None:
        raise DomainError("This claim is itself a negation.")
    if step is NegationStep.SEPARATE and original.state != Claim.State.APPROVED:
        raise StaleStateError(
            "Only approved claims are negated; this one is now "
            f"{original.get_state_display()}."
        )
    if original.negations.exclude(state__in=FALLEN).exists():
        raise StaleStateError(
            "Somebody has written the negation of this claim in the meantime."
        )
