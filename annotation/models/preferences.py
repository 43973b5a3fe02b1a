"""What a person has set for themselves on the pages of work."""

from __future__ import annotations

from django.db import models

from annotation import shortcuts
from annotation.models.judgements import Pair
from annotation.models.projects import Project
from corpus.models import User


class KeySettings(models.Model):
    """The single keys of one person: switched off, or other ones than usual."""

    user = models.OneToOneField(
        User, on_delete=models.PROTECT, related_name="key_settings"
    )
    is_on = models.BooleanField(default=True)
    # Only what differs from the usual keys, by action.
    keys = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"keys of {self.user}"

    @property
    def key_map(self) -> dict[str, str]:
        """The key of every action."""
        return shortcuts.key_map(self.keys)


class Flag(models.Model):
    """A pair that somebody wants to come back to; nobody else sees it."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="flags")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="flags")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="flags")
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "pair"], name="flag_once")
        ]
        indexes = [models.Index(fields=["project", "user", "id"], name="flag_list")]

    def __str__(self) -> str:
        return f"flag of {self.user} on {self.pair_id}"
