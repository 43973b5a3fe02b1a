"""Submissions: uploaded predictions, their place in the quota, and their scores."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpus.models import Job, StoredFile, User
from corpus.models.jobs import new_token
from verification.models.benchmarks import Benchmark, Phase, Team


class Submission(models.Model):
    """Predictions for one phase, by one person or for their team.

    ``state`` says how far the scoring is, ``standing`` who sees the entry. One that
    was only checked (a dry run) stays ``received`` and takes nothing of the quota;
    one that was submitted with its upload has ``submitted_at`` and goes on by itself.
    """

    class State(models.TextChoices):
        RECEIVED = "received", "received"
        INVALID = "invalid", "invalid"
        QUEUED = "queued", "waiting to be scored"
        SCORING = "scoring", "being scored"
        SCORED = "scored", "scored"
        FAILED = "failed", "failed"

    class Standing(models.TextChoices):
        PRIVATE = "private", "private"
        PUBLISHED = "published", "published"
        WITHDRAWN = "withdrawn", "withdrawn"
        DISQUALIFIED = "disqualified", "disqualified"

    token = models.CharField(max_length=32, unique=True, default=new_token)
    phase = models.ForeignKey(
        Phase, on_delete=models.PROTECT, related_name="submissions"
    )
    submitter = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="submissions"
    )
    team = models.ForeignKey(
        Team,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="submissions",
    )
    file = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    job = models.ForeignKey(
        Job, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.RECEIVED
    )
    standing = models.CharField(
        max_length=12, choices=Standing.choices, default=Standing.PRIVATE
    )
    is_checked = models.BooleanField(default=False)
    is_baseline = models.BooleanField(default=False)
    is_anonymous = models.BooleanField(default=False)
    system = models.CharField(max_length=120, blank=True)
    description = models.TextField(blank=True)
    paper_url = models.URLField(max_length=500, blank=True)
    code_url = models.URLField(max_length=500, blank=True)
    model_size = models.CharField(max_length=60, blank=True)
    external_data = models.TextField(blank=True)
    setting = models.CharField(
        max_length=20,
        choices=Benchmark.Setting.choices,
        default=Benchmark.Setting.OPEN,
    )
    # The first errors and warnings; the counts are those of all.
    errors = models.JSONField(default=list, blank=True)
    n_errors = models.PositiveIntegerField(default=0)
    warnings = models.JSONField(default=list, blank=True)
    n_warnings = models.PositiveIntegerField(default=0)
    failure = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    received_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["phase", "standing", "id"], name="submission_board"),
            models.Index(fields=["submitter", "-id"], name="submission_own"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="scored") | ~Q(standing="published"),
                name="submission_published_is_scored",
            ),
        ]

    def __str__(self) -> str:
        return self.system or self.token

    @property
    def is_disqualified(self) -> bool:
        """Whether it may not stand on the board; what was never there has no tombstone.

        So a private entry that is disqualified stays private.
        """
        return self.standing == self.Standing.DISQUALIFIED or bool(self.reason)

    @property
    def is_submitted(self) -> bool:
        """Whether it took a place in the quota and is scored, or will be."""
        ended_badly = self.state in {self.State.INVALID, self.State.FAILED}
        return self.submitted_at is not None and not ended_badly

    @property
    def is_under_way(self) -> bool:
        """Whether a check or the scoring has still to end."""
        if self.state == self.State.RECEIVED:
            return not self.is_checked
        return self.state in {self.State.QUEUED, self.State.SCORING}


class QuotaSlot(models.Model):
    """One place of somebody's quota in a phase; the database gives each once.

    ``holder`` is ``person:7`` or ``team:3``; ``period`` is a day as ``2026-11-30``
    (UTC) or ``all`` for the whole phase. Numbers count from 0 up to the limit. Giving
    a place back is deleting its row.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+")
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="quota_slots"
    )
    holder = models.CharField(max_length=30)
    period = models.CharField(max_length=10)
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "holder", "period", "number"], name="quota_place"
            )
        ]

    def __str__(self) -> str:
        return f"{self.holder} {self.period} {self.number}"


class Score(models.Model):
    """What the scorer found for a submission; never changed, never replaced.

    A new scorer version or another gold gives a further row, and the page shows
    both. ``slices`` maps ``"kind:name"`` to ``{"n_claims", "metrics"}``; ``by_claim``
    lists ``[claim id, value of the primary metric on this claim alone]``.
    ``unjudged`` counts predicted abstracts that nobody has judged for the claim.
    """

    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="scores"
    )
    scorer_version = models.CharField(max_length=20)
    gold_sha256 = models.CharField(max_length=64)
    signature = models.CharField(max_length=400)
    primary = models.FloatField(null=True)
    metrics = models.JSONField()
    counts = models.JSONField(default=dict)
    extra = models.JSONField(default=dict)
    intervals = models.JSONField(default=dict)
    slices = models.JSONField(default=dict)
    by_claim = models.JSONField(default=list)
    n_claims = models.PositiveIntegerField()
    predicted_abstracts = models.PositiveIntegerField(null=True)
    unjudged_abstracts = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "scorer_version", "gold_sha256"],
                name="score_once_a_version",
            )
        ]

    def __str__(self) -> str:
        return self.signature

    def is_current(self, version: str) -> bool:
        """Whether this is the score of a version of the scorer."""
        return self.scorer_version == version


class Comparison(models.Model):
    """The paired bootstrap of two scores on the same claims, in the primary metric."""

    first = models.ForeignKey(Score, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Score, on_delete=models.PROTECT, related_name="+")
    metric = models.CharField(max_length=80)
    observed = models.FloatField()
    low = models.FloatField()
    high = models.FloatField()
    p_value = models.FloatField()
    computed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["first", "second", "metric"], name="comparison_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.first_id} against {self.second_id}"

    @property
    def is_tie(self) -> bool:
        """Whether the two cannot be told apart at the 5 % level."""
        return self.p_value >= 0.05


class ClaimTag(models.Model):
    """Why a system went wrong on a claim, as a person reads it (SciFact, Table 5).

    ``claim`` is the claim's id as JSON, since 7 is not "7".
    """

    class Tag(models.TextChoices):
        BACKGROUND = "background", "science background"
        DIRECTION = "direction", "directionality"
        NUMBERS = "numbers", "numerical reasoning"
        CAUSE = "cause", "cause and effect"
        COREFERENCE = "coreference", "coreference"

    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="claim_tags"
    )
    claim = models.CharField(max_length=400)
    tag = models.CharField(max_length=12, choices=Tag.choices)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "claim", "tag"], name="claim_tag_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim}: {self.tag}"
