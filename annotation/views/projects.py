"""The dashboard, the wizard, a project's home and its settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.projects import NewProjectForm, ProjectSettingsForm
from annotation.models import Stage
from annotation.protocols import Protocol, default_labels, default_settings
from annotation.selectors import dashboard as counts_of
from annotation.services import projects
from annotation.services.guidelines import noun_of, pending_texts
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.paging import keyset_page

# What each protocol is, in the words of somebody who has not read its paper.
PROTOCOLS: dict[str, dict[str, str]] = {
    Protocol.SCIFACT: {
        "title": "Claims from citations",
        "after": "SciFact",
        "writes": "People rewrite sentences that cite a paper as short claims; "
        "trained people negate some of them.",
        "judges": "Others decide whether the cited abstract supports each claim, and "
        "mark every set of sentences that proves it.",
    },
    Protocol.CHECK_COVID: {
        "title": "Claims from the news",
        "after": "Check-COVID",
        "writes": "People take or compose one claim from a news paragraph, and "
        "negate it at once.",
        "judges": "The same person marks the sentences of one cited abstract that "
        "decide it; a reviewer asks for changes until it is right.",
    },
    Protocol.CORE: {
        "title": "Hypotheses of a review",
        "after": "CoRe",
        "writes": "People turn the research questions of a review into hypotheses.",
        "judges": "Experts label every study of a question as a whole, without "
        "marking sentences.",
    },
}


@require_GET
def dashboard(request: HttpRequest) -> HttpResponse:
    """Show what waits in a person's projects; strangers see what this site is."""
    if not isinstance(request.user, User):
        return render(request, "home.html")
    rows = counts_of.dashboard(request.user)
    return render(request, "annotation/dashboard.html", {"rows": rows})


@require_GET
def list_projects(request: HttpRequest) -> HttpResponse:
    """List every project that the visitor may open, newest last."""
    page = keyset_page(
        door.visible_projects(request.user), request.GET.get("after"), key="pk"
    )
    return render(
        request, "annotation/projects.html", {"page": page, "section": "projects"}
    )


@login_required
@require_GET
def new_project(request: HttpRequest) -> HttpResponse:
    """Step 1 of the wizard: what kind of data set it will be."""
    choices = [
        {
            "protocol": protocol,
            "labels": default_labels(Protocol(protocol)),
            **words,
        }
        for protocol, words in PROTOCOLS.items()
    ]
    return render(
        request,
        "annotation/new_project.html",
        {"choices": choices, "section": "projects"},
    )


@login_required
@require_http_methods(["GET", "POST"])
def create_project(request: HttpRequest, protocol: str) -> HttpResponse:
    """Step 2 of the wizard: name, abstracts and visibility."""
    if protocol not in PROTOCOLS or not isinstance(request.user, User):
        raise Http404("There is no such kind of project.")
    corpora = door.editable_corpora(request.user)
    # Whoever comes from a corpus finds it chosen.
    wished = corpora.filter(
        slug=request.GET.get("corpus", "").replace("\0", "")
    ).first()
    form = NewProjectForm(
        request.POST or None,
        corpora=corpora,
        initial={"corpus": str(wished.pk)} if wished else {},
    )
    if form.is_valid():
        try:
            project = projects.start_project(
                name=form.cleaned_data["name"],
                protocol=protocol,
                actor=request.user,
                corpus=form.existing_corpus(),
                new_corpus_name=form.new_corpus_name(),
                description=form.cleaned_data["description"],
                visibility=form.cleaned_data["visibility"],
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The project is ready to be filled.")
            return redirect("annotation:project", project.slug)
    return render(
        request,
        "annotation/create_project.html",
        {
            "form": form,
            "protocol": protocol,
            "words": PROTOCOLS[protocol],
            "rules": default_settings(Protocol(protocol)),
            "labels": default_labels(Protocol(protocol)),
            "section": "projects",
        },
    )


@require_GET
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """A project's home: where every data point is, and what the visitor can do."""
    access = door.get_project(request.user, slug)
    counts = counts_of.count_states([access.project.pk])[access.project.pk]
    context: dict[str, Any] = {
        "path": counts_of.path_of_a_data_point(access, counts),
        "verdicts": counts.pairs.get("approved", 0) + counts.pairs.get("imported", 0),
        "states": counts_of.rows_per_state(counts),
        "labels": access.project.labels,
        "rules": access.project.rules,
    }
    if access.membership is not None:
        context |= _for_members(access, counts)
    return render_project(request, access, "annotation/project.html", context)


def _for_members(
    access: ProjectAccess, counts: counts_of.ProjectCounts
) -> dict[str, Any]:
    return {
        "steps": counts_of.checklist(access, counts) if access.is_admin else [],
        "mine": counts_of.own_work(access),
        "waiting": counts_of.waiting_for(access),
        "pending": [
            noun_of(text) for text in pending_texts(access.project, access.account)
        ],
    }


@login_required
@require_http_methods(["GET", "POST"])
def project_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a project is, and every line of its protocol."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = ProjectSettingsForm(
        request.POST or None,
        project=access.project,
        seen=projects.settings_key(access.project),
    )
    if form.is_valid():
        try:
            changed = projects.change_project(
                project=access.project, actor=access.account, **form.values()
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            words = "The settings are saved." if changed else "Nothing was changed."
            messages.success(request, words)
            return redirect("annotation:project_settings", slug)
    return render_project(
        request, access, "annotation/project_settings.html", {"form": form}
    )


@login_required
@require_POST
def archive_project(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a project away."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    projects.archive_project(project=access.project, actor=access.account)
    messages.success(request, "The project is archived. It can be restored here.")
    return redirect("annotation:project_settings", slug)


@login_required
@require_POST
def restore_project(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a project out of the archive."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    projects.restore_project(project=access.project, actor=access.account)
    messages.success(request, "The project is back on everybody's dashboard.")
    return redirect("annotation:project_settings", slug)
