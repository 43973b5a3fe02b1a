"""Changing what a project knows of questions and their studies, and taking over labels.

An expert's label of a study stands beside the question until somebody takes it over:
then it becomes a judgement without an annotator, as gold from a file does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import (
    Claim,
    ClaimCitation,
    Judgement,
    Pair,
    Project,
    Question,
    Study,
    Verdict,
)
from annotation.services.claim_rows import answer_values, write_answers
from annotation.services.pairs import pair_created, record_pair
from annotation.services.questions import StudyInput
from corpus import records
from corpus.events import column_values, new_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from corpus.records import Label
from corpus.text import normalise_newlines
from corpus.transitions import change_state


@dataclass(frozen=True, slots=True)
class StudyChange:
    """New values of a study, and the ones that the person saw."""

    study: Study
    finding: str
    label: str


@transaction.atomic
def change_question(
    *, question: Question, rule: str, changes: Iterable[StudyChange], actor: User
) -> bool:
    """Change a question's rule and studies together; whether anything changed."""
    has_new_rule = change_rule(question=question, rule=rule, actor=actor)
    return bool(change_studies(changes=changes, actor=actor)) or has_new_rule


@transaction.atomic
def change_rule(*, question: Question, rule: str, actor: User) -> bool:
    """Give a question another rule for null results; whether that changed anything.

    ``StaleStateError`` if somebody else changed it since it was loaded.
    """
    rule = normalise_newlines(rule).strip()
    old = question.null_result_rule
    if rule == old:
        return False
    rows = Question.objects.filter(pk=question.pk, null_result_rule=old)
    if not rows.update(null_result_rule=rule):
        raise StaleStateError("Somebody else changed this rule in the meantime.")
    question.null_result_rule = rule
    event = _changed("question", question, question.project_id, actor)
    event.payload = {
        "set": {"null_result_rule": rule},
        "was": {"null_result_rule": old},
    }
    event.save(force_insert=True)
    return True


@transaction.atomic
def change_studies(*, changes: Iterable[StudyChange], actor: User) -> int:
    """Give studies other findings or labels; returns how many really changed.

    All or nothing. ``StaleStateError`` if somebody else changed one of them since it
    was loaded. A label that was taken over stands: a judgement rests on it.
    """
    events = []
    for change in changes:
        study = change.study
        finding = normalise_newlines(change.finding).strip()
        new = {"finding": finding, "label": change.label}
        old = {"finding": study.finding, "label": study.label}
        if new == old:
            continue
        if new["label"] != old["label"]:
            _check_label(study, change.label)
        if not Study.objects.filter(pk=study.pk, **old).update(**new):
            raise StaleStateError("Somebody else changed this study in the meantime.")
        study.finding, study.label = new["finding"], new["label"]
        event = _changed("study", study, study.question.project_id, actor)
        event.payload = {"set": new, "was": old}
        events.append(event)
    Event.objects.bulk_create(events)
    return len(events)


def _check_label(study: Study, label: str) -> None:
    offered = {choice.label.value for choice in study.question.project.labels}
    if label and label not in offered:
        raise DomainError("This project does not use that label.")
    if taken_over(Study.objects.filter(pk=study.pk)).exists():
        raise DomainError(
            "The label of this study was taken over as a judgement, so it stays."
        )


