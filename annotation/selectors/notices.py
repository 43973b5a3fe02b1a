"""What a person has been told."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Notice
from corpus.models import User


def notices_of(user: User) -> QuerySet[Notice]:
    """A person's notices with their projects."""
    return Notice.objects.filter(user=user).select_related("project")


def count_unread(user: User) -> int:
    """How much is new for a person."""
    return Notice.objects.filter(user=user, read_at=None).count()
