"""The guideline and the consent text of a project: reading, writing, accepting."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.projects import ConsentForm, GuidelineForm
from annotation.markdown import render_markdown
from annotation.models import ConsentText, Guideline, Stage
from annotation.selectors.dashboard import waiting_for
from annotation.services import guidelines
from annotation.views.pages import render_project
from corpus.exceptions import DomainError


def safe_html(text: str) -> SafeString:
    """Return Markdown as HTML that templates do not escape: it is sanitised."""
    return SafeString(render_markdown(text))


@require_GET
def guideline(request: HttpRequest, slug: str) -> HttpResponse:
    """Read the guideline in force, or an earlier version; then go on to work."""
    access = door.get_project(request.user, slug)
    waiting = waiting_for(access)
    texts = access.project.guidelines.all()
    return _read(request, access, "guideline", texts, waiting=waiting)


@login_required
@require_GET
def consent_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Read the consent text in force, or an earlier version."""
    access = door.get_project(request.user, slug)
    access.require_member()
    return _read(request, access, "consent_text", access.project.consent_texts.all())


def _read(
    request: HttpRequest,
    access: ProjectAccess,
    name: str,
    texts: QuerySet[Any],
    **also: Any,
) -> HttpResponse:
    versions = list(texts.select_related("created_by").order_by("-version"))
    shown = _chosen(versions, request.GET.get("version"))
    context = {
        "versions": versions,
        "shown": shown,
        "html": safe_html(shown.text) if shown else "",
        **also,
    }
    return render_project(request, access, f"annotation/{name}.html", context)


def _chosen(versions: list[Any], wanted: str | None) -> Any:
    """Return the wanted version, else the newest; 404 for one that never was."""
    if not wanted:
        return versions[0] if versions else None
    for text in versions:
        if str(text.version) == wanted:
            return text
    raise Http404("There is no such version.")


@login_required
@require_http_methods(["GET", "POST"])
def publish_guideline(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the next version of the guideline."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    last = guidelines.current_guideline(access.project)
    form = GuidelineForm(request.POST or None, last=last)
    if form.is_valid():
        try:
            guidelines.publish_guideline(
                project=access.project, actor=access.account, **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Published. Members accept it before they go on.")
            return redirect("annotation:guideline", slug)
    return render_project(
        request, access, "annotation/publish_guideline.html", {"form": form}
    )


@login_required
@require_http_methods(["GET", "POST"])
def publish_consent_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the next version of the consent text."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    last = guidelines.current_consent_text(access.project)
    form = ConsentForm(request.POST or None, last=last)
    if form.is_valid():
        try:
            guidelines.publish_consent_text(
                project=access.project, actor=access.account, **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, "Published. Members agree to it before they go on."
            )
            return redirect("annotation:consent_text", slug)
    return render_project(
        request, access, "annotation/publish_consent_text.html", {"form": form}
    )


@login_required
@require_POST
def preview_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a text as it will be read; nothing is kept."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    html = safe_html(request.POST.get("text", ""))
    return render(request, "annotation/_preview_text.html", {"html": html})


@login_required
@require_http_methods(["GET", "POST"])
def accept_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a member accept the consent text and the guideline in force."""
    access = door.get_project(request.user, slug)
    access.require_member()
    pending = guidelines.pending_texts(access.project, access.account)
    if request.method == "POST":
        _accept_seen(access, pending, request.POST.getlist("accept"))
        pending = guidelines.pending_texts(access.project, access.account)
        if pending:
            messages.error(request, "Both texts must be accepted before you can work.")
    next_url = _safe_next(request, slug)
    if not pending:
        return redirect(next_url)
    texts = [
        (_key(text), guidelines.noun_of(text), text, safe_html(text.text))
        for text in pending
    ]
    return render_project(
        request,
        access,
        "annotation/accept_texts.html",
        {"texts": texts, "next": next_url},
    )


def _key(text: Guideline | ConsentText) -> str:
    return f"{text._meta.model_name}-{text.pk}"


def _accept_seen(
    access: ProjectAccess, pending: list[Guideline | ConsentText], ticked: list[str]
) -> None:
    """Accept the ticked versions: never one that came out after the page was read."""
    for text in pending:
        if _key(text) not in ticked:
            continue
        if isinstance(text, Guideline):
            guidelines.accept_guideline(guideline=text, user=access.account)
        else:
            guidelines.accept_consent_text(consent_text=text, user=access.account)


def _safe_next(request: HttpRequest, slug: str) -> str:
    """Return where the person was going: only ever an address of this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else reverse("annotation:project", args=[slug])
