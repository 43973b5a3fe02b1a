"""Writing claims and answering requested changes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Model

from annotation.models import (
    Claim,
    ClaimVersion,
    Project,
    Source,
)
from annotation.negation_triggers import new_triggers, trigger_names
from annotation.services.sources import finish_source
from corpus.events import column_values, record_event
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import User
from corpus.records import ClaimKind
from corpus.text import normalise_newlines, text_key
from corpus.transitions import change_state

MAX_CLAIM_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim as it comes from the form."""

    text: str
    kind: ClaimKind


def clean_text(text: str) -> str:
    """Return a claim's text as it is kept; ``DomainError`` if it cannot be."""
    cleaned = _as_kept(text)
    if not cleaned:
        raise DomainError("Write the claim first.")
    if len(cleaned) > MAX_CLAIM_LENGTH:
        raise DomainError(f"A claim has at most {MAX_CLAIM_LENGTH} characters.")
    if "\x00" in cleaned:
        raise DomainError("The claim contains a NUL character.")
    return cleaned


def next_claim_numbers(project: Project, count: int) -> range:
    """Reserve ``count`` claim numbers; the caller is in a transaction."""
    Project.objects.filter(pk=project.pk).update(
        claim_counter=F("claim_counter") + count
    )
    last = Project.objects.values_list("claim_counter", flat=True).get(pk=project.pk)
    return range(last - count + 1, last + 1)


@transaction.atomic
def write_claims(
    *, source: Source, author: User, drafts: Sequence[Draft], submission_key: uuid.UUID
) -> list[Claim]:
    """Submit all claims written from one source, and close the source.

    The same form sent twice (one ``submission_key``) gives the same claims once.
    """
    limit = source.project.rules.claims_per_source
    keys = [uuid.uuid5(submission_key, str(i)) for i in range(limit)]
    texts = [draft.text for draft in drafts]
    if already := claims_sent(keys, texts, author=author, claim__source=source):
        return already
    if not 1 <= len(drafts) <= limit:
        raise DomainError(f"Write between 1 and {limit} claims.")
    texts = [clean_text(text) for text in texts]
    if len({text_key(text) for text in texts}) != len(texts):
        raise DomainError("Two of these claims say the same.")
    finish_source(source=source, actor=author)
    return [
        create_claim(
            project=source.project,
            source=source,
            author=author,
            draft=Draft(text, draft.kind),
            submission_key=key,
        )
        for draft, text, key in zip(drafts, texts, keys, strict=False)
    ]


def claims_sent(
    keys: Sequence[uuid.UUID], texts: Sequence[str], **about: Model
) -> list[Claim]:
    """Return the claims that the form with these keys has written; none if it is new.

    ``about`` says whose form it is, and of which item. ``AlreadySentError`` if that
    was another one, or had other texts: the second form would be lost, and its writer
    told that all is well.
    """
    versions = ClaimVersion.objects.filter(submission_key__in=keys)
    sent = list(versions.select_related("claim").order_by("claim__position"))
    if not sent:
        return []
    is_here = versions.filter(**about).count() == len(sent)
    if not is_here or [v.text for v in sent] != [_as_kept(text) for text in texts]:
        raise AlreadySentError
    written = [version.claim for version in sent]
    if any(claim.state == Claim.State.WITHDRAWN for claim in written):
        raise StaleStateError(
            "You took this back after you had sent it. Open it again to send it anew."
        )
    return written


def _as_kept(text: str) -> str:
    return normalise_newlines(text).strip()


def create_claim(
    *,
    project: Project,
    source: Source | None,
    author: User,
    draft: Draft,
    submission_key: uuid.UUID | None,
    negates: Claim | None = None,
    why: str = "",
) -> Claim:
    """Create a submitted claim with its first version; the caller has checked it."""
    (number,) = next_claim_numbers(project, 1)
    claim = Claim(
        project=project,
        external_id=str(number),
        external_id_is_int=True,
        position=number,
        kind=draft.kind.value,
        source=source,
        author=author,
        negates=negates,
        state=Claim.State.SUBMITTED,
        text=draft.text,
        text_key=text_key(draft.text),
    )
    if negates is not None:
        claim.family = negates.family
    claim.save(force_insert=True)
    ClaimVersion.objects.create(
        claim=claim,
        number=1,
        text=draft.text,
        author=author,
        submission_key=submission_key,
    )
    record_event(
        noun="claim",
        obj=claim,
        verb="negate" if negates else "write",
        actor=author,
        project_id=project.pk,
        to_state=claim.state,
        why=why,
        fields=column_values(claim),
    )
    return claim


