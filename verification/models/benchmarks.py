"""Benchmarks: what is scored, against which gold, when and how often."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from corpus.models import StoredFile, User
from corpus.models.jobs import new_token
from corpus.models.library import Visibility


class GoldSet(models.Model):
    """The files that predictions are scored against; never changed once made.

    ``claims`` is what researchers download: the gold's claims without their
    evidence. ``is_hidden`` says that the gold itself never leaves the server.
    ``release`` names the gold in signatures; without it the checksum does.
    ``benchmark`` is the one whose phases may use it.
    """

    benchmark = models.ForeignKey(
        "Benchmark",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="gold_sets",
    )

    name = models.CharField(max_length=120)
    task = models.CharField(max_length=40)
    split = models.CharField(max_length=60, blank=True)
    release = models.CharField(max_length=60, blank=True)
    is_hidden = models.BooleanField(default=True)
    gold = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    claims = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    corpus = models.ForeignKey(
        StoredFile, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    n_claims = models.PositiveIntegerField()
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="gold_sets")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "gold set"

    def __str__(self) -> str:
        return self.name


class Benchmark(models.Model):
    """A task with a scorer, and the phases in which it is open.

    ``primary_metric`` is a dotted name of one of the task's measures; the board is
    sorted by it.
    """

    class Setting(models.TextChoices):
        OPEN = "open", "open: evidence is found in the whole corpus"
        ORACLE_ABSTRACT = "oracle-abstract", "oracle abstracts: these are given"
        ORACLE_RATIONALE = "oracle-rationale", "oracle rationales: these are given"

    slug = models.SlugField(max_length=140, unique=True)
    name = models.CharField(max_length=120, unique=True)
    description = models.TextField(blank=True)
    task = models.CharField(max_length=40)
    profile = models.CharField(max_length=20)
    setting = models.CharField(
        max_length=20, choices=Setting.choices, default=Setting.OPEN
    )
    primary_metric = models.CharField(max_length=80)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    organisers = models.ManyToManyField(User, related_name="organised_benchmarks")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Phase(models.Model):
    """A time in which a benchmark takes submissions, with limits of its own.

    ``shows`` says what people other than the organisers learn of a score before the
    phase closes; afterwards everything is shown. Phases are numbered from 1.
    """

    class Kind(models.TextChoices):
        DEV = "dev", "development"
        BLIND = "blind", "blind test"
        LATE = "late", "after the deadline"

    class Shows(models.TextChoices):
        EVERYTHING = "everything", "all measures, slices and errors"
        OVERALL = "overall", "overall measures with one decimal"
        NOTHING = "nothing", "nothing until the phase closes"

    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.PROTECT, related_name="phases"
    )
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=60)
    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="phases"
    )
    shows = models.CharField(max_length=10, choices=Shows.choices)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(null=True, blank=True)
    daily_per_person = models.PositiveSmallIntegerField(default=10)
    total_per_person = models.PositiveSmallIntegerField(null=True, blank=True)
    daily_per_team = models.PositiveSmallIntegerField(default=10)
    total_per_team = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "number"], name="phase_number"
            ),
            models.CheckConstraint(
                condition=Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="phase_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def is_open(self, now: datetime) -> bool:
        """Whether submissions are taken at that moment."""
        return self.opens_at <= now and not self.is_closed(now)

    def is_closed(self, now: datetime) -> bool:
        """Whether the deadline has passed at that moment."""
        return self.closes_at is not None and self.closes_at <= now


class Team(models.Model):
    """People who submit together and share a quota.

    Whoever opens the link with ``token`` joins.
    """

    name = models.CharField(max_length=120, unique=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    members = models.ManyToManyField(User, related_name="teams")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Announcement(models.Model):
    """What an organiser tells everybody who sees the benchmark."""

    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.PROTECT, related_name="announcements"
    )
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.benchmark_id} at {self.at:%Y-%m-%d}"
