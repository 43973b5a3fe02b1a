"""Batches of claims that are checked together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.jobs import start_job
from corpus.models import Corpus, User
from verification.claim_lists import ListedClaim
from verification.models import ClaimBatch, FactCheck
from verification.services.check_leases import BATCH_JOB

MOST_BATCHES = 20
_DAY = timedelta(days=1)


@transaction.atomic
def make_batch(
    *,
    owner: User,
    name: str,
    corpus: Corpus,
    system: str,
    claims: Sequence[ListedClaim],
) -> ClaimBatch:
    """Keep claims under a name and begin to check them."""
    now = timezone.now()
    recent = ClaimBatch.objects.filter(owner=owner, created_at__gt=now - _DAY)
    if recent.count() >= MOST_BATCHES:
        raise DomainError(
            f"You have begun {MOST_BATCHES} batches within a day, which is the limit. "
            "Try again tomorrow."
        )
    batch = ClaimBatch.objects.create(
        name=name, owner=owner, corpus=corpus, system=system
    )
    FactCheck.objects.bulk_create(
        FactCheck(
            claim=claim.text,
            external_id=claim.external_id,
            corpus=corpus,
            system=system,
            batch=batch,
            position=position,
            asked_by=owner,
            kept_at=now,
        )
        for position, claim in enumerate(claims, start=1)
    )
    record_event(
        noun="claim_batch",
        obj=batch,
        verb="create",
        actor=owner,
        fields={"corpus": corpus.pk, "system": system, "claims": len(claims)},
    )
    start_job(kind=BATCH_JOB, owner=owner, payload={"batch": batch.pk})
    return batch
