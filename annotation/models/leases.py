"""Who has which item in front of them, and who wants to see one no more."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q

from annotation.models.projects import Project, Stage
from corpus.models import User


class Lease(models.Model):
    """An item that one person has in front of them, until ``expires_at``.

    ``item_id`` is a source where claims are written, a claim where they are
    proofread or negated, a pair where they are verified, a judgement where those are
    reviewed. ``slot`` counts the people that an item needs from 0: the database
    allows each slot and each person once. What has expired is anybody's; the row
    goes when somebody takes it, so that whoever still has a row still has the item.
    """

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="leases"
    )
    stage = models.CharField(max_length=10, choices=Stage.choices)
    item_id = models.BigIntegerField()
    slot = models.PositiveSmallIntegerField(default=0)
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="leases")
    taken_at = models.DateTimeField()
    active_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "item_id", "slot"], name="lease_slot"
            ),
            models.UniqueConstraint(
                fields=["stage", "item_id", "person"], name="lease_person_once"
            ),
            # Only pairs are judged by more than one person.
            models.CheckConstraint(
                condition=Q(stage="verify") | Q(slot=0), name="lease_one_slot"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "stage", "person", "id"], name="lease_holder"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.item_id} by {self.person_id}"

    def is_live(self, now: datetime) -> bool:
        """Whether nobody else may take the item at that moment."""
        return self.expires_at > now


class Skip(models.Model):
    """An item that somebody left to others, with the reason; it never comes back.

    Sources are not here: one that is skipped is put aside for everybody.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="skips")
    stage = models.CharField(max_length=10, choices=Stage.choices)
    item_id = models.BigIntegerField()
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="skips")
    reason = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "item_id", "person"], name="skip_once"
            )
        ]
        indexes = [models.Index(fields=["project", "id"], name="skip_project")]

    def __str__(self) -> str:
        return f"{self.stage} {self.item_id} skipped by {self.person_id}"
