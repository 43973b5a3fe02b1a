"""A project's agreement, for its admins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.agreement import Coefficient
from annotation.agreement_report import (
    Figure,
    Figures,
    Kind,
    Part,
    Report,
    Shown,
    Wanted,
)
from annotation.api import agreement_shapes as shapes
from annotation.api.base import ProjectView
from annotation.models import Stage
from annotation.selectors.agreement import agreement_of, people_of
from corpus.api_schema import operation
from corpus.models import User


class Agreement(ProjectView):
    """How far annotators agree."""

    tag = "Judgements"

    @operation(
        "get_agreement", query=shapes.AgreementQuery, gives=shapes.AgreementShape
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read how far annotators agree; for the project's admins.

        A coefficient that is undefined is null, with the reason in words.
        """
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        query = self.query(shapes.AgreementQuery)
        if "suggestion" in query:
            query["suggestion"] = Shown(query["suggestion"])
        wanted = Wanted(**query)
        report = agreement_of(access.project, wanted)
        values = report_values(report, people_of(access.project))
        return Response(shapes.AgreementShape(values).data)


def report_values(report: Report, people: Mapping[int, User]) -> dict[str, Any]:
    """Return a report as plain values."""
    kinds = Counter(kind for _, kind in report.disagreeing)
    judges = {key for two in report.people for key in (two.first, two.second)}
    return {
        "n_pairs": report.n_pairs,
        "as_first_submitted": _parts(report.first),
        "after_review": _parts(report.after),
        "confusion": [
            {"first": said[0], "second": said[1], "n": n}
            for said, n in sorted(report.confusion.items(), key=repr)
        ],
        "people": [people[key] for key in sorted(judges) if key in people],
        "pairwise": [
            {
                "first": two.first,
                "second": two.second,
                "cohen_kappa": _coefficient(two.kappa),
                "percent_agreement": _coefficient(two.percent),
            }
            for two in report.people
        ],
        "weeks": [
            {"monday": week.monday, "cohen_kappa": _figure(week.figure)}
            for week in report.weeks
        ],
        "disagreeing_pairs": {kind.value: kinds[kind] for kind in Kind},
    }


def _parts(found: Mapping[Part, Figures]) -> dict[str, Any]:
    return {
        part.value: _figures(found[part]) if part in found else None for part in Part
    }


def _figures(figures: Figures) -> dict[str, Any]:
    by_measure = {
        measure.value: _figure(figure) for measure, figure in figures.by_measure.items()
    }
    return {
        "n_items": figures.n_items,
        "n_abstracts": figures.n_clusters,
        "prevalence": figures.prevalence,
        **by_measure,
    }


def _figure(figure: Figure) -> dict[str, Any]:
    interval = figure.interval
    return {
        **_coefficient(figure.coefficient),
        "low": interval.low,
        "high": interval.high,
        "interval_reason": interval.reason,
        "n_abstracts": interval.n_clusters,
        "n_resamples": interval.n_resamples,
        "n_undefined_resamples": interval.n_undefined,
        "has_few_abstracts": interval.has_few_clusters,
    }


def _coefficient(coefficient: Coefficient) -> dict[str, Any]:
    return {
        "value": coefficient.value,
        "n": coefficient.n_items,
        "reason": coefficient.reason,
    }
