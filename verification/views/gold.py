"""How a benchmark begins, and gets gold: the choice of a task, and the files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotation.views.corpora import account
from corpus.exceptions import DomainError
from corpus.files import store_upload, visible_files
from corpus.jobs import visible_jobs
from corpus.models import Job, StoredFile, User
from verification.access import BenchmarkAccess
from verification.benchmark_tasks import PROFILE_WORDS, TASKS
from verification.forms.benchmarks import NewBenchmarkForm
from verification.forms.gold import FILES, GoldForm, kept_name
from verification.scoring.findings import Finding
from verification.scoring.registry import get_task
from verification.services.gold import GoldRefusedError, scoring_of
from verification.services.gold_jobs import (
    KIND,
    NewGold,
    is_large,
    keep_now,
    refusal_of,
    start_gold_check,
)
from verification.views.organising import as_organiser, form_page


@login_required
@require_GET
def new_benchmark(request: HttpRequest) -> HttpResponse:
    """Step 1: what systems will have to do."""
    choices = [
        {
            "task": task,
            "words": words,
            "profiles": [PROFILE_WORDS[name] for name in get_task(task).profiles],
        }
        for task, words in TASKS.items()
    ]
    context = {"choices": choices, "section": "benchmarks"}
    return render(request, "verification/new_benchmark.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def create_benchmark(request: HttpRequest, task: str) -> HttpResponse:
    """Step 2: words, scoring, and the gold."""
    if task not in TASKS:
        raise Http404("There is no such task.")
    if request.method == "POST":
        form = NewBenchmarkForm(request.POST, task=task, **_uploads(request))
        response, errors = _kept(request, form, lambda: _benchmark_of(form))
        if response is not None:
            return response
    else:
        form = NewBenchmarkForm(task=task, **_earlier_form(request))
        errors = _earlier_errors(request, form)
    context = {"form": form, "words": TASKS[task], "errors": errors}
    context |= {"section": "benchmarks"}
    return render(request, "verification/create_benchmark.html", context)


def _benchmark_of(form: NewBenchmarkForm) -> NewGold:
    """Return what a valid form asks for."""
    return NewGold(
        files=form.gold_files(),
        scoring=form.scoring(),
        split=form.cleaned_data["split"],
        is_hidden=form.cleaned_data["is_hidden"],
        about=form.about(),
    )


@login_required
@require_http_methods(["GET", "POST"])
def new_gold(request: HttpRequest, slug: str) -> HttpResponse:
    """Upload another gold set for further phases."""
    access = as_organiser(request, slug)
    words = TASKS[access.benchmark.task].gold
    if request.method == "POST":
        form = GoldForm(request.POST, gold_words=words, **_uploads(request))
        response, errors = _kept(request, form, lambda: _more_gold(form, access))
        if response is not None:
            return response
    else:
        form = GoldForm(gold_words=words, **_earlier_form(request))
        errors = _earlier_errors(request, form)
    title = "Another gold set"
    return form_page(request, access, form, title, "Check and keep", errors=errors)


def _more_gold(form: GoldForm, access: BenchmarkAccess) -> NewGold:
    """Return what a valid form asks for."""
    return NewGold(
        files=form.gold_files(),
        scoring=scoring_of(access.benchmark),
        split=form.cleaned_data["split"],
        is_hidden=form.cleaned_data["is_hidden"],
        benchmark=access.benchmark,
    )


def _uploads(request: HttpRequest) -> dict[str, Any]:
    """Keep the files that came, and find those that came with an earlier try."""
    owner = account(request)
    kept: dict[str, StoredFile] = {}
    refused: dict[str, str] = {}
    for name in FILES:
        upload = request.FILES.get(name)
        try:
            stored = (
                store_upload(upload=upload, owner=owner)
                if upload
                else _earlier(owner, request.POST.get(kept_name(name), ""))
            )
        except DomainError as error:
            refused[name] = str(error)
            continue
        if stored is not None:
            kept[name] = stored
    return {"kept": kept, "refused": refused}


def _earlier(owner: User, token: str) -> StoredFile | None:
    return visible_files(owner).filter(token=token.replace("\0", "")).first()


def _kept(
    request: HttpRequest, form: GoldForm, asked: Callable[[], NewGold]
) -> tuple[HttpResponse | None, list[Finding]]:
    """Keep gold, or have a job do so; else say in the form what is wrong."""
    if not form.is_valid():
        return None, []
    new, organiser = asked(), account(request)
    try:
        if is_large(new.files):
            filled = {name: str(form.data.get(name, "")) for name in form.fields}
            job = start_gold_check(new=new, form=filled, organiser=organiser)
            return redirect("corpus:job", job.token), []
        benchmark = keep_now(new, organiser)
    except DomainError as error:
        return None, _refusal(form, error)
    what = "The benchmark" if new.about else "The gold set"
    messages.success(request, f"{what} is there. Now add a phase.")
    return redirect("verification:new_phase", benchmark.slug), []


def _refusal(form: GoldForm, error: DomainError) -> list[Finding]:
    """Say in the form what was refused; return the errors in the files."""
    errors = error.errors if isinstance(error, GoldRefusedError) else []
    form.add_error("gold" if errors else None, str(error))
    return errors


# What a job refused -----------------------------------------------------------------


def _earlier_form(request: HttpRequest) -> dict[str, Any]:
    """Return what was filled in before a job that the address names."""
    job = _check(request)
    if job is None:
        return {}
    filled = QueryDict(mutable=True)
    filled.update(job.payload.get("form", {}))
    found = {
        name: _earlier(account(request), filled.get(kept_name(name), ""))
        for name in FILES
    }
    return {"data": filled, "kept": {n: file for n, file in found.items() if file}}


def _earlier_errors(request: HttpRequest, form: GoldForm) -> list[Finding]:
    """Say in the form what the job refused; return the errors in the files."""
    job = _check(request)
    error, errors = refusal_of(job) if job else (None, [])
    if error is not None and form.is_valid():
        form.add_error("gold" if errors else None, str(error))
    return errors


def _check(request: HttpRequest) -> Job | None:
    """Return the reader's own job that the address names, 404 for any other."""
    token = request.GET.get("check", "").replace("\0", "")
    if not token:
        return None
    own = visible_jobs(request.user).filter(owner=account(request), kind=KIND)
    return get_object_or_404(own, token=token)
