"""Personal flags: what somebody wants to come back to. They have no events."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.models import Flag, Pair
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.text import bad_character, normalise_newlines

LONGEST_NOTE = 500


@transaction.atomic
def flag_pair(*, user: User, pair: Pair, note: str) -> Flag:
    """Flag a pair, or change the note of its flag; a settled flag is open again."""
    note = normalise_newlines(note).strip()
    if len(note) > LONGEST_NOTE:
        raise DomainError(f"A note has at most {LONGEST_NOTE} characters.")
    if problem := bad_character(note):
        raise DomainError(f"A note cannot hold {problem[1]}.")
    flag, _ = Flag.objects.update_or_create(
        user=user,
        pair=pair,
        defaults={"project_id": pair.project_id, "note": note, "resolved_at": None},
    )
    return flag


@transaction.atomic
def settle_flag(*, flag: Flag, is_settled: bool) -> Flag:
    """Mark a flag as settled, or open it again."""
    flag.resolved_at = timezone.now() if is_settled else None
    flag.save(update_fields=["resolved_at"])
    return flag