def taken_over(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Return the studies on whose label an imported judgement rests."""
    imported = Judgement.objects.filter(
        origin=Judgement.Origin.IMPORT,
        pair__claim__source__question=OuterRef("question"),
        pair__document=OuterRef("document"),
    )
    return studies.filter(Exists(imported))


def _changed(noun: str, obj: Question | Study, project_id: int, actor: User) -> Event:
    return new_event(
        noun=noun, obj=obj, verb="change", actor=actor, project_id=project_id
    )


@transaction.atomic
def add_studies(
    *, question: Question, studies: Sequence[StudyInput], actor: User
) -> list[Study]:
    """Add studies to a question that is there; approved hypotheses get their pairs.

    An abstract that is a study of the question already is refused.
    """
    Project.objects.select_for_update(no_key=True).get(pk=question.project_id)
    known = dict(question.studies.values_list("document_id", "ordinal"))
    new = {study.document.pk: study for study in studies}
    if len(new) != len(studies) or new.keys() & known.keys():
        raise DomainError("An abstract is a study of a question only once.")
    first = max(known.values(), default=-1) + 1
    rows = Study.objects.bulk_create(
        Study(
            question=question,
            document=study.document,
            ordinal=ordinal,
            finding=study.finding,
            label=study.label.value if study.label else "",
        )
        for ordinal, study in enumerate(studies, start=first)
    )
    Event.objects.bulk_create(
        new_event(
            noun="study",
            obj=row,
            verb="add",
            actor=actor,
            project_id=question.project_id,
            fields=column_values(row),
        )
        for row in rows
    )
    approved = Claim.objects.filter(
        source__question=question, state=Claim.State.APPROVED
    )
    for claim in approved.select_for_update():
        _cite(claim, [row.document_id for row in rows], actor)
    return rows


def _cite(claim: Claim, documents: Sequence[int], actor: User) -> None:
    """Let an approved hypothesis cite further studies: their pairs are open at once."""
    cited = list(
        claim.citations.order_by("ordinal").values_list("document_id", flat=True)
    )
    missing = [pk for pk in documents if pk not in cited]
    ClaimCitation.objects.bulk_create(
        ClaimCitation(claim=claim, document_id=pk, ordinal=ordinal)
        for ordinal, pk in enumerate(missing, start=len(cited))
    )
    event = new_event(
        noun="claim",
        obj=claim,
        verb="cite",
        actor=actor,
        project_id=claim.project_id,
        fields={"cited": [*cited, *missing]},
    )
    event.save(force_insert=True)
    here = set(claim.pairs.values_list("document_id", flat=True))
    ordinals = claim.pairs.order_by("-ordinal").values_list("ordinal", flat=True)
    first = next(iter(ordinals), -1) + 1
    pairs = Pair.objects.bulk_create(
        Pair(
            project_id=claim.project_id,
            claim=claim,
            document_id=pk,
            origin=Pair.Origin.CITED,
            ordinal=ordinal,
        )
        for ordinal, pk in enumerate(
            (pk for pk in missing if pk not in here), start=first
        )
    )
    Event.objects.bulk_create(pair_created(pair, actor) for pair in pairs)


def labels_to_take_over(project: Project) -> QuerySet[Pair]:
    """Return the open pairs that nobody has judged but whose study has a label."""
    if project.rules.has_rationales:
        return Pair.objects.none()
    studies = Study.objects.filter(
        question=OuterRef("claim__source__question"), document=OuterRef("document")
    ).exclude(label="")
    judged = Judgement.objects.filter(pair=OuterRef("pk"))
    return project.pairs.filter(
        Exists(studies),
        ~Exists(judged),
        state=Pair.State.OPEN,
        claim__state=Claim.State.APPROVED,
    )


@transaction.atomic
def take_over_labels(*, project: Project, actor: User) -> int:
    """Make the experts' labels judgements that are decided; returns how many.

    Only of pairs that nobody has judged. Such a pair leaves the queue.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    pairs = list(
        labels_to_take_over(project)
        .select_for_update(of=("self",))
        .select_related("claim__source", "document")
        .order_by("pk")
    )
    labels = _labels(pairs)
    now = timezone.now()
    planned = []
    for pair in pairs:
        label = labels[_place(pair)]
        judgement = Judgement(
            pair=pair,
            origin=Judgement.Origin.IMPORT,
            state=Judgement.State.IMPORTED,
            label=label,
            claim_version=pair.claim.versions.get(number=pair.claim.version),
            document_hash=pair.document.content_hash,
            submitted_at=now,
        )
        evidence = records.Evidence(
            records.ExternalId(pair.document.external_id), Label(label)
        )
        planned.append((judgement, evidence))
    judgements = Judgement.objects.bulk_create(judgement for judgement, _ in planned)
    write_answers(planned)
    verdicts = Verdict.objects.bulk_create(
        Verdict(
            pair=judgement.pair,
            judgement=judgement,
            provenance=Verdict.Provenance.IMPORTED,
            decided_by=actor,
            decided_at=now,
        )
        for judgement in judgements
    )
    _record(planned, verdicts, project, actor)
    for pair in pairs:
        old = change_state(
            pair, from_states={Pair.State.OPEN}, to_state=Pair.State.IMPORTED
        )
        record_pair(pair, actor, old, "take_over")
    return len(pairs)


def _place(pair: Pair) -> tuple[int | None, int]:
    source = pair.claim.source
    return source.question_id if source else None, pair.document_id


def _labels(pairs: Iterable[Pair]) -> dict[tuple[int | None, int], str]:
    questions = {question for question, _ in map(_place, pairs) if question}
    rows = Study.objects.filter(question__in=questions).exclude(label="")
    return {
        (question, document): label
        for question, document, label in rows.values_list(
            "question_id", "document_id", "label"
        )
    }


def _record(
    planned: Iterable[tuple[Judgement, records.Evidence]],
    verdicts: Iterable[Verdict],
    project: Project,
    actor: User,
) -> None:
    events = [
        new_event(
            noun="judgement",
            obj=judgement,
            verb="take_over",
            actor=actor,
            project_id=project.pk,
            to_state=judgement.state,
            fields=column_values(judgement) | answer_values(evidence),
        )
        for judgement, evidence in planned
    ]
    events += [
        new_event(
            noun="verdict",
            obj=verdict,
            verb="decide",
            actor=actor,
            project_id=project.pk,
            fields=column_values(verdict),
        )
        for verdict in verdicts
    ]
    Event.objects.bulk_create(events)
