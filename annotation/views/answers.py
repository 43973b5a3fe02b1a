"""The form of an answer, which verifying, revising and reviewing share."""

from __future__ import annotations

from django.http import HttpRequest

from annotation.forms.work import AnswerForm, initial_answer
from annotation.models import Judgement, Pair
from annotation.selectors import work


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
