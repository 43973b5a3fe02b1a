"""What people are told about their work."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.projects import Project
from corpus.models import User


class Notice(models.Model):
    """One thing that a person is told: words, and the page where it can be seen.

    The words name nobody, so that an author hidden by a setting stays hidden.
    """

    class Kind(models.TextChoices):
        RETURNED = "returned", "came back"
        FIXED = "fixed", "fixed and approved"
        REJECTED = "rejected", "rejected"
        UPHELD = "upheld", "approved after your answer"
        DISPUTED = "disputed", "waits for a second opinion"
        ANSWERED = "answered", "second opinion given"
        RELEASED = "released", "given back to the queue"
        OTHER = "other", "other"

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="notices")
    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="notices"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    text = models.TextField()
    url = models.CharField(max_length=400, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["user"], condition=Q(read_at__isnull=True), name="notice_unread"
            ),
            models.Index(fields=["user", "id"], name="notice_of_user"),
        ]

    def __str__(self) -> str:
        return self.text
