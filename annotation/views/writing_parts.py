"""What the pages of writing share."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.access import ProjectAccess
from annotation.claim_checks import check_claim, warnings_as_json
from annotation.forms.work import ReasonForm
from annotation.models import Draft as KeptDraft
from annotation.models import Source, Stage
from annotation.negation_diff import compare
from annotation.selectors import work, writing
from annotation.selectors.queue import left_for
from annotation.services import leases
from annotation.services.claims import MAX_CLAIM_LENGTH
from corpus.exceptions import DomainError
from corpus.records import ClaimKind
from corpus.text import normalise_newlines


def take_source(request: HttpRequest, access: ProjectAccess, source: Source) -> bool:
    """Take a source that is opened; say why if somebody else has it."""
    if source.state != Source.State.OPEN:
        messages.info(request, "You have submitted the claims of this one already.")
        return True
    try:
        leases.take_item(access=access, stage=Stage.WRITE, item_id=source.pk)
    except DomainError as error:
        messages.info(request, str(error))
        return False
    return True


def source_page(access: ProjectAccess, source: Source) -> dict[str, object]:
    """Return what every page of writing shows beside its form."""
    shows_abstract = access.project.rules.writer_sees_cited_abstract
    return {
        "source": source,
        "skip_form": ReasonForm(),
        "parts": work.passage_parts(source),
        "cited": work.cited_documents(source) if shows_abstract else [],
        "last": writing.last_written(access),
        "left": left_for(access, Stage.WRITE),
        "draft_kind": KeptDraft.Kind.WRITE,
    }


def negation_check(
    request: HttpRequest, original: str, field: str = "text"
) -> HttpResponse:
    """Return the piece that compares a negation being typed with its original."""
    text = request.POST.get(field, "")[:MAX_CLAIM_LENGTH]
    context = {"comparison": compare(original, text), "is_live": True}
    return render(request, "annotation/_negation_check.html", context)


def remarks(source: Source, text: str, kind: str = "") -> list[dict[str, Any]]:
    """Return what is unusual about a claim's wording; nothing for an empty box.

    An extracted claim is meant to be copied, and a hypothesis to say what its
    question asks.
    """
    cleaned = normalise_newlines(text[:MAX_CLAIM_LENGTH]).strip()
    if not cleaned:
        return []
    may_copy = kind == ClaimKind.EXTRACTED or source.citance is None
    warnings = check_claim(
        cleaned,
        source_text="" if may_copy else writing.source_text(source),
        max_words=source.project.rules.max_claim_words,
    )
    return warnings_as_json(cleaned, warnings)
