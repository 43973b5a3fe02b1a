"""Judging pairs."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.judgement_rules import Findings, check_judgement
from annotation.models import (
    Draft,
    Guideline,
    Judgement,
    JudgementVersion,
    Pair,
    Rationale,
    Stage,
)
from annotation.seconds import Seconds as Seconds
from annotation.services.drafts import drop_draft
from annotation.services.guidelines import accepted_guideline
from annotation.services.pairs import lock_pair
from annotation.services.settling import settle_pair
from annotation.services.slots import drop_expired, drop_leases, require_slot
from annotation.services.suggestions import suggestion_columns
from corpus import records
from corpus.events import column_values, record_event
from corpus.exceptions import AlreadySentError, DomainError, StaleStateError
from corpus.models import User
from corpus.records import Label
from corpus.transitions import change_state


@dataclass(frozen=True, slots=True)
class Answer:
    """A judgement as it comes from the form."""

    label: Label
    rationales: tuple[records.Rationale, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """When an answer was given, and under which guideline, if that was earlier."""

    guideline: Guideline | None
    at: datetime


@transaction.atomic
def submit_judgement(
    *,
    pair: Pair,
    annotator: User,
    answer: Answer,
    submission_key: uuid.UUID,
    seconds: Seconds | None = None,
    seen: Seen | None = None,
    taken: Collection[str] = (),
) -> Judgement:
    """Submit the first version of an annotator's judgement of a pair.

    ``taken`` names the parts of a suggestion that the annotator took over by a key:
    "label", "sentences". The same form sent twice gives the same judgement. The pair
    leaves the queue when all its slots are taken.
    """
    if already := _judgement_sent(submission_key, answer, pair, annotator):
        return already
    pair = lock_pair(pair)
    if pair.state != Pair.State.OPEN:
        raise StaleStateError("This pair has been judged in the meantime.")
    mine = pair.judgements.filter(annotator=annotator)
    if mine.exclude(state=Judgement.State.WITHDRAWN).exists():
        raise DomainError("You have judged this pair already.")
    if not pair.document.has_abstract:
        raise DomainError("This abstract has no text yet, so nobody can judge it.")
    require_sound(pair, answer)
    seen = seen or Seen(accepted_guideline(pair.project, annotator), timezone.now())
    judgement = _create_judgement(
        pair, annotator, answer, seconds or Seconds(), seen, taken
    )
    write_version(judgement, annotator, answer, submission_key)
    record_judgement(judgement, annotator, "submit", fields=judgement_fields(judgement))
    drop_leases(stage=Stage.VERIFY, item_id=pair.pk, person=annotator)
    drop_expired(stage=Stage.VERIFY, item_id=pair.pk)
    settle_pair(pair, annotator)
    drop_draft(user=annotator, kind=Draft.Kind.VERIFY, item_id=pair.pk)
    return judgement


def _judgement_sent(
    key: uuid.UUID, answer: Answer, pair: Pair, author: User
) -> Judgement | None:
    """Return what the form with this key has made; ``None`` if it is new.

    ``AlreadySentError`` if that was another answer, or one to another pair: the second
    form would be lost, and the annotator told that all is well.
    """
    version = (
        JudgementVersion.objects.filter(submission_key=key)
        .select_related("judgement")
        .first()
    )
    if version is None:
        return None
    is_here = (version.judgement.pair_id, version.author_id) == (pair.pk, author.pk)
    if not is_here or (version.label, version.rationales) != _version_values(answer):
        raise AlreadySentError
    if version.judgement.state == Judgement.State.WITHDRAWN:
        raise StaleStateError("You have taken this answer back. Submit it again.")
    return version.judgement


def _version_values(answer: Answer) -> tuple[str, list[dict[str, list[Any]]]]:
    return answer.label.value, rationales_of(answer)


def plain_rationales(
    rationales: Iterable[records.Rationale],
) -> list[dict[str, list[Any]]]:
    """Return rationales as plain values."""
    return [
        {"sentences": list(r.sentences), "roles": [role.value for role in r.roles]}
        for r in rationales
    ]


def rationales_of(answer: Answer) -> list[dict[str, list[Any]]]:
    """Return the rationales of an answer as plain values."""
    return plain_rationales(answer.rationales)


def answer_from(label: Label, rationales: list[dict[str, list[Any]]]) -> Answer:
    """Return the answer that ``rationales_of`` has written."""
    return Answer(
        label,
        tuple(
            records.Rationale(
                tuple(r["sentences"]),
                tuple(records.SentenceRole(x) for x in r["roles"]),
            )
            for r in rationales
        ),
    )


def examine(pair: Pair, answer: Answer) -> Findings:
    """Say what is wrong with an answer, and what is only unusual."""
    return check_judgement(
        answer.label,
        answer.rationales,
        sentence_count=len(pair.document.sentences),
        rules=pair.project.rules,
        labels=pair.project.labels,
    )


def require_sound(pair: Pair, answer: Answer) -> None:
    """Refuse an answer that breaks the rules of the project."""
    errors = examine(pair, answer).errors
    if errors:
        raise DomainError(" ".join(errors))


def _create_judgement(
    pair: Pair,
    annotator: User,
    answer: Answer,
    seconds: Seconds,
    seen: Seen,
    taken: Collection[str],
) -> Judgement:
    """Save an answer in a free slot; a re-annotation waits for no review."""
    rules = pair.project.rules
    slot = require_slot(
        stage=Stage.VERIFY,
        item_id=pair.pk,
        person=annotator,
        need=pair.judgements_needed(rules),
    )
    is_reviewed = slot < rules.judgements_per_pair
    return Judgement.objects.create(
        pair=pair,
        annotator=annotator,
        slot=slot,
        state=Judgement.State.SUBMITTED if is_reviewed else Judgement.State.UNREVIEWED,
        label=answer.label.value,
        claim_version=pair.claim.versions.get(number=pair.claim.version),
        document_hash=pair.document.content_hash,
        guideline=seen.guideline,
        active_seconds=seconds.active,
        elapsed_seconds=seconds.elapsed,
        submitted_at=seen.at,
        **suggestion_columns(
            pair,
            annotator,
            slot,
            label=answer.label.value,
            sentences={n for r in answer.rationales for n in r.sentences},
            taken=taken,
        ),
    )


def judgement_fields(judgement: Judgement) -> dict[str, object]:
    """Return every column of a judgement, and its rationales, for an event."""
    return {**column_values(judgement), **answer_fields(judgement)}


def current_answer(judgement: Judgement) -> Answer:
    """Return the current label and rationales as an answer."""
    return Answer(
        Label(judgement.label),
        tuple(
            records.Rationale(
                tuple(r.sentences), tuple(records.SentenceRole(x) for x in r.roles)
            )
            for r in judgement.rationales.order_by("ordinal")
        ),
    )


def answer_fields(judgement: Judgement) -> dict[str, object]:
    """Return what a new answer changed, for its event."""
    return {
        "label": str(judgement.label),
        "version": judgement.version,
        "submitted_at": judgement.submitted_at.isoformat(),
        "rationales": [
            {"sentences": r.sentences, "roles": r.roles}
            for r in judgement.rationales.order_by("ordinal")
        ],
    }


def restore_answer(judgement: Judgement, version: JudgementVersion) -> None:
    """Make an earlier answer the current one; what came after it goes.

    Only for an answer that was taken back by whoever gave it: its event keeps it.
    The caller has locked the pair.
    """
    judgement.versions.filter(number__gt=version.number).delete()
    values = {"label": version.label, "version": version.number}
    Judgement.objects.filter(pk=judgement.pk).update(**values)
    for name, value in values.items():
        setattr(judgement, name, value)
    Rationale.objects.filter(judgement=judgement).delete()
    Rationale.objects.bulk_create(
        Rationale(
            judgement=judgement,
            ordinal=ordinal,
            sentences=rationale["sentences"],
            roles=rationale["roles"],
        )
        for ordinal, rationale in enumerate(version.rationales)
    )


def write_version(
    judgement: Judgement,
    author: User,
    answer: Answer,
    submission_key: uuid.UUID | None,
) -> None:
    """Keep an answer as a version, and make its rationales the current ones."""
    Rationale.objects.filter(judgement=judgement).delete()
    Rationale.objects.bulk_create(
        Rationale(
            judgement=judgement,
            ordinal=ordinal,
            sentences=list(rationale.sentences),
            roles=[role.value for role in rationale.roles],
        )
        for ordinal, rationale in enumerate(answer.rationales)
    )
    label, rationales = _version_values(answer)
    JudgementVersion.objects.create(
        judgement=judgement,
        number=judgement.version,
        label=label,
        rationales=rationales,
        author=author,
        submission_key=submission_key,
    )


def record_judgement(
    judgement: Judgement,
    actor: User,
    verb: str,
    *,
    old: str = "",
    why: str = "",
    fields: dict[str, object] | None = None,
) -> None:
    """Write the event of a change of a judgement."""
    record_event(
        noun="judgement",
        obj=judgement,
        verb=verb,
        actor=actor,
        project_id=judgement.pair.project_id,
        from_state=old,
        to_state=judgement.state,
        why=why,
        fields=fields,
    )


@transaction.atomic
def revise_judgement(
    *,
    judgement: Judgement,
    annotator: User,
    answer: Answer,
    expected_version: int,
    submission_key: uuid.UUID,
) -> Judgement:
    """Answer requested changes with a new version, which waits for review."""
    if _judgement_sent(submission_key, answer, judgement.pair, annotator):
        return judgement
    pair = lock_pair(judgement.pair)
    judgement.refresh_from_db(fields=["state", "version"])
    require_judgement_version(judgement, expected_version)
    require_sound(pair, answer)
    old = change_state(
        judgement,
        from_states={Judgement.State.CHANGES_REQUESTED},
        to_state=Judgement.State.SUBMITTED,
        submitted_at=timezone.now(),
    )
    replace_answer(judgement, annotator, answer, submission_key)
    record_judgement(
        judgement, annotator, "revise", old=old, fields=answer_fields(judgement)
    )
    settle_pair(pair, annotator)
    drop_draft(user=annotator, kind=Draft.Kind.REVISE_JUDGEMENT, item_id=judgement.pk)
    return judgement


def replace_answer(
    judgement: Judgement, author: User, answer: Answer, key: uuid.UUID | None
) -> None:
    """Keep a new answer as the current version; the old one stays readable."""
    values = {"label": answer.label.value, "version": judgement.version + 1}
    changed = Judgement.objects.filter(
        pk=judgement.pk, version=judgement.version
    ).update(**values)
    if changed != 1:
        raise StaleStateError("Somebody else changed this judgement in the meantime.")
    for name, value in values.items():
        setattr(judgement, name, value)
    write_version(judgement, author, answer, key)


def require_judgement_version(judgement: Judgement, expected_version: int) -> None:
    """Refuse a decision on a version that is no longer the current one."""
    if judgement.version != expected_version:
        raise StaleStateError(
            "This judgement has a newer version than the one you saw. Read it again."
        )
