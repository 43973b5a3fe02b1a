"""What all pages of a project share: its navigation, and accepted texts first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django_htmx.http import HttpResponseClientRedirect

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.models import Stage
from annotation.protocols import NegationStep, SourceKind
from annotation.services.guidelines import pending_texts

View = Callable[..., HttpResponse]

# Label, address, and the stage that sees it: None for every visitor.
NAVIGATION: tuple[tuple[str, str, Stage | None], ...] = (
    ("Overview", "project", None),
    ("Write", "write_claims", Stage.WRITE),
    ("Proofread", "proofread_claims", Stage.PROOFREAD),
    ("Negate", "negate_claims", Stage.NEGATE),
    ("Verify", "verify_pairs", Stage.VERIFY),
    ("Review", "review_judgements", Stage.REVIEW),
    ("Adjudicate", "adjudicate_pairs", Stage.ADJUDICATE),
    ("Questions", "questions", None),
    ("Claims", "claims", None),
    ("Guideline", "guideline", None),
    ("Progress", "progress", Stage.ADMIN),
    ("Import", "import_claims", Stage.ADMIN),
    ("Export", "export_claims", Stage.ADMIN),
    ("Members", "members", Stage.ADMIN),
    ("Settings", "project_settings", Stage.ADMIN),
)

MEMBERS_ONLY = {"claims", "questions"}


def project_nav(access: ProjectAccess, path: str) -> list[tuple[str, str, bool]]:
    """Return the project's navigation for one user: label, address, is current."""
    links = []
    used = {
        "negate_claims": access.project.rules.negation is NegationStep.SEPARATE,
        "questions": access.project.rules.source is SourceKind.QUESTION,
    }
    for label, name, stage in NAVIGATION:
        if stage is not None and not access.can_now(stage):
            continue
        if name in MEMBERS_ONLY and access.membership is None:
            continue
        if not used.get(name, True):
            continue
        try:
            url = reverse(f"annotation:{name}", args=[access.project.slug])
        except NoReverseMatch:
            continue
        is_current = path == url or (name != "project" and path.startswith(url))
        links.append((label, url, is_current))
    return links


def render_project(
    request: HttpRequest,
    access: ProjectAccess,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
    section: str = "",
) -> HttpResponse:
    """Render a page of a project with its navigation.

    ``section`` is the page of the navigation that this one belongs to, where its
    address does not say so.
    """
    path = request.path
    if section:
        path = reverse(f"annotation:{section}", args=[access.project.slug])
    shared = {
        "access": access,
        "project": access.project,
        "project_nav": project_nav(access, path),
    }
    return render(request, template, {**shared, **(context or {})}, status=status)


def require_accepted_texts(view: View) -> View:
    """Let nobody work before they accepted the consent text and the guideline.

    What is opened needs the versions in force. What is sent needs any version: work
    that was begun before a new version came out is not lost.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> Any:
        access = door.get_project(request.user, slug)
        if access.membership and pending_texts(
            access.project, access.account, any_version=request.method == "POST"
        ):
            query = urlencode({"next": request.get_full_path()})
            url = reverse("annotation:accept_texts", args=[slug])
            target = f"{url}?{query}"
            # htmx would put the page that follows into a piece of this one.
            is_htmx = request.headers.get("HX-Request") == "true"
            return HttpResponseClientRedirect(target) if is_htmx else redirect(target)
        return view(request, slug, *args, **kwargs)

    return wrapped
