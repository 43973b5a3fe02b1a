"""Creating corpora and projects, and changing what a project is."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from annotation.models import Judgement, Membership, Project, Stage
from annotation.protocols import (
    LabelChoice,
    ProjectSettings,
    Protocol,
    default_labels,
    default_settings,
    labels_from_json,
    labels_to_json,
)
from annotation.services.members import add_member
from annotation.services.sources import add_sources
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Corpus, User
from corpus.models.library import Visibility
from corpus.text import content_key

# Addresses that a project or corpus would hide if it were called so.
RESERVED_SLUGS = frozenset({"new", "import"})
# Within this time, the same new project of the same person is one form sent twice.
SAME_FORM = timedelta(minutes=1)
EDITABLE = ("name", "description", "visibility", "settings", "label_scheme")
ALL_STAGES = [stage.value for stage in Stage]


def free_slug(model: type[Project] | type[Corpus], name: str) -> str:
    """Return an address part for a name that no other row of the model has."""
    base = slugify(name)[:120] or model._meta.model_name or "item"
    taken = set(
        model.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    )
    taken |= RESERVED_SLUGS
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug


@transaction.atomic
def create_corpus(
    *,
    name: str,
    owner: User | None,
    description: str = "",
    visibility: str = Visibility.PRIVATE,
    is_demo: bool = False,
) -> Corpus:
    """Create an empty corpus."""
    corpus = Corpus(
        name=name.strip(),
        slug=free_slug(Corpus, name),
        owner=owner,
        description=description,
        visibility=visibility,
        is_demo=is_demo,
    )
    _insert_named(corpus)
    record_event(
        noun="corpus",
        obj=corpus,
        verb="create",
        actor=owner,
        fields=column_values(corpus),
    )
    return corpus


@transaction.atomic
def create_project(
    *,
    name: str,
    protocol: str,
    corpus: Corpus,
    actor: User | None,
    description: str = "",
    visibility: str = Visibility.PRIVATE,
    is_demo: bool = False,
) -> Project:
    """Create a project from a protocol; ``actor`` becomes its first admin.

    The corpus' citances wait in it at once where claims are written from citances.
    """
    start = Protocol(protocol)
    project = Project(
        name=name.strip(),
        slug=free_slug(Project, name),
        description=description,
        protocol=start.value,
        label_scheme=labels_to_json(default_labels(start)),
        settings=default_settings(start).to_json(),
        corpus=corpus,
        visibility=visibility,
        is_demo=is_demo,
        created_by=actor,
    )
    _insert_named(project)
    record_event(
        noun="project",
        obj=project,
        verb="create",
        actor=actor,
        project_id=project.pk,
        fields=column_values(project),
    )
    if actor is not None:
        add_member(
            project=project,
            user=actor,
            stages=ALL_STAGES,
            actor=actor,
            state=Membership.State.TRUSTED,
        )
    add_sources(project=project, actor=actor)
    return project


def start_project(
    *,
    name: str,
    protocol: str,
    actor: User,
    corpus: Corpus | None,
    new_corpus_name: str = "",
    description: str = "",
    visibility: str = Visibility.PRIVATE,
) -> Project:
    """Create a project, and its corpus where none is given.

    A form that was sent twice gets the project that its first sending created.
    """
    try:
        with transaction.atomic():
            if corpus is None:
                corpus = create_corpus(name=new_corpus_name, owner=actor)
            return create_project(
                name=name,
                protocol=protocol,
                corpus=corpus,
                actor=actor,
                description=description,
                visibility=visibility,
            )
    except DomainError:
        just_made = Project.objects.filter(
            name=name.strip(),
            protocol=protocol,
            created_by=actor,
            created_at__gt=timezone.now() - SAME_FORM,
        ).first()
        if just_made is None:
            raise
        return just_made


def _insert_named(obj: Project | Corpus) -> None:
    """Save a new row; a name that is taken is the person's to change."""
    noun = obj._meta.verbose_name
    if not obj.name:
        raise DomainError(f"The {noun} needs a name.")
    message = f"There is already a {noun} with the name “{obj.name}”."
    if type(obj).objects.filter(name=obj.name).exists():
        raise DomainError(message)
    try:
        with transaction.atomic():
            obj.save(force_insert=True)
    except IntegrityError:
        raise DomainError(message) from None


