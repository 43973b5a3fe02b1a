"""Corpora: the list, one corpus with its search, and its settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotation import access as door
from annotation.forms.corpora import CorpusForm
from annotation.selectors import corpora as library
from annotation.services.corpora import change_corpus
from annotation.services.projects import create_corpus
from corpus.exceptions import DomainError
from corpus.models import Corpus, User
from corpus.models.library import Visibility
from corpus.paging import keyset_page

MAX_QUERY = 500


def account(request: HttpRequest) -> User:
    """Return the signed-in user of a view behind ``login_required``."""
    if not isinstance(request.user, User):
        raise PermissionDenied("Sign in first.")
    return request.user


def render_corpus(
    request: HttpRequest,
    corpus: Corpus,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page of a corpus."""
    shared = {"corpus": corpus, "section": "corpora"}
    return render(request, template, {**shared, **(context or {})}, status=status)


@require_GET
def corpora(request: HttpRequest) -> HttpResponse:
    """List the corpora that the visitor may read."""
    rows = library.corpora(request.user)
    page = keyset_page(rows, request.GET.get("after"), key="pk")
    return render(
        request, "annotation/corpora.html", {"page": page, "section": "corpora"}
    )


@login_required
@require_http_methods(["GET", "POST"])
def new_corpus(request: HttpRequest) -> HttpResponse:
    """Create an empty corpus."""
    form = CorpusForm(request.POST or None, initial={"visibility": Visibility.PRIVATE})
    if form.is_valid():
        try:
            corpus = create_corpus(owner=account(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The corpus is there. Now fill it.")
            return redirect("annotation:corpus", corpus.slug)
    return render(
        request, "annotation/new_corpus.html", {"form": form, "section": "corpora"}
    )


@require_GET
def corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a corpus: its figures, and its abstracts by search and page."""
    shown = door.get_corpus(request.user, slug)
    query = request.GET.get("q", "")[:MAX_QUERY].replace("\0", "").strip()
    rows = library.found_documents(request.user, shown, query).defer("doubts")
    page = keyset_page(rows, request.GET.get("after"), key="position")
    context = {"page": page, "query": query, "corpus": shown}
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]
        return render(request, "annotation/_documents.html", context)
    context |= {
        "figures": library.figures(request.user, shown),
        "projects": library.projects_of(request.user, shown),
        "can_edit": door.can_edit_corpus(request.user, shown),
    }
    return render_corpus(request, shown, "annotation/corpus.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """Change name, description and visibility."""
    shown = door.get_editable_corpus(request.user, slug)
    initial = {
        "name": shown.name,
        "description": shown.description,
        "visibility": shown.visibility,
    }
    form = CorpusForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            change_corpus(corpus=shown, actor=account(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Saved.")
            return redirect("annotation:corpus", slug)
    return render_corpus(request, shown, "annotation/edit_corpus.html", {"form": form})
