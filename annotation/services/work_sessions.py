"""What a person does with their own work sessions by hand.

Starting, pausing and stopping, correcting what was measured with a reason, and
entering work that nothing has measured. What was measured is never overwritten.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from annotation import work_hours
from annotation.models import Project, WorkSession
from annotation.models.time import overlaps
from annotation.services.work_time import (
    close_for_another,
    create_session,
    end_pause,
    end_session,
    lock_person,
    open_session,
    record_session,
)
from annotation.work_hours import Span
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User
from corpus.text import normalise_newlines
from corpus.transitions import change_state

State, Opened, Closed = WorkSession.State, WorkSession.Opened, WorkSession.Closed
LONGEST_REASON = 500


@transaction.atomic
def start_session(*, project: Project, person: User) -> WorkSession:
    """Start working: one session in one project; another project's session ends.

    A session that already runs here goes on; a paused one is resumed.
    """
    lock_person(person)
    now = timezone.now()
    session = open_session(person)
    if session is not None:
        is_here = session.project_id == project.pk
        if is_here and not session.is_forgotten(now):
            if session.state == State.PAUSED:
                end_pause(session, person, now)
            return session
        close_for_another(session, person, now)
    return create_session(
        project=project, person=person, started_at=now, opened=Opened.BY_HAND, now=now
    )


@transaction.atomic
def pause_session(*, session: WorkSession) -> WorkSession:
    """Stop the clock for a break."""
    session = _own_open(session)
    now = timezone.now()
    pauses = [*session.pauses, [now.isoformat(), None]]
    old = change_state(
        session, from_states={State.RUNNING}, to_state=State.PAUSED, pauses=pauses
    )
    record_session(session, session.person, "pause", old=old, fields={"pauses": pauses})
    return session


@transaction.atomic
def resume_session(*, session: WorkSession) -> WorkSession:
    """Go on after a break."""
    session = _own_open(session)
    end_pause(session, session.person, timezone.now())
    return session


@transaction.atomic
def stop_session(*, session: WorkSession) -> WorkSession:
    """End a session now; one that was forgotten has ended before, as stated."""
    lock_person(session.person)
    session.refresh_from_db()
    now = timezone.now()
    if session.ended_at is not None:
        raise StaleStateError("This work session has ended already.")
    if session.is_forgotten(now):
        end_session(
            session, session.person, session.measured_end(now), Closed.FORGOTTEN
        )
    else:
        end = now
        if session.state == State.PAUSED:  # a break at the end is no work
            end = datetime.fromisoformat(session.pauses[-1][0])
        end_session(session, session.person, end, Closed.STOPPED)
    return session


def _own_open(session: WorkSession) -> WorkSession:
    """Lock the person and read the session again; refuse one that is over."""
    lock_person(session.person)
    session.refresh_from_db()
    if session.ended_at is not None:
        raise StaleStateError("This work session has ended already.")
    if session.is_forgotten(timezone.now()):
        raise StaleStateError(
            "This work session has ended by itself, since nothing was done in it for "
            "so long. Start a new one; you can correct the old one."
        )
    return session


@transaction.atomic
def correct_session(
    *,
    session: WorkSession,
    started_at: datetime,
    ended_at: datetime,
    break_length: timedelta,
    reason: str,
) -> WorkSession:
    """Let other times count than those measured, which stay readable beside them.

    Breaks that keep their length stay where they were; others are one break in the
    middle. The correction is an event, and may itself be corrected.
    """
    lock_person(session.person)
    session.refresh_from_db()
    now = timezone.now()
    if session.is_forgotten(now):
        end_session(
            session, session.person, session.measured_end(now), Closed.FORGOTTEN
        )
    if session.ended_at is None:
        raise DomainError("This work session still runs. Stop it first.")
    reason = _reason(reason)
    _require_possible(session.person, started_at, ended_at, break_length, session.pk)
    pauses = _corrected_pauses(session, Span(started_at, ended_at), break_length)
    was = _correction(session)
    session.corrected_started_at = started_at
    session.corrected_ended_at = ended_at
    session.corrected_pauses = pauses
    session.correction_reason = reason
    session.corrected_at = now
    _save_correction(session, "correct", reason, was)
    return session


@transaction.atomic
def withdraw_correction(*, session: WorkSession) -> WorkSession:
    """Let the measured times count again."""
    lock_person(session.person)
    session.refresh_from_db()
    if session.corrected_at is None or session.ended_at is None:
        raise DomainError("This work session has no correction.")
    if session.opened == Opened.ENTERED:
        raise DomainError(
            "Nothing was measured here: you have entered this session yourself. "
            "Correct its times instead."
        )
    _require_free(session.person, session.started_at, session.ended_at, session.pk)
    was = _correction(session)
    session.corrected_started_at = session.corrected_ended_at = None
    session.corrected_at = None
    session.corrected_pauses = []
    session.correction_reason = ""
    _save_correction(session, "withdraw_correction", "", was)
    return session


@transaction.atomic
def enter_session(
    *,
    project: Project,
    person: User,
    started_at: datetime,
    ended_at: datetime,
    break_length: timedelta,
    reason: str,
) -> WorkSession:
    """Keep work that nothing has measured; it is marked as entered afterwards."""
    lock_person(person)
    reason = _reason(reason)
    _require_possible(person, started_at, ended_at, break_length, None)
    now = timezone.now()
    pauses = _as_json(work_hours.middle_pause(started_at, ended_at, break_length))
    return create_session(
        project=project,
        person=person,
        started_at=started_at,
        opened=Opened.ENTERED,
        now=now,
        state=State.ENDED,
        ended_at=ended_at,
        closed=Closed.ENTERED,
        pauses=pauses,
        corrected_started_at=started_at,
        corrected_ended_at=ended_at,
        corrected_pauses=pauses,
        correction_reason=reason,
        corrected_at=now,
    )


def _reason(reason: str) -> str:
    cleaned = normalise_newlines(reason).strip()
    if not cleaned:
        raise DomainError("Say why, for whoever reads the pay sheet.")
    if len(cleaned) > LONGEST_REASON:
        raise DomainError(f"A reason has at most {LONGEST_REASON} characters.")
    return cleaned


def _require_possible(
    person: User,
    started_at: datetime,
    ended_at: datetime,
    break_length: timedelta,
    own: int | None,
) -> None:
    if ended_at <= started_at:
        raise DomainError("The end lies before the start.")
    if ended_at > timezone.now():
        raise DomainError("The end lies in the future.")
    if ended_at - started_at > work_hours.LONGEST_SESSION:
        raise DomainError("A work session has at most 24 hours.")
    if not timedelta(0) <= break_length < ended_at - started_at:
        raise DomainError("The breaks are longer than the session.")
    _require_free(person, started_at, ended_at, own)


def _require_free(
    person: User, started_at: datetime, ended_at: datetime, own: int | None
) -> None:
    """Refuse times that another session of the person covers: nothing counts twice."""
    for other in WorkSession.objects.filter(
        overlaps(Span(started_at, ended_at)), person=person
    ):
        if other.pk == own:
            continue
        spans = other.spans(timezone.now())
        if work_hours.clipped(spans, Span(started_at, ended_at)):
            start = date_format(timezone.localtime(spans[0].start), "j M, H:i")
            end = date_format(timezone.localtime(spans[-1].end), "H:i")
            raise DomainError(
                f"These times overlap your work session of {start} to {end}. Correct "
                "that one first: no time counts twice."
            )


def _corrected_pauses(
    session: WorkSession, times: Span, break_length: timedelta
) -> list[list[str]]:
    pauses = session.corrected_pauses if session.is_corrected else session.pauses
    kept = [
        Span(datetime.fromisoformat(start), datetime.fromisoformat(stop))
        for start, stop in pauses
        if stop
    ]
    kept = work_hours.clipped(kept, times)
    # Forms speak of minutes: seconds within one are no change.
    length = timedelta(seconds=work_hours.total_seconds(kept))
    if abs(length - break_length) < timedelta(minutes=1):
        return _as_json(kept)
    return _as_json(work_hours.middle_pause(times.start, times.end, break_length))


def _as_json(pauses: list[Span]) -> list[list[str]]:
    return [[pause.start.isoformat(), pause.end.isoformat()] for pause in pauses]


_CORRECTION = (
    "corrected_started_at",
    "corrected_ended_at",
    "corrected_pauses",
    "correction_reason",
    "corrected_at",
)


def _correction(session: WorkSession) -> dict[str, object]:
    values = {name: getattr(session, name) for name in _CORRECTION}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def _save_correction(
    session: WorkSession, verb: str, reason: str, was: dict[str, object]
) -> None:
    session.save(update_fields=_CORRECTION)
    # The reasons of earlier corrections are in their own events.
    was.pop("correction_reason")
    record_session(
        session,
        session.person,
        verb,
        why=reason,
        fields=_correction(session),
        was=was,
    )
