"""Answers that nobody has submitted yet, kept for the one person who types them."""

from __future__ import annotations

from django.db import models

from annotation.models.projects import Project
from corpus.models import User


class Draft(models.Model):
    """What a person has filled into a form so far; nobody else ever sees it.

    ``content`` maps field names to a text or a list of texts. ``version`` counts
    the saves: a tab that has not seen the newest one does not overwrite it. Drafts
    are no part of the data set: no events, and submitting or erasing drops them.
    """

    class Kind(models.TextChoices):
        WRITE = "write", "claims of a source"
        REVISE_CLAIM = "revise_claim", "a returned claim"
        PROOFREAD = "proofread", "a decision on a claim"
        NEGATE = "negate", "a negation"
        VERIFY = "verify", "a judgement"
        REVISE_JUDGEMENT = "revise_judgement", "a returned judgement"
        REVIEW = "review", "a decision on a judgement"

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="drafts")
    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="drafts"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    item_id = models.PositiveBigIntegerField()
    content = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind", "item_id"], name="draft_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.item_id} v{self.version}"
