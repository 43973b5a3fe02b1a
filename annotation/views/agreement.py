"""How far annotators agree, for a project's admins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.agreement_intervals import RESAMPLES
from annotation.agreement_report import WEEKLY_RESAMPLES, Part, Report, Wanted
from annotation.forms.agreement import AgreementFilterForm, KindForm
from annotation.models import Project, Stage
from annotation.models.labels import LabelCode
from annotation.selectors import agreement as selectors
from annotation.selectors import rating_tables
from annotation.views import agreement_figures as figures
from annotation.views.pages import render_project
from corpus.models import User

Table = Callable[[Project, Wanted], Iterator[bytes]]


def _admin(request: HttpRequest, slug: str) -> ProjectAccess:
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    return access


def _filter_form(
    request: HttpRequest, project: Project, people: dict[int, User]
) -> AgreementFilterForm:
    samples = project.reannotation_samples.order_by("-pk")
    return AgreementFilterForm(
        request.GET, people=people, samples=list(samples.values_list("pk", "name"))
    )


@login_required
@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every figure on agreement, and the pairs on which people disagree."""
    access = _admin(request, slug)
    people = selectors.people_of(access.project)
    form = _filter_form(request, access.project, people)
    report = selectors.agreement_of(access.project, form.wanted)
    context: dict[str, Any] = {
        "form": form,
        "is_filtered": bool(form.fields_for_links),
        "query": urlencode(form.fields_for_links),
        "report": report,
    }
    if report.n_pairs:
        context |= _figures(access, report, people)
        context |= _disagreements(request, access, form, report)
    return render_project(request, access, "annotation/agreement.html", context)


def _figures(
    access: ProjectAccess, report: Report, people: dict[int, User]
) -> dict[str, Any]:
    project = access.project
    labels = _labels(project, report)
    words = figures.Words(
        dict(LabelCode.choices) | {c.label.value: c.word for c in project.labels}
    )
    return {
        "parts": figures.part_tables(report, words),
        "has_sentences": Part.SENTENCES in report.first,
        "n_abstracts": report.first[Part.LABELS].n_clusters,
        "few_words": figures.few_words(report),
        "resamples": RESAMPLES,
        "weekly_resamples": WEEKLY_RESAMPLES,
        "shares": figures.prevalence_rows(report, labels, words),
        "labels": labels,
        "confusion": figures.confusion_rows(report, labels),
        "matrix": figures.people_matrix(report, people, words),
        "weeks": figures.week_rows(report, words),
        "coefficients_chart": figures.coefficients_chart(report),
        "weeks_chart": figures.weeks_chart(report),
    }


def _labels(project: Project, report: Report) -> list[str]:
    """The labels of the scheme, and those that it had when they were chosen."""
    scheme = [choice.label.value for choice in project.labels]
    seen = {str(label) for said in report.confusion for label in said}
    seen |= set(map(str, report.first[Part.LABELS].prevalence))
    return scheme + sorted(seen - set(scheme))


def _disagreements(
    request: HttpRequest,
    access: ProjectAccess,
    form: AgreementFilterForm,
    report: Report,
) -> dict[str, Any]:
    kind_form = KindForm(request.GET)
    kind = kind_form.chosen
    page = selectors.disagreement_page(report, kind, request.GET.get("after", ""))
    fields = form.fields_for_links
    if kind:
        fields = [*fields, ("kind", kind.value)]
    here = reverse("annotation:agreement", args=[access.project.slug])
    more = urlencode([*fields, ("after", page.next_after)])
    return {
        "kind_form": kind_form,
        "kept_fields": form.fields_for_links,
        "disagreements": page.rows,
        "n_disagreeing": sum(kind in (None, found) for _, found in report.disagreeing),
        "next_url": f"{here}?{more}#disagreements" if page.next_after else "",
    }


@login_required
@require_GET
def agreement_labels_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the ratings behind the figures on labels."""
    return _csv(request, slug, rating_tables.label_table, "labels")


@login_required
@require_GET
def agreement_sentences_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the ratings behind the figures on sentences."""
    return _csv(request, slug, rating_tables.sentence_table, "sentences")


def _csv(request: HttpRequest, slug: str, table: Table, name: str) -> HttpResponseBase:
    project = _admin(request, slug).project
    form = _filter_form(request, project, selectors.people_of(project))
    return StreamingHttpResponse(
        table(project, form.wanted),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{slug}-{name}.csv"',
            "Cache-Control": "no-store",
        },
    )
