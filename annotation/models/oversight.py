"""What admins keep for themselves: filters with a name, and what they did to many."""

from __future__ import annotations

from django.db import models

from annotation.models.projects import Project
from corpus.models import User


class SavedFilter(models.Model):
    """A filter of the table of claims and pairs under a name.

    ``query`` holds the fields of the filter. Shared ones are seen by all admins of
    the project, and changed by their owner only.
    """

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="saved_filters"
    )
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="saved_filters"
    )
    name = models.CharField(max_length=80)
    query = models.JSONField(default=dict)
    is_shared = models.BooleanField(default=False)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class BulkAction(models.Model):
    """What one admin did to many items at once, so that it can be undone at once.

    Every item has an event of its own as well; this row only keeps them together.
    ``changed`` holds the primary keys, with the old priority where that changed.
    """

    class Action(models.TextChoices):
        RETIRE = "retire", "retired"
        PRIORITY = "priority", "priority changed"
        RELEASE = "release", "released"
        REQUEUE = "requeue", "offered again to all"
        RESTORE = "restore", "restored"

    class Noun(models.TextChoices):
        CLAIM = "claim", "claims"
        PAIR = "pair", "pairs"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="bulk_actions"
    )
    actor = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="bulk_actions"
    )
    action = models.CharField(max_length=10, choices=Action.choices)
    noun = models.CharField(max_length=10, choices=Noun.choices)
    changed = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "-id"], name="bulk_action_project")]

    def __str__(self) -> str:
        return f"{len(self.changed)} {self.get_noun_display()} {self.action}"

    @property
    def can_be_undone(self) -> bool:
        """Whether undoing has a meaning and has not happened."""
        can = {self.Action.RETIRE, self.Action.PRIORITY}
        return self.action in can and self.undone_at is None
