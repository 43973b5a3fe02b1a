"""Sources: what waits for its claims in a project."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from annotation.models import Draft, Project, Source, Stage
from annotation.protocols import SourceKind
from annotation.services.drafts import drop_draft
from annotation.services.slots import finish_item
from corpus.bulk import insert_rows
from corpus.events import column_values, new_event, record_event
from corpus.exceptions import DomainError
from corpus.models import Citance, Event, User
from corpus.transitions import change_state


@transaction.atomic
def add_sources(*, project: Project, actor: User | None) -> int:
    """Add an open source for each citance of the corpus that the project lacks.

    Returns how many were added: 0 on a second call, and for projects whose claims
    come from questions.
    """
    if project.rules.source is SourceKind.QUESTION:
        return 0
    # Two imports at once must not give two sources one position.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    missing = (
        Citance.objects.filter(corpus=project.corpus)
        .exclude(sources__project=project)
        .order_by("passage__article__position", "passage__ordinal", "start")
        .values_list("pk", flat=True)
    )
    last = project.sources.aggregate(last=Max("position"))["last"] or 0
    sources = [
        Source(project=project, citance_id=pk, position=position)
        for position, pk in enumerate(missing, start=last + 1)
    ]
    insert_rows(sources)
    insert_rows(_created(source, actor) for source in sources)
    return len(sources)


def _created(source: Source, actor: User | None) -> Event:
    return new_event(
        noun="source",
        obj=source,
        verb="add",
        actor=actor,
        project_id=source.project_id,
        to_state=source.state,
        fields=column_values(source),
    )


@transaction.atomic
def skip_source(*, source: Source, actor: User, reason: str) -> Source:
    """Put a source aside with a reason."""
    if not reason.strip():
        raise DomainError("Say why this one is skipped.")
    return _close(source, actor, Source.State.SKIPPED, "skip", reason.strip())


@transaction.atomic
def reopen_source(*, source: Source, actor: User) -> Source:
    """Bring a skipped source back into the queue."""
    old = change_state(
        source,
        from_states={Source.State.SKIPPED},
        to_state=Source.State.OPEN,
        closed_by=None,
    )
    _record(source, actor, old, "reopen")
    return source


def take_up_source(*, source: Source, actor: User) -> Source:
    """Open a source again whose claims were taken back; in the caller's transaction."""
    old = change_state(
        source,
        from_states={Source.State.DONE},
        to_state=Source.State.OPEN,
        closed_by=None,
    )
    _record(source, actor, old, "take_up")
    return source


def finish_source(*, source: Source, actor: User) -> Source:
    """Close a source whose claims are written; the caller is in a transaction."""
    return _close(source, actor, Source.State.DONE, "finish", "")


def _close(
    source: Source, actor: User, state: Source.State, verb: str, why: str
) -> Source:
    old = change_state(
        source, from_states={Source.State.OPEN}, to_state=state, closed_by=actor
    )
    finish_item(stage=Stage.WRITE, item_id=source.pk, person=actor)
    drop_draft(user=actor, kind=Draft.Kind.WRITE, item_id=source.pk)
    _record(source, actor, old, verb, why)
    return source


def _record(source: Source, actor: User, old: str, verb: str, why: str = "") -> None:
    record_event(
        noun="source",
        obj=source,
        verb=verb,
        actor=actor,
        project_id=source.project_id,
        from_state=old,
        to_state=source.state,
        why=why,
        fields={"closed_by_id": source.closed_by_id},
    )
