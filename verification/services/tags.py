"""Saying why a system went wrong on a claim."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from corpus.events import record_event
from corpus.models import User
from verification.models import ClaimTag, Submission


@transaction.atomic
def set_tags(
    *, submission: Submission, claim: str, tags: Collection[str], actor: User
) -> None:
    """Make these the tags of a claim; ``claim`` is its id as JSON."""
    locked = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    kept = locked.claim_tags.filter(claim=claim)
    was = sorted(kept.values_list("tag", flat=True))
    now = sorted(set(tags))
    if now == was:
        return
    kept.exclude(tag__in=now).delete()
    ClaimTag.objects.bulk_create(
        ClaimTag(submission=locked, claim=claim, tag=tag, author=actor)
        for tag in now
        if tag not in was
    )
    record_event(
        noun="submission",
        obj=locked,
        verb="tag_claim",
        actor=actor,
        fields={"claim": claim, "tags": now},
        was={"tags": was},
    )
