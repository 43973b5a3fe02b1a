"""What people do with their submissions: upload, submit, publish, withdraw."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.files import discard_file, store_upload
from corpus.models import StoredFile, User
from verification.deadlines import clock_time
from verification.models import Phase, Submission, Team
from verification.services.quota import QuotaExhaustedError, take_places
from verification.services.scoring import queue_for_scoring, start_check
from verification.services.ties import start_comparing

State = Submission.State
Standing = Submission.Standing
UPLOADS_A_DAY = 100
NOT_OPEN = "This phase takes no submissions now."


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the submitter says about a system."""

    system: str
    description: str = ""
    paper_url: str = ""
    code_url: str = ""
    model_size: str = ""
    external_data: str = ""
    setting: str = "open"


def receive(
    *,
    phase: Phase,
    submitter: User,
    upload: UploadedFile[Any],
    team: Team | None = None,
    metadata: Metadata | None = None,
) -> Submission:
    """Keep an upload and begin its dry run; nothing of the quota is taken.

    With ``metadata`` it is submitted in the same go: a place in the quota is taken at
    once (``QuotaExhaustedError`` without one, and nothing is kept), the scoring
    follows the check by itself, and errors give the place back. Not to be called
    inside a transaction: the file is stored first.
    """
    now = timezone.now()
    _require_open(phase, now)
    _require_member(team, submitter)
    _require_uploads_left(submitter, now)
    stored = store_upload(upload=upload, owner=submitter)
    try:
        return _keep(phase, submitter, team, stored, metadata)
    except QuotaExhaustedError:
        discard_file(stored=stored)
        raise


@transaction.atomic
def _keep(
    phase: Phase,
    submitter: User,
    team: Team | None,
    stored: StoredFile,
    metadata: Metadata | None,
) -> Submission:
    submission = Submission.objects.create(
        phase=phase, submitter=submitter, team=team, file=stored
    )
    _record(submission, "receive", submitter, fields=column_values(submission))
    if metadata is not None:
        _take_place(submission, submitter, metadata, timezone.now())
    start_check(submission=submission)
    return submission


@transaction.atomic
def submit(*, submission: Submission, actor: User, metadata: Metadata) -> Submission:
    """Take a place in the quota and have the checked upload scored.

    ``QuotaExhaustedError`` without a free place. Doing it twice changes nothing.
    """
    submission = _locked(submission)
    if submission.is_submitted:
        return submission
    now = timezone.now()
    if submission.state != State.RECEIVED:
        words = submission.get_state_display()
        raise StaleStateError(f"This upload is {words}: it cannot be submitted.")
    if not submission.is_checked:
        raise DomainError("The file is still being checked. Submit it afterwards.")
    _require_open(submission.phase, now)
    _take_place(submission, actor, metadata, now)
    queue_for_scoring(submission=submission)
    return submission


def _take_place(
    submission: Submission, actor: User, metadata: Metadata, now: datetime
) -> None:
    """Take a place in the quota for an upload that is to be scored."""
    take_places(submission=submission, now=now)
    values = asdict(metadata) | {"submitted_at": now}
    _set(submission, values)
    _record(
        submission,
        "submit",
        actor,
        fields=values | {"submitted_at": now.isoformat()},
    )


@transaction.atomic
def publish(*, submission: Submission, actor: User, is_anonymous: bool) -> None:
    """Put a scored entry on the board, with the names or without.

    An entry that stands there already can be named, or made anonymous, later.
    """
    submission = _locked(submission)
    if submission.state != State.SCORED:
        raise DomainError("Only a scored submission can be published.")
    _require_qualified(submission)
    _stand(
        submission,
        actor,
        "publish",
        {Standing.PRIVATE, Standing.PUBLISHED},
        Standing.PUBLISHED,
        is_anonymous=is_anonymous,
    )


@transaction.atomic
def withdraw(*, submission: Submission, actor: User) -> None:
    """Take an entry off the board; a tombstone stays where it stood."""
    _stand(
        _locked(submission),
        actor,
        "withdraw",
        {Standing.PUBLISHED},
        Standing.WITHDRAWN,
    )