def settings_key(project: Project) -> str:
    """Return what tells an admin's form that the settings are still the same."""
    values = [getattr(project, field) for field in EDITABLE]
    return content_key(json.dumps(values, sort_keys=True))


@transaction.atomic
def change_project(
    *,
    project: Project,
    actor: User,
    seen: str,
    name: str,
    description: str,
    visibility: str,
    rules: ProjectSettings,
    labels: tuple[LabelChoice, ...],
) -> bool:
    """Give a project new values; one event with from and to if anything changed.

    ``seen`` is the ``settings_key`` that the form was made with: what somebody else
    has changed since is not overwritten. The address stays, so that links work.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if seen != settings_key(project):
        raise StaleStateError(
            "Somebody else has changed these settings in the meantime. Nothing was "
            "saved: open the settings again and repeat your change."
        )
    wanted: dict[str, Any] = {
        "name": name.strip(),
        "description": description,
        "visibility": visibility,
        "settings": _plain(rules.to_json()),
        "label_scheme": labels_to_json(labels_from_json(labels_to_json(labels))),
    }
    old = {field: getattr(project, field) for field in wanted}
    changed = {field: new for field, new in wanted.items() if new != old[field]}
    if not changed:
        return False
    _refuse_taken_name(project, changed.get("name"))
    _keep_used_labels(project, labels)
    for field, value in changed.items():
        setattr(project, field, value)
    project.save(update_fields=list(changed))
    record_event(
        noun="project",
        obj=project,
        verb="change",
        actor=actor,
        project_id=project.pk,
        fields=changed,
        was={field: old[field] for field in changed},
    )
    # Where claims are now written from citances, those of the corpus wait at once.
    add_sources(project=project, actor=actor)
    return True


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings as they come back from the database: lists, no tuples."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
    }


def _refuse_taken_name(project: Project, name: str | None) -> None:
    if name is None:
        return
    if not name:
        raise DomainError("The project needs a name.")
    if Project.objects.filter(name=name).exclude(pk=project.pk).exists():
        raise DomainError(f"There is already a project with the name “{name}”.")


def _keep_used_labels(project: Project, labels: tuple[LabelChoice, ...]) -> None:
    """Refuse to take a label away that judgements have."""
    used = set(
        Judgement.objects.filter(pair__project=project)
        .order_by()
        .values_list("label", flat=True)
        .distinct()
    )
    dropped = {c.label.value for c in project.labels} - {c.label.value for c in labels}
    for label in sorted(used & dropped):
        raise DomainError(
            f"Judgements of this project have the label {label.replace('_', ' ')}: it "
            "needs a word."
        )


@transaction.atomic
def archive_project(*, project: Project, actor: User) -> bool:
    """Put a project away: it stays readable. False if it was archived already."""
    return _set_archived(project, actor, "archive", timezone.now())


@transaction.atomic
def restore_project(*, project: Project, actor: User) -> bool:
    """Take a project out of the archive. False if it was not there."""
    return _set_archived(project, actor, "restore", None)


def _set_archived(project: Project, actor: User, verb: str, at: Any) -> bool:
    """Conditional on the old value, so that two clicks write one event."""
    changed = Project.objects.filter(
        pk=project.pk, archived_at__isnull=at is not None
    ).update(archived_at=at)
    if not changed:
        return False
    project.archived_at = at
    record_event(
        noun="project",
        obj=project,
        verb=verb,
        actor=actor,
        project_id=project.pk,
        fields={"archived_at": at.isoformat() if at else None},
    )
    return True
