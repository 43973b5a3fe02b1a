"""What claims are written from."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.labels import LabelCode
from annotation.models.projects import Project
from corpus.models import Citance, Document, User


class Question(models.Model):
    """A research question of a collaborative review (CoRe)."""

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="questions"
    )
    review = models.TextField()
    chapter = models.TextField(blank=True)
    text = models.TextField()
    # Over the three texts: unique indexes on long text do not work everywhere.
    key = models.CharField(max_length=64)
    null_result_rule = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="question_once")
        ]

    def __str__(self) -> str:
        return self.text


class Study(models.Model):
    """An abstract that answers a question: the raw finding and its mapped label."""

    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="studies"
    )
    document = models.ForeignKey(
        Document, on_delete=models.PROTECT, related_name="studies"
    )
    ordinal = models.PositiveIntegerField()
    finding = models.TextField(blank=True)
    label = models.CharField(max_length=20, choices=LabelCode.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "document"], name="study_once"),
            models.UniqueConstraint(
                fields=["question", "ordinal"], name="study_ordinal"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} → {self.document_id}"


class Source(models.Model):
    """A citance or question that waits in a project for its claims."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        DONE = "done", "written"
        SKIPPED = "skipped", "skipped"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="sources"
    )
    citance = models.ForeignKey(
        Citance, on_delete=models.PROTECT, null=True, related_name="sources"
    )
    question = models.OneToOneField(
        Question, on_delete=models.PROTECT, null=True, related_name="source"
    )
    position = models.PositiveBigIntegerField()
    # What is served first: an admin raises it for chosen items.
    priority = models.SmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    closed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(citance__isnull=False, question__isnull=True)
                | Q(citance__isnull=True, question__isnull=False),
                name="source_of_one_kind",
            ),
            models.UniqueConstraint(
                fields=["project", "citance"],
                condition=Q(citance__isnull=False),
                name="source_citance_once",
            ),
            models.UniqueConstraint(
                fields=["project", "position"], name="source_position"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "state", "position"], name="source_queue"),
            models.Index(
                fields=["project", "state", "-priority", "position"],
                name="source_next",
            ),
        ]

    def __str__(self) -> str:
        return str(self.citance or self.question)
