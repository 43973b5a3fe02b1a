"""The judgements of a project with what was suggested for them, for the report.

Rows are read once; the number of queries depends on nothing. Answers that were taken
back, retired pairs and imported gold do not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.models import (
    Judgement,
    JudgementVersion,
    Pair,
    Project,
    SuggestionOffer,
)
from annotation.selectors.suggestions import current_suggestions
from annotation.suggestion_report import ArmFigures, Given, arm_figures
from corpus.formats.csvfile import encode_row
from corpus.models import User
from corpus.text import csv_safe

CHUNK = 2_000


class _Row(NamedTuple):
    """A judgement as it was first submitted, as it is read."""

    pair: int
    annotator: int
    claim: str
    abstract: str
    arm: str
    was_shown: bool
    taken: str
    seconds: int | None
    label: str
    verdict_label: str | None


COLUMNS = (
    "judgement__pair",
    "judgement__annotator",
    "judgement__pair__claim__external_id",
    "judgement__pair__document__external_id",
    "judgement__suggestion_arm",
    "judgement__suggestion_shown",
    "judgement__suggestion_taken",
    "judgement__active_seconds",
    "label",
    "judgement__pair__verdict__judgement__label",
)


def _first_versions(project: Project) -> QuerySet[JudgementVersion, Any]:
    return (
        JudgementVersion.objects.filter(
            judgement__pair__project=project,
            judgement__origin=Judgement.Origin.ANNOTATOR,
            number=1,
        )
        .exclude(judgement__state=Judgement.State.WITHDRAWN)
        .exclude(judgement__pair__state=Pair.State.RETIRED)
        .order_by("judgement")
        .values_list(*COLUMNS)
    )


def _given(project: Project) -> Iterator[tuple[_Row, Given]]:
    """Yield each judgement with what the report needs of it."""
    offers = SuggestionOffer.objects.filter(pair__project=project)
    columns = ("pair", "annotator", "first_label", "suggestion__label")
    first: dict[tuple[int, int], str] = {}
    offered: dict[tuple[int, int], str] = {}
    for pair, annotator, chosen, suggested in offers.values_list(*columns):
        first[pair, annotator] = chosen
        if suggested is not None:
            offered[pair, annotator] = suggested
    current = current_suggestions(project).order_by("pk")
    model = dict(current.values_list("pair", "label"))
    known = {choice.label.value for choice in project.labels}
    rows = [*map(_Row._make, _first_versions(project).iterator(chunk_size=CHUNK))]
    labels: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        labels[row.pair].append((row.annotator, row.label))
    for row in rows:
        key = (row.pair, row.annotator)
        model_label = offered.get(key, model.get(row.pair, ""))
        yield (
            row,
            Given(
                arm=row.arm,
                was_shown=row.was_shown,
                taken=row.taken,
                label=row.label,
                seconds=row.seconds,
                first_label=first.get(key, ""),
                model_label=model_label if model_label in known else "",
                verdict_label=row.verdict_label or "",
                others=tuple(
                    label for who, label in labels[row.pair] if who != row.annotator
                ),
            ),
        )


def report_of(project: Project) -> list[ArmFigures]:
    """Return the figures of each arm; chance's control comes first."""
    arms = [arm.value for arm in Judgement.Arm]
    order = [Judgement.Arm.CONTROL.value]
    order += [arm for arm in arms if arm not in order]
    return arm_figures((given for _, given in _given(project)), order)


TABLE_COLUMNS = (
    "pair",
    "claim",
    "abstract",
    "annotator",
    "suggestion_arm",
    "suggestion_shown",
    "suggestion_taken",
    "first_label",
    "label",
    "model_label",
    "verdict_label",
    "active_seconds",
)


def judgement_table(project: Project) -> Iterator[bytes]:
    """Yield the judgements behind the report as CSV."""
    yield encode_row(TABLE_COLUMNS)
    people = {
        user.pk: str(user)
        for user in User.objects.filter(judgements__pair__project=project).distinct()
    }
    for row, given in _given(project):
        cells = (
            row.pair,
            row.claim,
            row.abstract,
            people.get(row.annotator, ""),
            given.arm,
            int(given.was_shown),
            given.taken,
            given.first_label,
            given.label,
            given.model_label,
            given.verdict_label,
            "" if given.seconds is None else given.seconds,
        )
        yield encode_row([csv_safe(str(cell)) for cell in cells])
