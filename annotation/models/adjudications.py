"""What adjudicators decided about pairs whose judgements disagree."""

from __future__ import annotations

from django.db import models

from annotation.models.judgements import Judgement, Pair
from corpus.models import User


class Adjudication(models.Model):
    """One adjudicator's decision about a pair; one that was taken back counts no more.

    ``judgement`` is what the verdict adopts: the one that was taken, or one that the
    adjudicator wrote, changing ``based_on`` or from nothing. ``replaced`` is the
    verdict that stood before, for the way back.
    """

    class Decision(models.TextChoices):
        TAKE = "take", "one judgement taken"
        EDIT = "edit", "one judgement taken with changes"
        WRITE = "write", "a new judgement written"

    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="adjudications"
    )
    adjudicator = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="adjudications"
    )
    decision = models.CharField(max_length=10, choices=Decision.choices)
    judgement = models.ForeignKey(
        Judgement, on_delete=models.PROTECT, related_name="adjudications"
    )
    based_on = models.ForeignKey(
        Judgement, on_delete=models.PROTECT, null=True, related_name="+"
    )
    note = models.TextField(blank=True)
    replaced = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)
    # One key for each opened form: the same form sent twice decides once.
    submission_key = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair"],
                condition=models.Q(undone_at__isnull=True),
                name="adjudication_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pair_id}: {self.decision}"
