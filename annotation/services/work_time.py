"""Measuring work: what each piece took, and the sessions in which it was done.

A submit outside a session opens one, and a submit in another project moves the
session there. The rules on forgotten sessions are in ``annotation.work_hours``.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation import work_hours
from annotation.models import Project, TaskTime, WorkSession
from annotation.seconds import Seconds
from corpus.events import column_values, record_event
from corpus.models import User
from corpus.transitions import change_state

State, Opened, Closed = WorkSession.State, WorkSession.Opened, WorkSession.Closed
# What a browser says about one piece of work is believed up to here.
MOST_SECONDS = 4 * 60 * 60
SHORTEST_READING = 60
OPEN_STATES = (State.RUNNING, State.PAUSED)


@transaction.atomic
def record_time(
    *,
    project: Project,
    person: User,
    stage: str,
    item_id: int,
    seconds: Seconds | None = None,
    submission_key: uuid.UUID | None = None,
    opened: str = Opened.BY_WORK,
) -> WorkSession | None:
    """Keep what one piece of work took, and keep the person's session going.

    Returns the session if this opened one, so that the page can say so. The same
    ``submission_key`` counts once. Call it in the transaction of the submit or
    after it.
    """
    lock_person(person)
    if submission_key and _is_known(submission_key):
        return None
    now = timezone.now()
    believed = _believed(seconds or Seconds())
    TaskTime.objects.create(
        project=project,
        person=person,
        stage=str(stage),
        item_id=item_id,
        active_seconds=believed.active,
        elapsed_seconds=believed.elapsed,
        at=now,
        submission_key=submission_key,
    )
    began = now - timedelta(seconds=believed.active or 0)
    return keep_going(project=project, person=person, began=began, opened=opened)


@transaction.atomic
def record_reading(
    *, project: Project, person: User, kind: str, item_id: int, seconds: Seconds
) -> WorkSession | None:
    """Keep a stretch of reading or practice; returns the session if this opened one.

    A glance opens no session: it takes a full minute.
    """
    believed = _believed(seconds)
    if not believed.active:
        return None
    lock_person(person)
    if believed.active < SHORTEST_READING and open_session(person) is None:
        return None
    return record_time(
        project=project,
        person=person,
        stage=kind,
        item_id=item_id,
        seconds=believed,
        opened=Opened.BY_READING,
    )


def _is_known(submission_key: uuid.UUID) -> bool:
    return TaskTime.objects.filter(submission_key=submission_key).exists()


def _believed(seconds: Seconds) -> Seconds:
    """Return the seconds within what can be: active is at most elapsed."""
    elapsed = _limited(seconds.elapsed)
    active = _limited(seconds.active)
    if active is not None and elapsed is not None:
        active = min(active, elapsed)
    return Seconds(active, elapsed)


def _limited(seconds: int | None) -> int | None:
    return None if seconds is None else max(0, min(seconds, MOST_SECONDS))


def lock_person(person: User) -> None:
    """Let the changes of one person's sessions happen one after the other.

    The caller is in a transaction.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=person.pk)


def open_session(person: User) -> WorkSession | None:
    """Return the person's session that has not ended."""
    return WorkSession.objects.filter(person=person, ended_at=None).first()


def note_activity(*, person: User) -> None:
    """Keep a running session from being taken for a forgotten one.

    For signs of work that finish nothing, such as a page that is still read. What has
    lain idle for too long is not brought back.
    """
    now = timezone.now()
    WorkSession.objects.filter(
        person=person,
        state=State.RUNNING,
        last_activity_at__gte=now - work_hours.IDLE_LIMIT,
    ).update(last_activity_at=now)


def keep_going(
    *, project: Project, person: User, began: datetime, opened: str
) -> WorkSession | None:
    """Note activity that began at ``began`` and lasts until now.

    Goes on with the open session, or opens one and returns it. The caller is in a
    transaction and holds the person's lock.
    """
    now = timezone.now()
    session = open_session(person)
    if session is not None:
        is_here = session.project_id == project.pk
        if is_here and not session.is_forgotten(max(began, session.last_activity_at)):
            _go_on(session, person, began, now)
            return None
        close_for_another(session, person, began)
    last = _latest_end(person)
    start = min(now, max(began, last)) if last else began
    return create_session(
        project=project, person=person, started_at=start, opened=opened, now=now
    )


def _go_on(session: WorkSession, person: User, began: datetime, now: datetime) -> None:
    if session.state == State.PAUSED:
        end_pause(session, person, max(began, _pause_began(session)))
    WorkSession.objects.filter(pk=session.pk).update(last_activity_at=now)


def close_for_another(session: WorkSession, person: User, began: datetime) -> None:
    """End an open session for one that begins at ``began``."""
    now = timezone.now()
    if session.is_forgotten(now):
        end_session(session, person, session.measured_end(now), Closed.FORGOTTEN)
        return
    end = min(now, max(began, session.last_activity_at, session.started_at))
    end_session(session, person, end, Closed.SWITCHED)


def _pause_began(session: WorkSession) -> datetime:
    return datetime.fromisoformat(session.pauses[-1][0])


def _latest_end(person: User) -> datetime | None:
    """Return when the person's last session ended, corrected or measured."""
    ends = WorkSession.objects.filter(person=person).aggregate(
        measured=Max("ended_at"), corrected=Max("corrected_ended_at")
    )
    return max(filter(None, ends.values()), default=None)


def create_session(
    *,
    project: Project,
    person: User,
    started_at: datetime,
    opened: str,
    now: datetime,
    **values: Any,
) -> WorkSession:
    """Create a session with its event; the caller holds the person's lock."""
    session = WorkSession.objects.create(
        project=project,
        person=person,
        opened=opened,
        started_at=started_at,
        last_activity_at=now,
        **values,
    )
    record_session(session, person, "start", fields=column_values(session))
    return session


def end_pause(session: WorkSession, person: User, at: datetime) -> None:
    """Let a paused session run again from a moment on."""
    pauses = [*session.pauses[:-1], [session.pauses[-1][0], at.isoformat()]]
    old = change_state(
        session,
        from_states={State.PAUSED},
        to_state=State.RUNNING,
        pauses=pauses,
        last_activity_at=timezone.now(),
    )
    record_session(session, person, "resume", old=old, fields={"pauses": pauses})


def end_session(session: WorkSession, person: User, at: datetime, closed: str) -> None:
    """End an open session at a moment; a pause that is open ends with it."""
    pauses = session.pauses
    if session.state == State.PAUSED:
        at = max(at, _pause_began(session))
        pauses = [*pauses[:-1], [pauses[-1][0], at.isoformat()]]
    values = {"ended_at": at, "closed": str(closed), "pauses": pauses}
    old = change_state(session, from_states=OPEN_STATES, to_state=State.ENDED, **values)
    fields = {**values, "ended_at": at.isoformat()}
    record_session(session, person, "end", old=old, fields=fields)


def record_session(
    session: WorkSession,
    person: User,
    verb: str,
    *,
    old: str = "",
    why: str = "",
    fields: dict[str, Any] | None = None,
    was: dict[str, Any] | None = None,
) -> None:
    """Write the event of a change of a session."""
    record_event(
        noun="worksession",
        obj=session,
        verb=verb,
        actor=person,
        project_id=session.project_id,
        from_state=old,
        to_state=session.state,
        why=why,
        fields=fields,
        was=was,
    )
