"""A submission claim by claim, error tags, and the comparison of two runs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from corpus.exceptions import DomainError
from corpus.records import Label
from verification import access as door
from verification.access import SubmissionAccess
from verification.disclosure import Detail
from verification.forms.submissions import TagForm
from verification.models import ClaimTag, Submission
from verification.selectors.claims import (
    Wanted,
    claim_key,
    claims_page,
    differences,
    gold_of,
    require_readable,
)
from verification.services.comparisons import (
    INLINE_CLAIMS,
    comparable_score,
    compare_runs,
    kept_comparison,
    start_comparing_runs,
)
from verification.services.tags import set_tags
from verification.views.benchmarks import render_benchmark

NOT_SHOWN = "Errors are shown where a phase shows everything, or once it has closed."


def _open(request: HttpRequest, token: str) -> SubmissionAccess:
    """Return a scored submission all of which its reader may see."""
    access = door.get_submission(request.user, token)
    if not access.is_insider:
        raise PermissionDenied("Only whoever submitted this may do that.")
    if access.detail is not Detail.EVERYTHING:
        raise PermissionDenied(NOT_SHOWN)
    if access.submission.state != Submission.State.SCORED:
        raise Http404("This submission has no score.")
    return access


@login_required
@require_GET
@never_cache
def submission_claims(request: HttpRequest, token: str) -> HttpResponse:
    """Show claim by claim what was right, missed, extra or never judged."""
    access = _open(request, token)
    wanted = _wanted(request)
    context: dict[str, Any] = {
        "wanted": wanted,
        "labels": list(Label),
        "tags": ClaimTag.Tag.choices,
    }
    try:
        require_readable(access.submission)
    except DomainError as error:
        context["refused"] = error
    else:
        context["page"] = claims_page(access.submission, wanted)
    return _render(request, access, "verification/submission_claims.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    """Read the filter; what makes no sense is no filter."""
    asked = request.GET
    label, after = asked.get("label", ""), asked.get("after", "")
    is_number = after.isascii() and after.isdigit() and len(after) < 7
    return Wanted(
        is_wrong_only=asked.get("show") != "all",
        label=Label(label) if label in set(Label) else None,
        tag=asked.get("tag", ""),
        claim=asked.get("claim", ""),
        after=int(after) if is_number else 0,
    )


@login_required
@require_POST
def tag_claim(request: HttpRequest, token: str) -> HttpResponse:
    """Say why the system went wrong on a claim; for htmx only its form again."""
    access = _open(request, token)
    form = TagForm(request.POST)
    claims = _claim_keys(access.submission)
    key = request.POST.get("claim", "")
    if not form.is_valid() or key not in claims:
        raise Http404("There is no such claim or tag.")
    tags = form.cleaned_data["tags"]
    set_tags(
        submission=access.submission,
        claim=key,
        tags=tags,
        actor=access.benchmark.account,
    )
    if getattr(request, "htmx", False):
        context = {
            "submission": access.submission,
            "key": key,
            "chosen": tags,
            "number": request.POST.get("number", ""),
            "tags": ClaimTag.Tag.choices,
            "is_saved": True,
        }
        return render(request, "verification/_submission_tags.html", context)
    page = reverse("verification:submission_claims", args=[token])
    return redirect(f"{page}?{urlencode({'claim': key})}")


def _claim_keys(submission: Submission) -> set[str]:
    try:
        require_readable(submission)
    except DomainError:
        return set()
    return {claim_key(claim) for claim in gold_of(submission)}


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def compare(request: HttpRequest, token: str) -> HttpResponse:
    """Compare two runs of a phase: claims won and lost, and whether it is chance."""
    access = _open(request, token)
    others = _others(access)
    if request.method == "POST":
        return _compare(request, access, _other(others, request.POST.get("with", "")))
    context: dict[str, Any] = {"others": others.order_by("-pk")[:100]}
    if chosen := request.GET.get("with"):
        context |= _compared(access.submission, _other(others, chosen))
    return _render(request, access, "verification/submission_comparison.html", context)


def _others(access: SubmissionAccess) -> QuerySet[Submission]:
    """The runs to compare with: the reader's own, for organisers all of the phase."""
    benchmark = access.benchmark
    everything = (
        benchmark.all_submissions()
        if benchmark.is_organiser
        else door.own_submissions(benchmark.user)
    )
    shown = access.submission
    return (
        everything.filter(phase=shown.phase, state=Submission.State.SCORED)
        .exclude(pk=shown.pk)
        .select_related("phase__benchmark", "phase__gold_set__gold", "file")
    )


def _other(others: QuerySet[Submission], token: str) -> Submission:
    found = None if "\x00" in token else others.filter(token=token).first()
    if found is None:
        raise Http404("There is no such submission to compare with.")
    return found


def _compare(
    request: HttpRequest, access: SubmissionAccess, other: Submission
) -> HttpResponse:
    shown = access.submission
    page = reverse("verification:compare_runs", args=[shown.token])
    if shown.phase.gold_set.n_claims > INLINE_CLAIMS:
        job = start_comparing_runs(
            first=shown, second=other, actor=access.benchmark.account
        )
        return redirect("corpus:job", job.token)
    try:
        compare_runs(first=shown, second=other)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect(page)
    return redirect(f"{page}?{urlencode({'with': other.token})}")


def _compared(shown: Submission, other: Submission) -> dict[str, Any]:
    one, two = comparable_score(shown), comparable_score(other)
    if one is None or two is None:
        return {"other": other}
    metric = shown.phase.benchmark.primary_metric
    return {
        "other": other,
        "first": one,
        "second": two,
        "comparison": kept_comparison(one, two, metric),
        "differences": differences(one, two),
    }


def _render(
    request: HttpRequest,
    access: SubmissionAccess,
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    benchmark = access.benchmark.benchmark
    visible = door.visible_benchmarks(request.user).filter(pk=benchmark.pk)
    shared = {
        "submission": access.submission,
        "phase": access.submission.phase,
        "is_benchmark_open": visible.exists(),
    }
    return render_benchmark(request, access.benchmark, template, shared | context)
