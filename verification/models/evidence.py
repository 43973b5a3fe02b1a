"""Claims that somebody wants checked, and what was found for them."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q

from corpus.models import Corpus, User
from corpus.models.jobs import new_token

# How long a check lasts that nobody keeps.
UNKEPT_FOR = timedelta(hours=1)


class ClaimBatch(models.Model):
    """Claims that were checked together, under a name."""

    token = models.CharField(max_length=32, unique=True, default=new_token)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="claim_batches"
    )
    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="claim_batches"
    )
    system = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "claim batches"

    def __str__(self) -> str:
        return self.name


class FactCheck(models.Model):
    """A claim, the corpus and system that it is checked with, and the answer.

    ``result`` grows while the work goes on: see ``verification/evidence.py``. A check
    that is not kept is removed with its claim soon after it was asked; a permalink
    (``kept_at``) or a batch keeps it. ``client`` is a hash of the address that asked,
    for the rate limit, and goes after a day.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        RETRIEVED = "retrieved", "abstracts found"
        SELECTED = "selected", "rationales selected"
        DONE = "done", "answered"
        FAILED = "failed", "failed"

    token = models.CharField(max_length=32, unique=True, default=new_token)
    claim = models.TextField()
    # What the list of a batch calls the claim, if it does.
    external_id = models.CharField(max_length=255, blank=True)
    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="fact_checks"
    )
    corpus_version = models.PositiveIntegerField(null=True)
    system = models.CharField(max_length=80)
    system_digest = models.CharField(max_length=64, blank=True)
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING
    )
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    batch = models.ForeignKey(
        ClaimBatch, on_delete=models.PROTECT, null=True, related_name="checks"
    )
    position = models.PositiveIntegerField(null=True)
    asked_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="fact_checks"
    )
    client = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)
    kept_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=40, blank=True)
    lease_expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "position"], name="fact_check_position"
            ),
            models.CheckConstraint(
                condition=Q(batch__isnull=True, position__isnull=True)
                | Q(batch__isnull=False, position__isnull=False),
                name="fact_check_position_in_batch",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "id"], name="fact_check_queue"),
            models.Index(fields=["client", "asked_at"], name="fact_check_client"),
        ]

    def __str__(self) -> str:
        return f"{self.token} {self.state}"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in {self.State.DONE, self.State.FAILED}

    def is_asked_by(self, person: User | None) -> bool:
        """Whether a person may act as whoever asked; visitors cannot be told apart."""
        return self.asked_by_id in (None, person.pk if person else None)


class Plausibility(models.Model):
    """Whether an expert finds the evidence in one abstract of an answer plausible."""

    check_of = models.ForeignKey(
        FactCheck, on_delete=models.PROTECT, related_name="plausibilities"
    )
    # The id of the abstract as the answer names it.
    document = models.CharField(max_length=255)
    rater = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="plausibilities"
    )
    is_plausible = models.BooleanField()
    rated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["check_of", "document", "rater"], name="plausibility_once"
            )
        ]
        verbose_name_plural = "plausibilities"

    def __str__(self) -> str:
        return f"{self.document}: {self.is_plausible}"
