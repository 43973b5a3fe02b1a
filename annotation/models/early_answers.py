"""What a writer has answered about a claim before the claim is approved."""

from __future__ import annotations

from django.db import models

from annotation.models.claims import ClaimVersion
from annotation.models.judgements import Judgement
from annotation.models.labels import LabelCode
from annotation.models.projects import Guideline
from corpus.models import Document, User


class EarlyAnswer(models.Model):
    """A label and rationales that came with a claim, for a pair that is yet to be.

    Where the writer of a claim also judges it, both are written in one go; but a
    pair exists only once a proofreader has approved the claim. On approval the
    answer becomes a judgement of the same person. It is set aside if the wording
    that it saw is not the one that was approved. How long it took is not known: it
    was one piece of work with writing both claims.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for its claim"
        JUDGED = "judged", "has become a judgement"
        SET_ASIDE = "set_aside", "set aside"

    claim_version = models.ForeignKey(
        ClaimVersion, on_delete=models.PROTECT, related_name="early_answers"
    )
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, related_name="early_answers"
    )
    annotator = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="early_answers"
    )
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING
    )
    label = models.CharField(max_length=20, choices=LabelCode.choices)
    # A list of {"sentences": […], "roles": […]}.
    rationales = models.JSONField(default=list)
    document_hash = models.CharField(max_length=64)
    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, null=True)
    given_at = models.DateTimeField()
    judgement = models.OneToOneField(
        Judgement, on_delete=models.PROTECT, null=True, related_name="early_answer"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim_version", "document"], name="early_answer_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.label} for {self.claim_version}"