@transaction.atomic
def put_back(*, submission: Submission, actor: User) -> None:
    """Undo a withdrawal: the entry stands on the board as it did before."""
    _stand(
        _locked(submission),
        actor,
        "put_back",
        {Standing.WITHDRAWN},
        Standing.PUBLISHED,
    )


@transaction.atomic
def disqualify(*, submission: Submission, organiser: User, reason: str) -> None:
    """Take an entry off the board for a reason that everybody reads.

    A private entry stays private, since nobody knows of it, and is never published.
    """
    if not reason.strip():
        raise DomainError("Say why: whoever submitted it reads the reason.")
    submission = _locked(submission)
    _require_qualified(submission)
    is_private = submission.standing == Standing.PRIVATE
    _stand(
        submission,
        organiser,
        "disqualify",
        {Standing.PRIVATE, Standing.PUBLISHED, Standing.WITHDRAWN},
        Standing.PRIVATE if is_private else Standing.DISQUALIFIED,
        reason=reason.strip(),
    )


def _require_qualified(submission: Submission) -> None:
    if submission.is_disqualified:
        raise StaleStateError(
            "This entry is disqualified: it can no longer be changed so."
        )


@transaction.atomic
def describe(*, submission: Submission, actor: User, metadata: Metadata) -> None:
    """Keep or correct what the submitter says about the system.

    The setting stays as it was when the predictions were submitted.
    """
    submission = _locked(submission)
    values = asdict(metadata)
    if submission.submitted_at is not None:
        values["setting"] = submission.setting
    was = {name: getattr(submission, name) for name in values}
    if values == was:
        return
    Submission.objects.filter(pk=submission.pk).update(**values)
    _record(submission, "describe", actor, fields=values, was=was)


def _stand(
    submission: Submission,
    actor: User,
    verb: str,
    allowed: set[Standing],
    standing: Standing,
    **also: Any,
) -> None:
    """Change where an entry stands, if it still stands where it may be changed."""
    if submission.standing not in allowed:
        words = submission.get_standing_display()
        raise StaleStateError(f"This entry is {words}: it can no longer be changed so.")
    was = {"standing": submission.standing}
    values = {"standing": standing.value} | also
    _set(submission, values)
    _record(submission, verb, actor, fields=values, was=was)
    start_comparing(phase=submission.phase, actor=actor)


def _set(submission: Submission, values: dict[str, Any]) -> None:
    """Write values to a locked row, and to what was loaded of it."""
    Submission.objects.filter(pk=submission.pk).update(**values)
    for name, value in values.items():
        setattr(submission, name, value)


def _locked(submission: Submission) -> Submission:
    """Return the row for a change; whoever asks second waits for the first."""
    return (
        Submission.objects.select_for_update(of=("self",))
        .select_related("phase", "submitter", "team")
        .get(pk=submission.pk)
    )


def _require_open(phase: Phase, now: datetime) -> None:
    if phase.is_open(now):
        return
    if phase.closes_at is not None and phase.is_closed(now):
        raise DomainError(
            f"{NOT_OPEN} It closed at {clock_time(phase.closes_at, UTC, 'UTC')}."
        )
    raise DomainError(
        f"{NOT_OPEN} It opens at {clock_time(phase.opens_at, UTC, 'UTC')}."
    )


def _require_uploads_left(person: User, now: datetime) -> None:
    """Dry runs cost nothing of a quota, so that somebody could fill the disk."""
    since = now - timedelta(days=1)
    lately = Submission.objects.filter(submitter=person, received_at__gt=since)
    if lately.count() < UPLOADS_A_DAY:
        return
    oldest = lately.earliest("received_at").received_at
    raise QuotaExhaustedError(
        f"You have uploaded {UPLOADS_A_DAY} files within a day, the limit for all "
        "benchmarks together. Check files with the scorer on your own machine.",
        oldest + timedelta(days=1),
    )


def _require_member(team: Team | None, person: User) -> None:
    if team is not None and not team.members.filter(pk=person.pk).exists():
        raise DomainError("You are not a member of this team.")


def _record(submission: Submission, verb: str, actor: User, **values: Any) -> None:
    record_event(noun="submission", obj=submission, verb=verb, actor=actor, **values)
