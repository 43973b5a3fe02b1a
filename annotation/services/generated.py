"""Generated NOT ENOUGH INFO rows (Check-COVID).

Such a row is a claim of its own: the text of an approved claim with one given
sentence of the abstract that nobody chose as evidence. It is never verified, has no
judgement and no verdict, and stays out of every agreement figure.
"""

from __future__ import annotations

from django.db import transaction

from annotation.models import Claim, ClaimCitation, ClaimVersion, Pair
from annotation.services.claims import next_claim_numbers
from annotation.services.pairs import pair_created
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import User


@transaction.atomic
def add_generated_claim(
    *, pair: Pair, given_sentence: int, actor: User | None
) -> Claim:
    """Add the generated row of an approved claim's pair."""
    _require_unused(pair, given_sentence)
    claim = _copy_claim(pair, actor)
    ClaimCitation.objects.create(claim=claim, document=pair.document, ordinal=0)
    generated = Pair.objects.create(
        project=pair.project,
        claim=claim,
        document=pair.document,
        origin=Pair.Origin.GENERATED,
        ordinal=0,
        state=Pair.State.APPROVED,
        given_sentence=given_sentence,
    )
    pair_created(generated, actor).save()
    return claim


def _require_unused(pair: Pair, given_sentence: int) -> None:
    """Refuse a sentence that does not exist, or that somebody chose as evidence."""
    if not 0 <= given_sentence < len(pair.document.sentences):
        raise DomainError(f"The abstract has no sentence {given_sentence + 1}.")
    chosen = {
        index
        for judgement in pair.judgements.prefetch_related("rationales")
        for rationale in judgement.rationales.all()
        for index in rationale.sentences
    }
    if given_sentence in chosen:
        raise DomainError("That sentence is evidence; choose one that nobody chose.")


def _copy_claim(pair: Pair, actor: User | None) -> Claim:
    original = pair.claim
    (number,) = next_claim_numbers(original.project, 1)
    claim = Claim.objects.create(
        project=original.project,
        external_id=str(number),
        external_id_is_int=True,
        position=number,
        kind=original.kind,
        family=original.family,
        source=original.source,
        state=Claim.State.APPROVED,
        text=original.text,
        text_key=original.text_key,
    )
    ClaimVersion.objects.create(claim=claim, number=1, text=claim.text)
    record_event(
        noun="claim",
        obj=claim,
        verb="generate",
        actor=actor,
        project_id=claim.project_id,
        to_state=claim.state,
        fields={**column_values(claim), "cited": [pair.document_id]},
    )
    return claim
