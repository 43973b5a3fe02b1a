"""One abstract, and the two work lists: missing texts and doubtful boundaries."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.forms.corpora import AbstractForm, DocumentForm
from annotation.selectors import corpora as library
from annotation.services import boundaries
from annotation.services import documents as services
from annotation.views.corpora import account, render_corpus
from corpus.exceptions import DomainError
from corpus.models import Corpus, Document, User
from corpus.paging import Page, keyset_page
from corpus.reading import mark_sentences
from corpus.sentences import split_sentences
from corpus.text import row_key

# Each entry of the lists is a small form of its own.
LIST_SIZE = 20


@require_GET
def document(request: HttpRequest, slug: str, document_id: int) -> HttpResponse:
    """Show one abstract with its sentences and what is known about it."""
    corpus = door.get_corpus(request.user, slug)
    shown = door.get_document(request.user, corpus, document_id)
    context = {
        "document": shown,
        "sentences": mark_sentences(shown.sentences),
        "claims": library.cited_in(request.user, shown)[:LIST_SIZE],
        "can_edit": door.can_edit_corpus(request.user, corpus),
        "form": AbstractForm(auto_id="id_%s"),
    }
    return render_corpus(request, corpus, "annotation/document.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_document(request: HttpRequest, slug: str) -> HttpResponse:
    """Add one abstract by paste; its sentences are shown before it is saved."""
    corpus = door.get_editable_corpus(request.user, slug)
    form = DocumentForm(request.POST or None)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "annotation/_split.html", _split(form))
    if "save" in request.POST and form.is_valid():
        try:
            added = services.add_document(
                corpus=corpus, record=form.record(), actor=account(request)
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The abstract is in the corpus.")
            return redirect("annotation:document", slug, added.pk)
    context = {**_split(form), "form": form}
    return render_corpus(request, corpus, "annotation/new_document.html", context)


def _split(form: DocumentForm) -> dict[str, Any]:
    """The sentences of the text as far as it is typed."""
    form.is_valid()
    text = form.cleaned_data.get("text", "") if form.is_bound else ""
    if not text:
        return {}
    split = split_sentences(text)
    return {
        "sentences": mark_sentences(split.sentences),
        "places": library.places(list(split.sentences), list(split.doubts)),
    }


@login_required
@require_GET
def missing_abstracts(request: HttpRequest, slug: str) -> HttpResponse:
    """List the documents without a text, each with a box for it."""
    corpus = door.get_editable_corpus(request.user, slug)
    rows = library.without_abstract(request.user, corpus)
    page = keyset_page(rows, request.GET.get("after"), key="position", size=LIST_SIZE)
    entries = [(row, _abstract_form(row)) for row in page.items]
    context = {"page": page, "entries": entries}
    return render_corpus(request, corpus, "annotation/missing_abstracts.html", context)


def _abstract_form(document: Document, data: Any = None) -> AbstractForm:
    return AbstractForm(data, auto_id=f"id_{document.pk}_%s")


@login_required
@require_POST
def fill_abstract(request: HttpRequest, slug: str, document_id: int) -> HttpResponse:
    """Save a pasted text; for htmx the entry is replaced by a line that says so."""
    corpus = door.get_editable_corpus(request.user, slug)
    row = door.get_document(request.user, corpus, document_id)
    form = _abstract_form(row, request.POST)
    if form.is_valid():
        try:
            row = services.fill_abstract(
                document=row, text=form.cleaned_data["text"], actor=account(request)
            )
        except DomainError as error:
            form.add_error(None, str(error))
    return _filled(request, corpus, row, form)


def _filled(
    request: HttpRequest, corpus: Corpus, row: Document, form: AbstractForm
) -> HttpResponse:
    context = {"document": row, "form": form, "is_saved": form.is_valid()}
    if request.htmx:  # type: ignore[attr-defined]
        context["corpus"] = corpus
        return render(request, "annotation/_missing_abstract.html", context)
    if not form.is_valid():
        page = Page([row], "")
        return render_corpus(
            request,
            corpus,
            "annotation/missing_abstracts.html",
            {"page": page, "entries": [(row, form)]},
            status=422,
        )
    messages.success(request, f"Saved the abstract of “{row}”.")
    return redirect("annotation:missing_abstracts", corpus.slug)


@login_required
@require_GET
def doubtful_boundaries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the abstracts with doubtful places, each place in its context."""
    corpus = door.get_editable_corpus(request.user, slug)
    if whole := _asked_for(request, corpus, "all"):
        context: dict[str, Any] = {"entries": [_boundaries(whole, is_whole=True)]}
        return render_corpus(
            request, corpus, "annotation/doubtful_boundaries.html", context
        )
    rows = library.doubtful(request.user, corpus)
    page = keyset_page(rows, request.GET.get("after"), key="position", size=LIST_SIZE)
    undoable = boundaries.undoable([row.pk for row in page.items])
    changed = _asked_for(request, corpus, "changed")
    context = {
        "page": page,
        "entries": [_entry(row, row.pk in undoable) for row in page.items],
        "changed": changed if changed and boundaries.undoable([changed.pk]) else None,
    }
    return render_corpus(
        request, corpus, "annotation/doubtful_boundaries.html", context
    )


