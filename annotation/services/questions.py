"""Research questions of collaborative reviews, and the studies that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from annotation.models import Project, Question, Source, Study
from corpus.events import column_values, new_event, record_event
from corpus.exceptions import DomainError
from corpus.models import Document, Event, User
from corpus.records import Label
from corpus.text import text_key


@dataclass(frozen=True, slots=True)
class StudyInput:
    """An abstract that answers the question: its finding, and its label if known."""

    document: Document
    finding: str = ""
    label: Label | None = None


@transaction.atomic
def add_question(
    *,
    project: Project,
    question: Question,
    studies: Sequence[StudyInput],
    actor: User | None,
) -> Source:
    """Add a question with its studies; it waits for its hypothesis at once.

    ``question`` is unsaved. The same review, chapter and text twice is refused.
    """
    question.project = project
    question.key = text_key(question.review, question.chapter, question.text)
    if project.questions.filter(key=question.key).exists():
        raise DomainError("This project has this question already.")
    question.save(force_insert=True)
    _record(question, project, actor)
    rows = Study.objects.bulk_create(
        Study(
            question=question,
            document=study.document,
            ordinal=ordinal,
            finding=study.finding,
            label=study.label.value if study.label else "",
        )
        for ordinal, study in enumerate(studies)
    )
    Event.objects.bulk_create(
        new_event(
            noun="study",
            obj=row,
            verb="add",
            actor=actor,
            project_id=project.pk,
            fields=column_values(row),
        )
        for row in rows
    )
    return _add_source(project, question, actor)


def _add_source(project: Project, question: Question, actor: User | None) -> Source:
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    last = project.sources.aggregate(last=Max("position"))["last"] or 0
    source = Source.objects.create(
        project=project, question=question, position=last + 1
    )
    record_event(
        noun="source",
        obj=source,
        verb="add",
        actor=actor,
        project_id=project.pk,
        to_state=source.state,
        fields=column_values(source),
    )
    return source


def _record(question: Question, project: Project, actor: User | None) -> None:
    record_event(
        noun="question",
        obj=question,
        verb="add",
        actor=actor,
        project_id=project.pk,
        fields=column_values(question),
    )
