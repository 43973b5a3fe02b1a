"""The record of every change."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from corpus.models.people import User


class Event(models.Model):
    """One change of one object: who, when, from, to and why.

    Written in the transaction of the change. ``payload["set"]`` holds the fields
    that the change wrote, complete enough to rebuild the object from its events.
    Payloads name people by primary key only, so that an erased identity leaves
    nothing behind here. ``project_id`` is a plain number, since projects live in
    the layer above.
    """

    at = models.DateTimeField(default=timezone.now)
    version = models.PositiveSmallIntegerField(default=1)
    actor = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="events"
    )
    project_id = models.BigIntegerField(null=True)
    noun = models.CharField(max_length=30)
    object_id = models.BigIntegerField()
    verb = models.CharField(max_length=40)
    from_state = models.CharField(max_length=30, blank=True)
    to_state = models.CharField(max_length=30, blank=True)
    why = models.TextField(blank=True)
    payload = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["noun", "object_id", "id"], name="event_object"),
            models.Index(fields=["project_id", "id"], name="event_project"),
        ]

    def __str__(self) -> str:
        return f"{self.noun} {self.object_id} {self.verb}"
