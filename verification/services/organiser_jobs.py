"""Jobs that several organisers may ask for, and that run once at a time."""

from __future__ import annotations

from typing import Any

from corpus.exceptions import DomainError
from corpus.models import Job, User


def own_job_under_way(
    *, kind: str, organiser: User, payload: dict[str, Any]
) -> Job | None:
    """Return the job that an organiser has asked for already, if it is not over.

    Raises ``DomainError`` while another organiser's is under way: a job is shown to
    whoever asked for it. The caller holds a lock that others wait for.
    """
    already = Job.objects.filter(kind=kind, payload=payload, state__in=Job.UNDER_WAY)
    if found := already.filter(owner=organiser).first():
        return found
    if already.exists():
        raise DomainError("Another organiser has asked for it; it goes on now.")
    return None
