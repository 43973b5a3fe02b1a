"""Citances by paste of a paragraph."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation import access as door
from annotation.forms.citances import (
    SentenceChoice,
    add_cited,
    citances_of,
    paragraph_key,
    sentence_choices,
)
from annotation.forms.corpora import ParagraphForm
from annotation.selectors import corpora as library
from annotation.services.citances import add_paragraph
from annotation.views.corpora import account, render_corpus
from corpus.exceptions import DomainError
from corpus.models import Citation, Corpus


@login_required
@require_http_methods(["GET", "POST"])
def new_citances(request: HttpRequest, slug: str) -> HttpResponse:
    """Paste a paragraph, tick its citances, choose what they cite, save."""
    corpus = door.get_editable_corpus(request.user, slug)
    form = ParagraphForm(request.POST or None)
    choices = _choices(request, corpus, form)
    if request.POST.get("action") == "save" and form.is_valid():
        try:
            added = add_paragraph(
                corpus=corpus,
                article=form.article(),
                text=form.cleaned_data["text"],
                citances=citances_of(choices),
                actor=account(request),
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            words = "1 citance" if len(added) == 1 else f"{len(added)} citances"
            messages.success(request, f"Saved: {words}.")
            return redirect("annotation:corpus", slug)
    context = _context(form, choices)
    if request.htmx:  # type: ignore[attr-defined]
        context["corpus"] = corpus
        return render(request, "annotation/_citance_sentences.html", context)
    return render_corpus(request, corpus, "annotation/new_citances.html", context)


def _choices(
    request: HttpRequest, corpus: Corpus, form: ParagraphForm
) -> list[SentenceChoice]:
    if not form.is_bound:
        return []
    form.is_valid()
    choices = sentence_choices(form.cleaned_data.get("text", ""), request.POST)
    documents = door.visible_documents(request.user, corpus)
    find = partial(library.documents_to_cite, request.user, corpus)
    add_cited(choices, request.POST, documents, find)
    return choices


def _context(form: ParagraphForm, choices: list[SentenceChoice]) -> dict[str, object]:
    text = form.cleaned_data.get("text", "") if form.is_bound else ""
    return {
        "form": form,
        "choices": choices,
        "paragraph_key": paragraph_key(text),
        "roles": Citation.Role.choices,
    }
