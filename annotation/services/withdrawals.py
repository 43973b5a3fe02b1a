"""Taking back what was sent a moment ago, while nobody has acted on it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Claim, Source, Stage
from annotation.services.claims import record_claim
from annotation.services.early_answers import set_early_answers_aside
from annotation.services.slots import drop_leases
from annotation.services.sources import take_up_source
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.transitions import change_state

ACTED_ON = "Somebody has acted on it in the meantime: it can no longer be taken back."


@transaction.atomic
def withdraw_from_source(*, source: Source, author: User) -> list[Claim]:
    """Take back all that an author wrote from a source, which is open again.

    The claims stay, readable, as withdrawn ones.
    """
    if source.state != Source.State.DONE or source.closed_by_id != author.pk:
        raise DomainError("There is nothing of yours to take back here.")
    claims = _locked(source.claims.exclude(state=Claim.State.WITHDRAWN))
    _withdraw(claims, author)
    take_up_source(source=source, actor=author)
    return claims


@transaction.atomic
def withdraw_negation(*, negation: Claim, author: User) -> Claim:
    """Take back a negation; its original waits for one again."""
    if negation.negates_id is None:
        raise DomainError("This claim is not a negation.")
    claims = _locked(Claim.objects.filter(pk=negation.pk))
    _withdraw(claims, author)
    return claims[0]


def _locked(claims: QuerySet[Claim]) -> list[Claim]:
    return list(claims.select_for_update().order_by("pk"))


def _withdraw(claims: Sequence[Claim], author: User) -> None:
    for claim in claims:
        if claim.author_id != author.pk:
            raise DomainError("Only the author takes a claim back.")
        if claim.state != Claim.State.SUBMITTED or claim.version != 1:
            raise StaleStateError(ACTED_ON)
        old = change_state(
            claim,
            from_states={Claim.State.SUBMITTED},
            to_state=Claim.State.WITHDRAWN,
        )
        record_claim(claim, author, old, "withdraw")
        set_early_answers_aside(claim, author, "The claim was taken back.")
        drop_leases(stage=Stage.PROOFREAD, item_id=claim.pk)
