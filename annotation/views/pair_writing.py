"""Writing a claim and its negation in one go, with their labels and rationales."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.pair_writing import BothAnswers, PairWritingForm
from annotation.forms.work import initial_answer
from annotation.models import Claim, EarlyAnswer, Source, Stage
from annotation.negation_diff import compare
from annotation.protocols import Verifier
from annotation.selectors import candidates, work, writing
from annotation.selectors.negations import trigger_reason
from annotation.services.claims import MAX_CLAIM_LENGTH
from annotation.services.pair_writing import write_claim_and_negation
from annotation.views.clock import keep_time, tell_of_session
from annotation.views.pages import render_project, require_accepted_texts
from annotation.views.writing_parts import (
    negation_check,
    remarks,
    source_page,
    take_source,
)
from corpus.exceptions import DomainError
from corpus.models import Document


def write_pair(
    request: HttpRequest, access: ProjectAccess, source: Source
) -> HttpResponse:
    """Write a claim and its negation from one source."""
    taken = writing.taken_back(access, source, request.GET.get("again", ""))
    data = request.POST or None
    form = PairWritingForm(data, rules=access.project.rules, initial=_initial(taken))
    both = _both_answers(data, access, source, taken)
    if request.method == "GET":
        if not take_source(request, access, source):
            return redirect("annotation:write_claims", access.project.slug)
    else:
        is_complete = both is None or both.is_valid()
        if (
            form.is_valid()
            and is_complete
            and _submit(request, access, source, form, both)
        ):
            return redirect("annotation:write_claims", access.project.slug)
    text, negation = (str(form[name].value() or "") for name in ("text_1", "negation"))
    kind = str(form["kind_1"].value()) if "kind_1" in form.fields else ""
    context = source_page(access, source) | {
        "form": form,
        "both": both,
        "parts_of_form": [form, both.claim, both.negation] if both else [form],
        "candidates": candidates.candidate_sentences(source),
        "comparison": compare(text, negation),
        "warnings": remarks(source, text, kind),
    }
    return render_project(request, access, "annotation/write_pair.html", context)


def _initial(taken: list[Claim]) -> dict[str, str]:
    """Start, after an undo, from what was taken back."""
    values: dict[str, str] = {}
    for claim in taken:
        if claim.negates_id is None:
            values |= {"text_1": claim.text, "kind_1": claim.kind}
        else:
            reason = trigger_reason(claim)
            values |= {"negation": claim.text, "trigger_reason": reason}
    return values


def _both_answers(
    data: Any, access: ProjectAccess, source: Source, taken: list[Claim]
) -> BothAnswers | None:
    """The part of the form that judges, where the writer is the one who judges."""
    document = _document_to_judge(access, source)
    if document is None:
        return None
    project = access.project
    initial = {}
    for early in EarlyAnswer.objects.filter(
        claim_version__claim__in=taken, document=document
    ).select_related("claim_version__claim"):
        prefix = "claim" if early.claim_version.claim.negates_id is None else "negated"
        initial[prefix] = initial_answer(early.label, early.rationales, project.rules)
    return BothAnswers(
        data,
        document=document,
        rules=project.rules,
        labels=project.labels,
        initial=initial,
    )


def _document_to_judge(access: ProjectAccess, source: Source) -> Document | None:
    """The first cited abstract that has a text; the others wait in Verify."""
    rules = access.project.rules
    if rules.verifier is not Verifier.WRITER or not access.can_now(Stage.VERIFY):
        return None
    if not rules.writer_sees_cited_abstract:
        return None
    documents = work.cited_documents(source)
    return next((d for d in documents if d.has_abstract), None)


def _submit(
    request: HttpRequest,
    access: ProjectAccess,
    source: Source,
    form: PairWritingForm,
    both: BothAnswers | None,
) -> bool:
    key = form.cleaned_data["submission_key"]
    try:
        write_claim_and_negation(
            source=source,
            author=access.account,
            written=form.written(both.answers() if both else None),
            submission_key=key,
        )
    except DomainError as error:
        form.add_error(None, str(error))
        return False
    opened = keep_time(access, Stage.WRITE, source.pk, form)
    tell_of_session(request, opened)
    words = "Submitted: the claim and its negation wait for proofreading"
    words += ", and your labels with them." if both else "."
    messages.success(request, words)
    return True


@login_required
@require_POST
@require_accepted_texts
def compare_pair(request: HttpRequest, slug: str, source_id: int) -> HttpResponse:
    """Compare a claim and a negation that somebody is typing; nothing is kept."""
    access = door.get_project(request.user, slug)
    get_object_or_404(work.own_sources(access), pk=source_id)
    text = request.POST.get("text_1", "")[:MAX_CLAIM_LENGTH]
    return negation_check(request, text, "negation")