def _entry(row: Document, can_undo: bool, *, is_whole: bool = False) -> dict[str, Any]:
    show = library.every_place if is_whole else library.document_places
    return {
        "document": row,
        "places": show(row),
        "can_undo": can_undo,
        "is_whole": is_whole,
    }


def _boundaries(row: Document, *, is_whole: bool) -> dict[str, Any]:
    return _entry(row, bool(boundaries.undoable([row.pk])), is_whole=is_whole)


def _asked_for(request: HttpRequest, corpus: Corpus, name: str) -> Document | None:
    """The visible abstract whose key the address holds."""
    pk = row_key(request.GET.get(name))
    if pk is None:
        return None
    documents = door.visible_documents(request.user, corpus)
    return library.with_use(documents).filter(pk=pk).first()


@login_required
@require_POST
def change_boundaries(
    request: HttpRequest, slug: str, document_id: int
) -> HttpResponse:
    """Split, merge, confirm or undo; for htmx the entry is shown again."""
    corpus = door.get_editable_corpus(request.user, slug)
    row = door.get_document(request.user, corpus, document_id)
    problem, is_whole = "", "whole" in request.POST
    try:
        _change(row, request, account(request))
    except DomainError as error:
        problem = str(error)
    if not request.htmx:  # type: ignore[attr-defined]
        if problem:
            messages.error(request, problem)
        url = reverse("annotation:doubtful_boundaries", args=[slug])
        name = "all" if is_whole else "changed"
        return redirect(f"{url}?{name}={row.pk}")
    row = library.with_use(corpus.documents.all()).get(pk=row.pk)
    entry = _boundaries(row, is_whole=is_whole)
    context = {"corpus": corpus, "entry": entry, "problem": problem}
    return render(request, "annotation/_boundaries.html", context)


def _change(row: Document, request: HttpRequest, actor: User) -> None:
    """Do what the pressed button says."""
    action, _, where = request.POST.get("action", "").partition(":")
    seen_hash = request.POST.get("seen_hash", "")
    common: dict[str, Any] = {"document": row, "seen_hash": seen_hash, "actor": actor}
    # Python refuses to read a number of thousands of digits.
    numbers = [int(part) for part in where[:40].split(":") if part.isdecimal()]
    if action == "undo":
        boundaries.undo_boundary_change(document=row, actor=actor)
    elif action == "confirm":
        boundaries.confirm_boundaries(**common)
    elif action == "merge" and len(numbers) == 1:
        boundaries.merge_sentences(**common, sentence=numbers[0])
    elif action == "split" and len(numbers) == 2:
        boundaries.split_sentence(**common, sentence=numbers[0], offset=numbers[1])
    else:
        raise DomainError("Say what should be changed.")
