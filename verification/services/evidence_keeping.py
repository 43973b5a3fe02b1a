"""Keeping an answer under a permalink, and marking its evidence plausible or not."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from corpus.events import record_event
from corpus.exceptions import DomainError
from corpus.models import User
from verification.evidence import Answer
from verification.models import UNKEPT_FOR, FactCheck, Plausibility
from verification.services.evidence_limits import has_permalinks_left

State = FactCheck.State


@transaction.atomic
def keep_check(*, check: FactCheck, actor: User | None) -> FactCheck:
    """Keep an answer for good; twice changes nothing."""
    now = timezone.now()
    if check.kept_at is not None:
        return check
    if not has_permalinks_left(check, now):
        raise DomainError(
            "You have kept as many answers today as one may. Download this one, or "
            "keep it tomorrow: ask it again then."
        )
    rows = FactCheck.objects.filter(pk=check.pk, kept_at=None, state=State.DONE)
    if rows.filter(asked_at__gt=now - UNKEPT_FOR).update(kept_at=now):
        check.kept_at = now
        _record(check, "keep", actor, {"kept_at": now.isoformat()})
        return check
    return _kept_by_another(check)


def _kept_by_another(check: FactCheck) -> FactCheck:
    current = FactCheck.objects.filter(pk=check.pk).first()
    if current is not None and current.kept_at is not None:
        return current
    if current is not None and current.state != State.DONE:
        raise DomainError("Only a whole answer can be kept. Wait until it is there.")
    raise DomainError("This answer is gone: it was not kept in time. Ask again.")


@transaction.atomic
def release_check(*, check: FactCheck, actor: User | None) -> None:
    """Take a permalink back, as long as nobody can have relied on it.

    That is for the hour in which the answer would be there anyway, and until an
    expert has marked it. What somebody asked with an account is theirs to take back.
    """
    if not check.is_asked_by(actor):
        raise DomainError("Only whoever asked this claim can take its answer back.")
    kept = FactCheck.objects.filter(pk=check.pk, batch=None, plausibilities=None)
    kept = kept.filter(kept_at__isnull=False, asked_at__gt=timezone.now() - UNKEPT_FOR)
    if not FactCheck.objects.filter(pk__in=kept.values("pk")).update(kept_at=None):
        raise DomainError("This answer can no longer be taken back.")
    _record(check, "release", actor, {"kept_at": None})


@transaction.atomic
def mark_abstract(
    *, check: FactCheck, document: str, rater: User, is_plausible: bool | None
) -> None:
    """Keep whether an expert finds the evidence plausible; ``None`` takes it back."""
    _require_evidence(_locked(check), document)
    key: dict[str, Any] = {"check_of": check, "document": document, "rater": rater}
    earlier = Plausibility.objects.filter(**key).first()
    if is_plausible is None:
        Plausibility.objects.filter(**key).delete()
    else:
        Plausibility.objects.update_or_create(
            **key, defaults={"is_plausible": is_plausible}
        )
    record_event(
        noun="fact_check",
        obj=check,
        verb="mark_plausible",
        actor=rater,
        fields={"document": document, "is_plausible": is_plausible},
        was={"is_plausible": earlier.is_plausible if earlier else None},
    )


def _locked(check: FactCheck) -> FactCheck:
    """Return the check as it stands: nobody takes it back while it is being marked."""
    current = FactCheck.objects.select_for_update().filter(pk=check.pk).first()
    if current is None:
        raise DomainError("This answer is gone: it was not kept in time.")
    return current


def _require_evidence(check: FactCheck, document: str) -> None:
    if check.kept_at is None:
        raise DomainError("Keep this answer first: only kept answers are marked.")
    answer = Answer.from_json(check.result)
    evidence = {found.document for found in answer.abstracts if found.is_evidence}
    if check.state != State.DONE or document not in evidence:
        raise DomainError("This abstract is no evidence in this answer.")


def _record(
    check: FactCheck, verb: str, actor: User | None, fields: dict[str, Any]
) -> None:
    record_event(noun="fact_check", obj=check, verb=verb, actor=actor, fields=fields)
