"""What suggestions do to judgements, and having them computed; for admins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.models import Judgement, Stage
from annotation.protocols import SuggestionPolicy
from annotation.selectors import suggestion_report as selectors
from annotation.selectors.suggestions import readiness
from annotation.services.suggesting import last_suggesting, start_suggesting
from annotation.suggestion_report import ArmFigures, Share
from annotation.views.pages import render_project
from corpus.jobs import is_worker_missing
from corpus.templatetags.claimdesk import number

ARM_WORDS = {
    Judgement.Arm.CONTROL: "Control: withheld by chance",
    Judgement.Arm.NONE: "No suggestion, not by chance",
    Judgement.Arm.ON_DEMAND: "When asked for",
    Judgement.Arm.AFTER_FIRST_CHOICE: "After the first choice",
    Judgement.Arm.ALWAYS: "At once",
}


def _admin(request: HttpRequest, slug: str) -> ProjectAccess:
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    return access


@login_required
@require_GET
def suggestion_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far the suggestions are, and what they change."""
    access = _admin(request, slug)
    project = access.project
    found = selectors.report_of(project)
    job = last_suggesting(project)
    context = {
        "ready": readiness(project),
        "job": job,
        "is_own_job": job is not None and job.owner_id == access.account.pk,
        "is_worker_missing": job is not None and is_worker_missing(job),
        "is_off": project.rules.suggestion_policy is SuggestionPolicy.OFF,
        "arms": [arm_words(arm) for arm in found],
        "figures": _transposed(found),
        "labels": [
            (choice.word, [_label_cells(arm, choice.label.value) for arm in found])
            for choice in project.labels
        ],
    }
    return render_project(request, access, "annotation/suggestion_report.html", context)


FIGURES = (
    "Judgements",
    "Active seconds: median",
    "Active seconds: 90th percentile",
    "Active seconds: n measured",
    "Were shown the suggestion",
    "Took all of it over",
    "Took the label over",
    "Took the sentences over",
    "Changed their first choice of label",
    "Ended at the model’s label after another first choice",
    "Have the model’s label",
    "Have the label of another judgement of the pair",
    "Have the label of the verdict",
)


def arm_words(arm: ArmFigures) -> str:
    """Return what an arm is called."""
    return ARM_WORDS[Judgement.Arm(arm.arm)]


def figure_words(arm: ArmFigures) -> list[str]:
    """Return the figures of an arm in words, in the order of ``FIGURES``."""
    times = (arm.n, arm.median, arm.p90, arm.n_timed)
    shares = (
        arm.shown,
        arm.taken["all"],
        arm.taken["label"],
        arm.taken["sentences"],
        arm.changed,
        arm.to_model,
        arm.as_model,
        arm.as_others,
        arm.as_verdict,
    )
    return [*(number(n) or "–" for n in times), *map(share_words, shares)]


def _transposed(arms: Sequence[ArmFigures]) -> list[tuple[str, tuple[str, ...]]]:
    """Return a row for each figure, with a cell for each arm."""
    cells = zip(*map(figure_words, arms), strict=True)
    return list(zip(FIGURES, cells, strict=bool(arms)))


def share_words(share: Share) -> str:
    """Write a share in percent with its interval and what it rests on."""
    if share.value is None or share.interval is None:
        return "–"
    low, high = share.interval
    return (
        f"{share.value * 100:.0f} % ({low * 100:.0f}–{high * 100:.0f}), "
        f"{share.count} of {share.n}"
    )


def _label_cells(arm: ArmFigures, label: str) -> dict[str, Any]:
    first = arm.first_labels.get(label, 0)
    return {"first": first, "submitted": arm.labels.get(label, 0)}


@login_required
@require_GET
def suggestion_report_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the judgements behind the report."""
    project = _admin(request, slug).project
    return StreamingHttpResponse(
        selectors.judgement_table(project),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{slug}-suggestions.csv"',
            "Cache-Control": "no-store",
        },
    )


@login_required
@require_POST
def compute_suggestions(request: HttpRequest, slug: str) -> HttpResponse:
    """Have suggestions computed for the open pairs that have none."""
    access = _admin(request, slug)
    job = start_suggesting(project=access.project, actor=access.account)
    if job.owner_id == access.account.pk:
        return redirect("corpus:job", job.token)
    return redirect("annotation:suggestion_report", slug)
