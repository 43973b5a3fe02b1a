"""Background work and private files."""

from __future__ import annotations

import secrets
from pathlib import PurePath

from django.db import models

from corpus.models.people import User


def new_token() -> str:
    """Return a random token for an address that must not be guessed."""
    return secrets.token_urlsafe(16)


def stored_file_path(instance: StoredFile, filename: str) -> str:
    """Return where an upload is kept: by token, never by the name it came with."""
    suffix = PurePath(filename).suffix[:10]
    return f"files/{instance.token[:2]}/{instance.token}{suffix}"


class StoredFile(models.Model):
    """A private file, served only through an access check."""

    token = models.CharField(max_length=32, unique=True, default=new_token)
    file = models.FileField(upload_to=stored_file_path)
    name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="files")
    project_id = models.BigIntegerField(null=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Job(models.Model):
    """One piece of background work, with the lease of the worker that runs it.

    ``kind`` names the handler in ``settings.JOB_HANDLERS``. A worker owns the job
    while its ``lease_owner`` stands; every write of a result is conditional on it.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    UNDER_WAY = (State.QUEUED, State.RUNNING)

    token = models.CharField(max_length=32, unique=True, default=new_token)
    kind = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="jobs")
    project_id = models.BigIntegerField(null=True, db_index=True)
    payload = models.JSONField(default=dict)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    phase = models.CharField(max_length=60, blank=True)
    progress_done = models.BigIntegerField(default=0)
    progress_total = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=40, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["state", "lease_expires_at"], name="job_lease"),
            models.Index(fields=["owner", "-id"], name="job_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to this job."""
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}
