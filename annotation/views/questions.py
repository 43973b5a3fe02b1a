"""Research questions, their studies, and the table of both."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.questions import (
    NewQuestionForm,
    QuestionForm,
    StudiesFileForm,
    TableFilterForm,
)
from annotation.models import Question, Stage
from annotation.selectors import questions as table
from annotation.selectors.questions import TableFilter
from annotation.services import studies
from annotation.services.questions import add_question
from annotation.services.study_table import write_table
from annotation.views.pages import render_project
from annotation.views.transfers import follow
from corpus.exceptions import DomainError
from corpus.files import store_upload
from corpus.jobs import start_job, start_job_once, visible_jobs, workers_alive
from corpus.models import Job, StoredFile

PRINTED = 5_000
"""So many rows are shown at once, to be printed."""


def _filter_form(request: HttpRequest, access: ProjectAccess) -> TableFilterForm:
    return TableFilterForm(
        request.GET, project=access.project, questions=table.questions(access)
    )


@login_required
@require_GET
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of questions and studies, filtered."""
    access = door.get_project(request.user, slug)
    form = _filter_form(request, access)
    chosen = form.chosen()
    shows_all = request.GET.get("all") == "1"
    size = PRINTED if shows_all else table.PAGE_SIZE
    context = {
        "form": form,
        "chosen": chosen,
        "page": table.study_page(access, chosen, request.GET.get("after", ""), size),
        "figures": table.figures(access),
        "shows_all": shows_all,
        "labels": access.project.labels,
        "waiting_labels": _waiting_labels(access),
    }
    return render_project(request, access, "annotation/questions.html", context)


def _waiting_labels(access: ProjectAccess) -> int:
    if not access.can_now(Stage.ADMIN):
        return 0
    return studies.labels_to_take_over(access.project).count()


@login_required
@require_GET
def questions_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the filtered table as CSV."""
    access = door.get_project(request.user, slug)
    chosen = _filter_form(request, access).chosen()
    return StreamingHttpResponse(
        write_table(access, chosen),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{slug}-studies.csv"',
            "Cache-Control": "no-store",
        },
    )


@login_required
@require_http_methods(["GET", "POST"])
def question(request: HttpRequest, slug: str, question_id: int) -> HttpResponse:
    """Show a question with its studies; an admin changes rule, findings and labels."""
    access = door.get_project(request.user, slug)
    if request.method == "POST":
        access.require(Stage.ADMIN)
    rows = table.questions(access).select_related("source", "project")
    found = get_object_or_404(rows, pk=question_id)
    after = request.GET.get("after", "")
    page = table.study_page(access, TableFilter(question=found.pk), after)
    form = _question_form(request, access, found, page) if access.is_admin else None
    if form is not None and form.is_valid():
        try:
            changed = _save(form, access)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            words = (
                "Saved." if changed else "Nothing was different, so nothing changed."
            )
            messages.success(request, words)
            return redirect(request.get_full_path())
    if form is not None:
        _lay_out(page, form)
    context = {
        "question": found,
        "page": page,
        "form": form,
        "labels": access.project.labels,
    }
    return render_project(request, access, "annotation/question.html", context)


def _question_form(
    request: HttpRequest,
    access: ProjectAccess,
    found: Question,
    page: table.TablePage,
) -> QuestionForm:
    shown = [row.study for group in page.groups for row in group.rows]
    for study in shown:
        study.question = found
    found.project = access.project
    return QuestionForm(request.POST or None, question=found, studies=shown)


def _lay_out(page: table.TablePage, form: QuestionForm) -> None:
    """Put the fields of each study beside it."""
    fields = {study.pk: pair for study, *pair in form.rows()}
    for group in page.groups:
        for row in group.rows:
            row.fields = fields[row.study.pk]


def _save(form: QuestionForm, access: ProjectAccess) -> bool:
    return studies.change_question(
        question=form.question,
        rule=form.cleaned_data["null_result_rule"],
        changes=form.changes(),
        actor=access.account,
    )


@login_required
@require_http_methods(["GET", "POST"])
def new_question(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a question with its studies."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = NewQuestionForm(request.POST or None, project=access.project)
    if form.is_valid():
        try:
            source = add_question(
                project=access.project,
                question=form.question(),
                studies=form.cleaned_data["studies"],
                actor=access.account,
            )
        except DomainError as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, "It waits for its hypothesis.")
            return redirect("annotation:question", slug, source.question_id)
    context = {"form": form}
    return render_project(request, access, "annotation/new_question.html", context)


@login_required
@require_POST
def take_over_labels(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the experts' labels decided judgements."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    count = studies.take_over_labels(project=access.project, actor=access.account)
    if count:
        noun = "study" if count == 1 else "studies"
        messages.success(request, f"Decided as the experts said: {count} {noun}.")
    else:
        messages.info(request, "No label waits to be taken over.")
    return redirect("annotation:questions", slug)


@login_required
@require_http_methods(["GET", "POST"])
def import_studies(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a table of questions and studies, and begin its check."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = StudiesFileForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            job = _start_check(access, form)
        except DomainError as error:
            form.add_error("file", str(error))
        else:
            return follow(job)
    context = {"form": form, "is_worker_missing": not workers_alive()}
    return render_project(request, access, "annotation/import_studies.html", context)


def _start_check(access: ProjectAccess, form: StudiesFileForm) -> Job:
    project_id = access.project.pk
    stored = store_upload(
        upload=form.cleaned_data["file"], owner=access.account, project_id=project_id
    )
    payload = {
        "project": project_id,
        "file": stored.pk,
        "next": "annotation:import_of_studies",
    }
    return start_job(
        kind="check_studies",
        owner=access.account,
        payload=payload,
        project_id=project_id,
    )


@login_required
@require_http_methods(["GET", "POST"])
def import_of_studies(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show what a check or an import of a table found; confirm a check."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    job = get_object_or_404(
        visible_jobs(request.user),
        token=token,
        kind__in=("check_studies", "import_studies"),
        state=Job.State.DONE,
    )
    if job.payload["project"] != access.project.pk:
        raise Http404("This table belongs elsewhere.")
    is_check = job.kind == "check_studies"
    report: dict[str, Any] = job.result["report"]
    if request.method == "POST" and is_check and not report["errors"]:
        return follow(
            start_job_once(
                kind="import_studies",
                owner=job.owner,
                payload=job.payload,
                project_id=job.project_id,
            )
        )
    context = {
        "is_check": is_check,
        "noun": "table",
        "report": report,
        "differences": job.result.get("differences", []),
        "counts": _counts(report),
        "changes_anything": bool(report["new"] or report["changed"]),
        "file": StoredFile.objects.get(pk=job.payload["file"]),
        "done_url": reverse("annotation:questions", args=[slug]),
        "again_url": reverse("annotation:import_studies", args=[slug]),
        "is_worker_missing": not workers_alive(),
    }
    return render_project(request, access, "annotation/import_of_studies.html", context)


def _counts(report: dict[str, Any]) -> list[tuple[str, int]]:
    names = ("new", "changed", "identical", "kept")
    words = ("New", "Changed", "Identical", "Label in use, kept")
    return [(word, report[name]) for word, name in zip(words, names, strict=True)]
