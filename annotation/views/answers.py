"""The form of an answer, which several stages share, and an answer that is too late."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from annotation.access import ProjectAccess
from annotation.forms.judging import sent_sentences
from annotation.forms.work import AnswerForm, initial_answer
from annotation.models import Judgement, Pair
from annotation.selectors import work
from annotation.views.pages import render_project


def answer_form(
    request: HttpRequest | None, pair: Pair, judgement: Judgement | None = None
) -> AnswerForm:
    """Return the form of an answer; for a judgement, with what it says now.

    Without a request, nothing of what was sent is in it.
    """
    rules = pair.project.rules
    initial = {}
    if judgement is not None:
        initial = initial_answer(
            judgement.label, work.plain_rationales(judgement), rules
        )
        initial["version"] = judgement.version
    return AnswerForm(
        request.POST or None if request else None,
        initial=initial,
        rules=rules,
        labels=[(c.label.value, c.word) for c in pair.project.labels],
        sentences=pair.document.sentences,
    )


def show_late_answer(
    request: HttpRequest,
    access: ProjectAccess,
    pair: Pair | None,
    *,
    why: str,
    section: str,
) -> HttpResponse:
    """Show an answer that came too late, so that it is not lost.

    ``pair`` is given only for those who may read it; ``section`` is the page from
    which they go on.
    """
    words = {choice.label.value: choice.word for choice in access.project.labels}
    context = {
        "words": why,
        "pair": pair,
        "label": words.get(request.POST.get("label", ""), ""),
        "sentences": sent_sentences(
            request.POST, pair.document.sentences if pair else []
        ),
        "note": request.POST.get("note", ""),
        "go_on": f"annotation:{section}",
    }
    return render_project(
        request,
        access,
        "annotation/late_answer.html",
        context,
        status=409,
        section=section,
    )
