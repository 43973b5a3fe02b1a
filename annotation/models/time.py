"""When people worked, and how long each piece of work took.

Only the person and the project's admins read these tables.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q

from annotation import work_hours
from annotation.models.projects import Project, Stage
from annotation.work_hours import Span
from corpus.models import User


class WorkSession(models.Model):
    """A stretch of work of one person in one project, with its pauses.

    At most one is open for each person, so that no hour counts twice. What was
    measured stays as it was: a correction stands beside it, with its reason.
    """

    class State(models.TextChoices):
        RUNNING = "running", "running"
        PAUSED = "paused", "paused"
        ENDED = "ended", "ended"

    class Opened(models.TextChoices):
        BY_HAND = "by_hand", "started by hand"
        BY_WORK = "by_work", "opened by the first submit"
        BY_READING = "by_reading", "opened by reading the guideline"
        ENTERED = "entered", "entered afterwards"

    class Closed(models.TextChoices):
        STOPPED = "stopped", "stopped by hand"
        FORGOTTEN = "forgotten", "ended by itself: no activity"
        SWITCHED = "switched", "work went on in another project"
        ENTERED = "entered", "entered afterwards"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="work_sessions"
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="work_sessions"
    )
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.RUNNING
    )
    opened = models.CharField(max_length=10, choices=Opened.choices)
    closed = models.CharField(max_length=10, choices=Closed.choices, blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # Moves with every submit, without an event: it only says when a forgotten
    # session ends.
    last_activity_at = models.DateTimeField()
    # Pairs of times in ISO format; the last one is open (null) during a pause.
    pauses = models.JSONField(default=list)
    corrected_started_at = models.DateTimeField(null=True)
    corrected_ended_at = models.DateTimeField(null=True)
    corrected_pauses = models.JSONField(default=list)
    correction_reason = models.TextField(blank=True)
    corrected_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"],
                condition=Q(ended_at__isnull=True),
                name="work_session_one_open",
            ),
            models.CheckConstraint(
                condition=Q(state="ended", ended_at__isnull=False)
                | (~Q(state="ended") & Q(ended_at__isnull=True)),
                name="work_session_ended",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "started_at"], name="work_session_person"),
            models.Index(fields=["project", "started_at"], name="work_session_project"),
        ]
        verbose_name = "work session"

    def __str__(self) -> str:
        return f"{self.person_id} in {self.project_id} from {self.started_at}"

    @property
    def is_corrected(self) -> bool:
        """Whether the person has corrected what was measured."""
        return self.corrected_at is not None

    def measured_end(self, now: datetime) -> datetime:
        """When it ended; for an open one, when it would end if ``now`` were read.

        A session that was forgotten ends a stated time after its last activity,
        one whose pause was forgotten with the beginning of that pause.
        """
        if self.ended_at is not None:
            return self.ended_at
        if self.state == self.State.PAUSED:
            begin = datetime.fromisoformat(self.pauses[-1][0])
            return begin if now - begin > work_hours.PAUSE_LIMIT else now
        if now - self.last_activity_at > work_hours.IDLE_LIMIT:
            return self.last_activity_at + work_hours.COUNTED_AFTER_LAST_ACTIVITY
        return now

    def is_forgotten(self, now: datetime) -> bool:
        """Whether an open session has lain idle for too long."""
        return self.ended_at is None and self.measured_end(now) < now

    def measured_spans(self, now: datetime) -> list[Span]:
        """The time that was measured, without pauses."""
        end = self.measured_end(now)
        return work_hours.worked_spans(self.started_at, end, _spans(self.pauses, end))

    def spans(self, now: datetime) -> list[Span]:
        """The time that counts: corrected where the person has corrected it."""
        if self.corrected_started_at is None or self.corrected_ended_at is None:
            return self.measured_spans(now)
        end = self.corrected_ended_at
        return work_hours.worked_spans(
            self.corrected_started_at, end, _spans(self.corrected_pauses, end)
        )


def _spans(pauses: list[list[Any]], end: datetime) -> list[Span]:
    return [
        Span(
            datetime.fromisoformat(start),
            datetime.fromisoformat(stop) if stop else end,
        )
        for start, stop in pauses
    ]


def overlaps(window: Span) -> Q:
    """Return the condition of sessions that may have time in a window."""
    measured = Q(started_at__lt=window.end) & (
        Q(ended_at=None) | Q(ended_at__gt=window.start)
    )
    corrected = Q(
        corrected_started_at__lt=window.end, corrected_ended_at__gt=window.start
    )
    return measured | corrected


class TaskTime(models.Model):
    """How long one submit, or one stretch of reading, took: active and elapsed.

    Rows are only added. ``item_id`` names the row that the stage works on, as for
    leases; for reading it is the guideline. A submit without a clock has no seconds.
    """

    class Kind(models.TextChoices):
        WRITE = Stage.WRITE.value, "write"
        NEGATE = Stage.NEGATE.value, "negate"
        VERIFY = Stage.VERIFY.value, "verify"
        PROOFREAD = Stage.PROOFREAD.value, "proofread"
        REVIEW = Stage.REVIEW.value, "review"
        ADJUDICATE = Stage.ADJUDICATE.value, "adjudicate"
        GUIDELINE = "guideline", "read the guideline"
        PRACTICE = "practice", "practise"

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="task_times"
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="task_times"
    )
    stage = models.CharField(max_length=10, choices=Kind.choices)
    item_id = models.BigIntegerField()
    active_seconds = models.PositiveIntegerField(null=True)
    elapsed_seconds = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()
    # The key of the form, where there is one: a form sent twice counts once.
    submission_key = models.UUIDField(null=True, unique=True)

    class Meta:
        indexes = [
            models.Index(fields=["person", "at"], name="task_time_person"),
            models.Index(
                fields=["project", "person", "stage"], name="task_time_project"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.item_id}: {self.active_seconds} s"
