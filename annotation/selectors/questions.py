"""The table of questions and studies: who sees which label, filtered and in pages.

Reviewers and admins see the experts' label of each study and what was judged; an
annotator sees the own label only, and only the own hypotheses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.models import Claim, Judgement, Pair, Question, Source, Stage, Study
from annotation.protocols import SourceKind

PAGE_SIZE = 50
DEAD = (Claim.State.REJECTED, Claim.State.RETIRED, Claim.State.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class TableFilter:
    """Which rows a person asked for; empty values ask for all."""

    question: int | None = None
    label: str = ""
    missing: str = ""
    text: str = ""

    @property
    def is_on(self) -> bool:
        """Whether anything is left out."""
        return bool(self.question or self.label or self.missing or self.text)


@dataclass(slots=True)
class StudyRow:
    """A study of a question, and what the reader may know of its label."""

    study: Study
    expert_label: str = ""
    judged: list[str] = field(default_factory=list)
    pair_to_label: Pair | None = None
    fields: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class QuestionGroup:
    """A question with the studies that stand on one page."""

    question: Question
    source: Source | None
    hypotheses: list[Claim] = field(default_factory=list)
    rows: list[StudyRow] = field(default_factory=list)


@dataclass(slots=True)
class TablePage:
    """One page of the table; ``next_after`` is empty at the end."""

    groups: list[QuestionGroup]
    next_after: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much there is, and how much is still missing for this reader."""

    questions: int
    without_hypothesis: int
    studies: int
    without_label: int


Entry = tuple[int, int, Question, Study | None]
"""The place of a row (question, study) and what stands there."""


def questions(access: ProjectAccess) -> QuerySet[Question]:
    """The questions of a project in their order, for members."""
    access.require_member()
    return access.project.questions.filter(source__isnull=False).order_by(
        "source__position"
    )


def studies(access: ProjectAccess) -> QuerySet[Study]:
    """The studies that the user may see; never an abstract that is hidden from them."""
    access.require_member()
    rows = Study.objects.filter(
        question__project=access.project, question__source__isnull=False
    )
    if access.has_oversight:
        return rows
    visible = door.visible_documents(access.account, access.project.corpus)
    return rows.filter(document__in=visible.values("pk"))


def figures(access: ProjectAccess) -> Figures:
    """Count what is there, in the reader's own eyes."""
    asked, seen = questions(access), studies(access)
    return Figures(
        asked.count(),
        asked.filter(source__state=Source.State.OPEN).count(),
        seen.count(),
        _without_label(access, seen).count(),
    )


def study_page(
    access: ProjectAccess, chosen: TableFilter, after: str = "", size: int = PAGE_SIZE
) -> TablePage:
    """Return the rows after a place, grouped by question.

    Questions without studies have a row of their own. A number of queries that does
    not depend on the number of rows.
    """
    start = _place(after)
    entries = sorted(
        [
            *_study_entries(access, chosen, start, size + 1),
            *_bare_entries(access, chosen, start, size + 1),
        ],
        key=lambda entry: entry[:2],
    )
    next_after = ""
    if len(entries) > size:
        entries = entries[:size]
        next_after = f"{entries[-1][0]}.{entries[-1][1]}"
    return TablePage(_groups(access, entries), next_after)


def study_of_pair(pair: Pair) -> Study | None:
    """The study that a pair stands for, with its question; None for other claims."""
    if pair.project.rules.source is not SourceKind.QUESTION:
        return None
    rows = Study.objects.filter(
        question__source__claims=pair.claim_id, document=pair.document_id
    )
    return rows.select_related("question").first()


def all_groups(access: ProjectAccess, chosen: TableFilter) -> Iterator[QuestionGroup]:
    """Yield the whole filtered table page by page; a long question comes in parts."""
    after = ""
    while True:
        page = study_page(access, chosen, after, size=500)
        yield from page.groups
        if not page.next_after:
            return
        after = page.next_after


def _place(after: str) -> tuple[int, int] | None:
    """Read "question.study"; anything else is the beginning."""
    question, _, study = after.partition(".")
    digits = (question, study.removeprefix("-"))
    if not all(d.isascii() and d.isdigit() and len(d) < 10 for d in digits):
        return None
    return int(question), int(study)


def _study_entries(
    access: ProjectAccess,
    chosen: TableFilter,
    start: tuple[int, int] | None,
    size: int,
) -> list[Entry]:
    if chosen.missing == "studies":
        return []
    rows = _filtered(access, chosen)
    if start is not None:
        question, study = start
        later = Q(question__source__position__gt=question)
        same = Q(question__source__position=question, ordinal__gt=study)
        rows = rows.filter(later | same)
    rows = rows.select_related("question__source", "document")
    return [
        (row.question.source.position, row.ordinal, row.question, row)
        for row in rows.order_by("question__source__position", "ordinal")[:size]
    ]


