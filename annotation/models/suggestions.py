"""What a model suggests for a pair, and what an annotator had before seeing it."""

from __future__ import annotations

from django.db import models

from annotation.models.judgements import Judgement, Pair
from annotation.models.labels import LabelCode
from corpus.models import User


class Suggestion(models.Model):
    """Label and sentences that a system suggests for a pair as it reads now.

    ``label`` is empty where the system abstains. ``probabilities`` are those of
    CONTRADICT, NOT_ENOUGH_INFO and SUPPORT; ``scores`` has one number for each
    sentence of the abstract. A machine's work: it goes with its pair.
    """

    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="suggestions")
    claim_version = models.PositiveIntegerField()
    document_hash = models.CharField(max_length=64)
    system = models.CharField(max_length=80)
    system_digest = models.CharField(max_length=64)
    label = models.CharField(max_length=20, choices=LabelCode.choices, blank=True)
    probabilities = models.JSONField()
    sentences = models.JSONField()
    scores = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "claim_version", "document_hash", "system_digest"],
                name="suggestion_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.label or 'no label'} for {self.pair_id}"

    def fits(self, pair: Pair) -> bool:
        """Whether it is about its pair as that reads now."""
        words = (pair.claim.version, pair.document.content_hash)
        return (self.claim_version, self.document_hash) == words


class SuggestionOffer(models.Model):
    """The moment from which a suggestion was within an annotator's sight.

    What they had chosen until then is their answer without a model: it never changes
    any more. ``suggestion`` is empty where chance has withheld it.
    """

    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="suggestion_offers"
    )
    annotator = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="suggestion_offers"
    )
    arm = models.CharField(max_length=20, choices=Judgement.Arm.choices)
    suggestion = models.ForeignKey(
        Suggestion, on_delete=models.PROTECT, null=True, related_name="offers"
    )
    first_label = models.CharField(max_length=20, choices=LabelCode.choices, blank=True)
    # A list of {"sentences": […], "roles": […]}.
    first_rationales = models.JSONField(default=list)
    offered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "annotator"], name="suggestion_offer_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.arm} for {self.pair_id}"