@transaction.atomic
def revise_claim(
    *,
    claim: Claim,
    author: User,
    text: str,
    expected_version: int,
    submission_key: uuid.UUID,
    trigger_reason: str = "",
) -> Claim:
    """Answer requested changes with a new version, which waits for proofreading.

    A negation that uses a negation word which its original does not have needs the
    ``trigger_reason``, as when it was first written.
    """
    if claims_sent([submission_key], [text], author=author, claim=claim):
        return claim
    require_claim_version(claim, expected_version)
    if claim.negates is not None:
        require_trigger_reason(claim.negates.text, text, trigger_reason)
    old = change_state(
        claim,
        from_states={Claim.State.CHANGES_REQUESTED},
        to_state=Claim.State.SUBMITTED,
    )
    add_claim_version(claim, author, clean_text(text), submission_key)
    record_claim(
        claim,
        author,
        old,
        "revise",
        why=trigger_reason.strip(),
        fields=version_fields(claim),
    )
    return claim


def require_trigger_reason(original: str, negation: str, reason: str) -> None:
    """Refuse new trigger words for which the writer gives no reason."""
    if reason.strip():
        return
    if names := trigger_names(new_triggers(original, _as_kept(negation))):
        words = ", ".join(f"“{name}”" for name in names)
        raise DomainError(
            f"The original does not say {words}. Negate it without, or say why the "
            "word is needed."
        )


def require_claim_version(claim: Claim, expected_version: int) -> None:
    """Refuse an answer to a version that is no longer the current one.

    Locks the claim, so that decisions on it are taken one after the other.
    """
    current = Claim.objects.select_for_update().only("version").get(pk=claim.pk)
    if not current.version == claim.version == expected_version:
        raise StaleStateError(
            "This claim has a newer version than the one you saw. Read it again."
        )


def add_claim_version(
    claim: Claim, author: User, text: str, submission_key: uuid.UUID | None
) -> None:
    """Keep a new wording; ``StaleStateError`` if somebody was faster."""
    number = claim.version + 1
    values = {"text": text, "text_key": text_key(text), "version": number}
    changed = Claim.objects.filter(pk=claim.pk, version=claim.version).update(**values)
    if changed != 1:
        raise StaleStateError("Somebody else changed this claim in the meantime.")
    for name, value in values.items():
        setattr(claim, name, value)
    ClaimVersion.objects.create(
        claim=claim,
        number=number,
        text=text,
        author=author,
        submission_key=submission_key,
    )


def restore_claim_version(claim: Claim, number: int) -> dict[str, object]:
    """Make an earlier wording the current one; what came after it goes.

    Only for a wording that was taken back by whoever wrote it: its event keeps it.
    The caller has locked the claim. Returns what changed, for its event.
    """
    claim.versions.filter(number__gt=number).delete()
    text = claim.versions.get(number=number).text
    values = {"text": text, "text_key": text_key(text), "version": number}
    Claim.objects.filter(pk=claim.pk).update(**values)
    for name, value in values.items():
        setattr(claim, name, value)
    return version_fields(claim)


def version_fields(claim: Claim) -> dict[str, object]:
    """Return what a new wording changed, for its event."""
    return {
        "text": claim.text,
        "text_key": claim.text_key,
        "version": claim.version,
    }


def record_claim(
    claim: Claim,
    actor: User,
    old: str,
    verb: str,
    *,
    why: str = "",
    fields: dict[str, object] | None = None,
) -> None:
    """Write the event of a claim's change of state."""
    record_event(
        noun="claim",
        obj=claim,
        verb=verb,
        actor=actor,
        project_id=claim.project_id,
        from_state=old,
        to_state=claim.state,
        why=why,
        fields=fields,
    )
