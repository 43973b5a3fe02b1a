"""Finding evidence for a claim: asking, watching the answer grow, keeping it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)
from rest_framework.throttling import BaseThrottle

from annotation.views.corpora import account
from corpus import live
from corpus.exceptions import DomainError
from corpus.models import User
from verification import access as door
from verification.evidence_layout import (
    CONFIDENCE,
    INVENTED,
    NOTHING_FOUND,
    PROTOTYPE,
)
from verification.forms.evidence import ClaimForm
from verification.models import FactCheck
from verification.selectors.claim_batches import next_check
from verification.selectors.evidence import check_page
from verification.selectors.evidence_files import answer_csv, answer_json
from verification.services.evidence_keeping import (
    keep_check,
    mark_abstract,
    release_check,
)
from verification.services.evidence_limits import (
    TooManyClaimsError,
    ask_within_limits,
)

SECTION = "evidence"
WORDS = {
    "nothing_found": NOTHING_FOUND,
    "invented": INVENTED,
    "prototype": PROTOTYPE,
    "confidence": CONFIDENCE,
}
MARKS = {"yes": True, "no": False, "": None}
# The status with which htmx asks no more.
STOP = 286
NO_MARK = "Say whether the evidence is plausible: yes, no, or nothing to take it back."

Response = TypeVar("Response", bound=HttpResponseBase)


def not_indexed(view: Callable[..., Response]) -> Callable[..., Response]:
    """Ask search engines to leave out what the view shows, in whatever form."""

    @wraps(view)
    def marked(request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return marked


@require_http_methods(["GET", "POST"])
def find_evidence(request: HttpRequest) -> HttpResponse:
    """Take a claim and lead to its answer."""
    form = _claim_form(request)
    if not (form.is_bound and form.is_valid()):
        return _form_page(request, form)
    try:
        check = ask_within_limits(
            **form.cleaned_data,
            asked_by=person_of(request),
            address=address_of(request),
        )
    except TooManyClaimsError as error:
        return _refused(request, form, error)
    except DomainError as error:
        form.add_error(None, str(error))
        return _form_page(request, form)
    return redirect("verification:evidence_answer", check.token)


def _claim_form(request: HttpRequest) -> ClaimForm:
    """Return what was sent, or a form with what the address names."""
    if request.method == "POST":
        return ClaimForm(request.POST)
    # Never the claim: addresses stand in logs and histories.
    names = ("corpus", "system")
    return ClaimForm(initial={k: request.GET[k] for k in names if k in request.GET})


def _form_page(
    request: HttpRequest, form: ClaimForm, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "section": SECTION,
        "words": WORDS,
        "can_ask": form.fields["corpus"].queryset.exists()  # type: ignore[attr-defined]
        and bool(form.fields["system"].choices),  # type: ignore[attr-defined]
        "is_ml_worker_missing": not live.workers_alive(live.ML_QUEUE),
    }
    return render(request, "verification/find_evidence.html", context, status=status)


def _refused(
    request: HttpRequest, form: ClaimForm, error: TooManyClaimsError
) -> HttpResponse:
    form.add_error(None, str(error))
    response = _form_page(request, form, 429)
    response["Retry-After"] = str(error.seconds_left(timezone.now()))
    return response


def person_of(request: HttpRequest) -> User | None:
    """Return who is signed in, if anybody."""
    return request.user if isinstance(request.user, User) else None


def address_of(request: HttpRequest) -> str:
    """Return the address of whoever asks, as the limits of the API tell it."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]


@require_GET
@never_cache
@not_indexed
def evidence_answer(request: HttpRequest, token: str) -> HttpResponse:
    """Show an answer; a poll gets the part that grows, or 204 if nothing is new."""
    try:
        check = door.get_check(token)
    except Http404:
        if getattr(request, "htmx", False):
            return render(request, "verification/_evidence_gone.html", status=STOP)
        raise
    page = check_page(check, request.user)
    context = {
        "page": page,
        "check": page.check,
        "section": SECTION,
        "words": WORDS,
        "next": next_check(page.check),
    }
    if not getattr(request, "htmx", False):
        return render(request, "verification/evidence_answer.html", context)
    if request.GET.get("seen") == page.seen:
        return HttpResponse(status=204)
    context["is_partial"] = True
    return render(request, "verification/_evidence_answer.html", context)


@require_POST
def keep_evidence(request: HttpRequest, token: str) -> HttpResponse:
    """Keep an answer under its address."""
    check = door.get_check(token)
    try:
        keep_check(check=check, actor=person_of(request))
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("verification:evidence_answer", token)


@require_POST
def release_evidence(request: HttpRequest, token: str) -> HttpResponse:
    """Take a permalink back; the answer goes an hour after it was asked."""
    check = door.get_check(token)
    try:
        release_check(check=check, actor=person_of(request))
    except DomainError as error:
        messages.error(request, str(error))
    return redirect("verification:evidence_answer", token)


@login_required
@require_POST
def mark_evidence(request: HttpRequest, token: str) -> HttpResponse:
    """Keep whether the reader finds the evidence of an abstract plausible."""
    check, person = door.get_check(token), account(request)
    document, said = (request.POST.get(name, "") for name in ("document", "plausible"))
    try:
        if said not in MARKS:
            raise DomainError(NO_MARK)
        mark_abstract(
            check=check, document=document, rater=person, is_plausible=MARKS[said]
        )
    except DomainError as error:
        messages.error(request, str(error))
    if not getattr(request, "htmx", False):
        return redirect("verification:evidence_answer", token)
    return _marked(request, check, document)


def _marked(request: HttpRequest, check: FactCheck, document: str) -> HttpResponse:
    page = check_page(check, request.user)
    shown = next(
        (s for s in page.layout.evidence if s.found.document == document), None
    )
    context = {"page": page, "check": check, "shown": shown, "is_partial": True}
    return render(request, "verification/_evidence_mark.html", context)


@require_GET
@never_cache
@not_indexed
def evidence_json(request: HttpRequest, token: str) -> HttpResponse:
    """Send an answer as JSON."""
    return JsonResponse(answer_json(door.get_check(token)))


@require_GET
@never_cache
@not_indexed
def evidence_csv(request: HttpRequest, token: str) -> HttpResponse:
    """Send an answer as a table."""
    check = door.get_check(token)
    response = HttpResponse(answer_csv(check), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="evidence-{token}.csv"'
    return response
