"""Samples of judged pairs for a second, blind judgement; for admins."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.reannotation import SampleForm
from annotation.models import Project, ReannotationSample, Stage
from annotation.selectors import reannotation as selectors
from annotation.services.reannotation import draw_sample, undo_sample
from annotation.views.pages import render_project
from corpus.exceptions import DomainError


def _admin(request: HttpRequest, slug: str) -> ProjectAccess:
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    return access


@login_required
@require_http_methods(["GET", "POST"])
def reannotation(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far each sample is; preview another one, and draw it."""
    access = _admin(request, slug)
    available = sum(1 for _ in selectors.candidates(access.project))
    data = request.POST if request.method == "POST" else _usual(access.project)
    form = SampleForm(data, available=available)
    if request.POST.get("action") == "draw" and form.is_valid():
        try:
            sample = draw_sample(
                project=access.project,
                actor=access.account,
                name=form.cleaned_data["name"],
                design=form.design(),
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            words = f"“{sample}” is drawn: its pairs wait in Verify for other people."
            messages.success(request, words)
            return redirect("annotation:reannotation", slug)
    context = {
        "form": form,
        "available": available,
        "rows": selectors.sample_rows(access.project),
        **_preview(access.project, form),
    }
    return render_project(request, access, "annotation/reannotation.html", context)


def _usual(project: Project) -> dict[str, Any]:
    """Return the project's share, and a seed that nobody has picked by its outcome."""
    following = project.reannotation_samples.count() + 1
    share = project.rules.reannotation_share * 100
    return {
        "name": f"Re-annotation {following}",
        "share": f"{share:.4f}".rstrip("0").rstrip(".") if share else "10",
        "strata": [ReannotationSample.Stratum.LABEL.value],
        "seed": following,
    }


def _preview(project: Project, form: SampleForm) -> dict[str, Any]:
    if not form.available or not form.is_valid():
        return {}
    design = form.design()
    plan = selectors.plan_sample(
        project, kinds=design.strata, size=design.size, seed=design.seed
    )
    headings = [ReannotationSample.Stratum(kind).label for kind in design.strata]
    return {"plan": plan, "headings": headings, "size": design.size}


@login_required
@require_POST
def undo_reannotation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a sample back while nobody has begun with it."""
    access = _admin(request, slug)
    samples = access.project.reannotation_samples.select_related("project")
    sample = get_object_or_404(samples, pk=pk)
    try:
        undo_sample(sample=sample, actor=access.account)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Taken back: its pairs are as they were.")
    return redirect("annotation:reannotation", slug)
