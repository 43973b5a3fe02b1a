"""Telling people what happened to their work."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.models import Notice, Project
from corpus.events import column_values, new_event
from corpus.models import Event, User


@transaction.atomic
def notify(
    *, users: Iterable[User], project: Project, kind: str, text: str, url: str = ""
) -> list[Notice]:
    """Tell each of these people once; ``url`` is the path of the page to look at.

    ``text`` is the same for all and must name nobody: an author may be hidden. Who
    has no active account is told nothing.
    """
    people = {user.pk: user for user in users if user.is_active}
    notices = Notice.objects.bulk_create(
        Notice(user=user, project=project, kind=kind, text=text, url=url)
        for user in people.values()
    )
    Event.objects.bulk_create(
        _event(notice, "create", column_values(notice)) for notice in notices
    )
    return notices


@transaction.atomic
def read_notice(*, notice: Notice) -> None:
    """Note that a person has opened a notice."""
    _mark_read([notice])


@transaction.atomic
def read_all_notices(*, user: User) -> int:
    """Note that a person has seen everything that is new; return how much it was."""
    return _mark_read(Notice.objects.filter(user=user, read_at=None))


@transaction.atomic
def read_notices_of_page(*, user: User, url: str) -> int:
    """Note that a person has done what the notices that lead to a page ask for."""
    return _mark_read(Notice.objects.filter(user=user, url=url, read_at=None))


def _mark_read(notices: Iterable[Notice]) -> int:
    unread = [notice for notice in notices if notice.read_at is None]
    now = timezone.now()
    Notice.objects.filter(pk__in=[n.pk for n in unread]).update(read_at=now)
    Event.objects.bulk_create(
        _event(notice, "read", {"read_at": now.isoformat()}, notice.user)
        for notice in unread
    )
    return len(unread)


@transaction.atomic
def withdraw_notices(
    *, users: Iterable[User], project: Project, urls: Iterable[str], since: datetime
) -> None:
    """Take back what nobody has read yet about something that was undone.

    ``since`` is when it was done.
    """
    unread = Notice.objects.filter(
        user__in=users,
        project=project,
        url__in=urls,
        created_at__gte=since,
        read_at=None,
    )
    Event.objects.bulk_create(_event(notice, "delete", {}) for notice in unread)
    unread.delete()


def _event(
    notice: Notice, verb: str, fields: dict[str, object], actor: User | None = None
) -> Event:
    return new_event(
        noun="notice",
        obj=notice,
        verb=verb,
        actor=actor,
        project_id=notice.project_id,
        fields=fields,
    )
