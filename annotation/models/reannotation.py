"""Samples of judged pairs that others judge once more, to measure agreement."""

from __future__ import annotations

from django.db import models

from annotation.models.judgements import Pair
from annotation.models.projects import Project
from corpus.models import User


class ReannotationSample(models.Model):
    """Pairs drawn at one time; the seed and the rows of that time give them again."""

    class Stratum(models.TextChoices):
        LABEL = "label", "Label"
        ANNOTATOR = "annotator", "Annotator"
        STAGE = "stage", "Stage: waiting for review, or approved"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="reannotation_samples"
    )
    name = models.CharField(max_length=80)
    seed = models.PositiveIntegerField()
    # The codes of ``Stratum`` by which it was stratified, in their order.
    strata = models.JSONField(default=list)
    drawn_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="reannotation_samples"
    )
    drawn_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="reannotation_sample_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class SampledPair(models.Model):
    """A pair of a sample, and how many judgements it has once the sample is done."""

    sample = models.ForeignKey(
        ReannotationSample, on_delete=models.PROTECT, related_name="sampled"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="sampled")
    judgements = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "pair"], name="sampled_pair_once")
        ]

    def __str__(self) -> str:
        return f"{self.pair_id} in {self.sample_id}"