def _bare_entries(
    access: ProjectAccess,
    chosen: TableFilter,
    start: tuple[int, int] | None,
    size: int,
) -> list[Entry]:
    """The questions without a study, where the filter leaves them."""
    if chosen.label or chosen.missing in {"finding", "label"}:
        return []
    rows = questions(access).filter(
        ~Exists(studies(access).filter(question=OuterRef("pk")))
    )
    if chosen.question:
        rows = rows.filter(pk=chosen.question)
    if chosen.missing == "hypothesis":
        rows = rows.filter(source__state=Source.State.OPEN)
    if chosen.text:
        rows = rows.filter(_says("", chosen.text))
    if start is not None:
        rows = rows.filter(source__position__gt=start[0])
    return [
        (row.source.position, -1, row, None)
        for row in rows.select_related("source")[:size]
    ]


def _filtered(access: ProjectAccess, chosen: TableFilter) -> QuerySet[Study]:
    rows = studies(access)
    if chosen.question:
        rows = rows.filter(question=chosen.question)
    if chosen.label:
        rows = _with_label(access, rows, chosen.label)
    if chosen.missing == "label":
        rows = _without_label(access, rows)
    elif chosen.missing == "finding":
        rows = rows.filter(finding="")
    elif chosen.missing == "hypothesis":
        rows = rows.filter(question__source__state=Source.State.OPEN)
    if chosen.text:
        words = chosen.text
        rows = rows.filter(
            _says("question__", words)
            | Q(finding__icontains=words)
            | Q(document__title__icontains=words)
            | Q(document__external_id=words)
        )
    return rows


def _says(prefix: str, words: str) -> Q:
    names = ("text", "review", "chapter")
    found = Q()
    for name in names:
        found |= Q(**{f"{prefix}{name}__icontains": words})
    return found


def _own_judgements(access: ProjectAccess) -> QuerySet[Judgement]:
    """The user's own judgements of the study that the outer query is at."""
    return Judgement.objects.filter(
        annotator=access.account,
        pair__claim__source__question=OuterRef("question"),
        pair__document=OuterRef("document"),
    ).exclude(state=Judgement.State.REJECTED)


def _with_label(
    access: ProjectAccess, rows: QuerySet[Study], label: str
) -> QuerySet[Study]:
    if access.has_oversight:
        return rows.filter(label=label)
    return rows.filter(Exists(_own_judgements(access).filter(label=label)))


def _without_label(access: ProjectAccess, rows: QuerySet[Study]) -> QuerySet[Study]:
    if access.has_oversight:
        return rows.filter(label="")
    return rows.filter(~Exists(_own_judgements(access)))


# --- What stands beside the rows -----------------------------------------------


def _groups(access: ProjectAccess, entries: list[Entry]) -> list[QuestionGroup]:
    asked = {entry[2].pk for entry in entries}
    said = _hypotheses(access, asked)
    judged = _judged(access, asked)
    waiting = _pairs_to_label(access, asked)
    groups = []
    for _, part in groupby(entries, key=lambda entry: entry[0]):
        members = list(part)
        question = members[0][2]
        group = QuestionGroup(question, question.source, said[question.pk])
        for *_, study in members:
            if study is not None:
                place = (question.pk, study.document_id)
                label = study.label if access.has_oversight else ""
                row = StudyRow(study, label, judged[place], waiting.get(place))
                group.rows.append(row)
        groups.append(group)
    return groups


def _hypotheses(
    access: ProjectAccess, asked: Iterable[int]
) -> defaultdict[int, list[Claim]]:
    found: defaultdict[int, list[Claim]] = defaultdict(list)
    claims = access.claims().filter(source__question__in=asked, negates=None)
    seen: set[tuple[int, str]] = set()
    for claim in (
        claims.exclude(state__in=DEAD).select_related("source").order_by("position")
    ):
        question = claim.source.question_id if claim.source else None
        # A published table has one claim for each row: the same words once are enough.
        if question is not None and (question, claim.text_key) not in seen:
            seen.add((question, claim.text_key))
            found[question].append(claim)
    return found


def _judged(
    access: ProjectAccess, asked: Iterable[int]
) -> defaultdict[tuple[int, int], list[str]]:
    """The labels that were given to each study, each once, that the user may see."""
    rows = (
        access.judgements()
        .filter(pair__claim__source__question__in=asked)
        .exclude(state=Judgement.State.REJECTED)
        .exclude(pair__state=Pair.State.RETIRED)
    )
    if not access.has_oversight:
        rows = rows.filter(annotator=access.account)
    found: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for question, document, label in rows.order_by("pk").values_list(
        "pair__claim__source__question", "pair__document", "label"
    ):
        labels = found[question, document]
        if label not in labels:
            labels.append(label)
    return found


def _pairs_to_label(
    access: ProjectAccess, asked: Iterable[int]
) -> dict[tuple[int, int], Pair]:
    """The pairs of these questions that wait for the user."""
    if not access.can_now(Stage.VERIFY):
        return {}
    pairs = access.pairs_to_verify().filter(claim__source__question__in=asked)
    return {
        (pair.claim.source.question_id, pair.document_id): pair  # type: ignore[union-attr,misc]
        for pair in pairs.select_related("claim__source").order_by("-pk")
    }
