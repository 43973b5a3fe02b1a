"""What organisers do on the site: benchmarks, gold, phases, announcements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation.views.corpora import account
from corpus.exceptions import DomainError
from verification import access as door
from verification.access import BenchmarkAccess
from verification.forms.benchmarks import (
    AboutForm,
    AnnouncementForm,
    DeadlineForm,
    LimitsForm,
    OpeningForm,
    PhaseForm,
    gold_sets_of,
)
from verification.organiser_links import DAYS as LINK_DAYS
from verification.organiser_links import token_of
from verification.services import benchmarks as services
from verification.services import phases as phase_services
from verification.views.benchmarks import render_benchmark


def as_organiser(request: HttpRequest, slug: str) -> BenchmarkAccess:
    """Return an organiser's access to a benchmark, else 404 or 403."""
    access = door.get_benchmark(request.user, slug)
    access.require_organiser()
    return access


@login_required
@require_GET
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Show organisers all that they can do."""
    return _organise(request, as_organiser(request, slug))


def _organise(
    request: HttpRequest,
    access: BenchmarkAccess,
    *,
    announcement_form: AnnouncementForm | None = None,
    link: str = "",
) -> HttpResponse:
    benchmark = access.benchmark
    context = {
        "phases": list(access.phases()),
        "now": timezone.now(),
        "gold_sets": gold_sets_of(benchmark),
        "organisers": benchmark.organisers.order_by("pk"),
        "announcement_form": announcement_form or AnnouncementForm(),
        "link": link,
        "link_days": LINK_DAYS,
        "tab": "organise",
    }
    response = render_benchmark(request, access, "verification/organise.html", context)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_http_methods(["GET", "POST"])
def edit_benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the words of a benchmark, and who may see it."""
    access = as_organiser(request, slug)
    benchmark = access.benchmark
    initial = {
        "name": benchmark.name,
        "description": benchmark.description,
        "visibility": benchmark.visibility,
    }
    form = AboutForm(request.POST or None, initial=initial)
    if form.is_valid() and done(
        form,
        lambda: services.change_benchmark(
            benchmark=benchmark, organiser=access.account, about=form.about()
        ),
    ):
        messages.success(request, "Saved.")
        return redirect("verification:organise", slug)
    return form_page(request, access, form, "Words and readers", "Save")


def form_page(
    request: HttpRequest,
    access: BenchmarkAccess,
    form: Any,
    title: str,
    submit: str,
    **more: Any,
) -> HttpResponse:
    """Render a page that is one form of an organiser."""
    context = {"form": form, "title": title, "submit": submit, "tab": "organise"}
    return render_benchmark(
        request, access, "verification/organise_form.html", context | more
    )


def done(form: Any, change: Callable[[], Any]) -> bool:
    """Carry a change out; what is refused stands in the form."""
    try:
        change()
    except DomainError as error:
        form.add_error(None, str(error))
        return False
    return True


@login_required
@require_http_methods(["GET", "POST"])
def new_phase(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a phase."""
    access = as_organiser(request, slug)
    latest = gold_sets_of(access.benchmark).last()
    form = PhaseForm(
        request.POST or None,
        benchmark=access.benchmark,
        initial={"gold_set": latest},
    )
    if form.is_valid() and done(
        form,
        lambda: phase_services.add_phase(
            benchmark=access.benchmark, organiser=access.account, **form.values()
        ),
    ):
        messages.success(request, "The phase is added.")
        return redirect("verification:benchmark", slug)
    return form_page(
        request, access, form, "New phase", "Add the phase", offers_gold=True
    )


@login_required
@require_http_methods(["GET", "POST"])
def edit_phase(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change what a phase is called and shows, and its limits."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    form = LimitsForm(request.POST or None, initial=LimitsForm.initial_of(phase))
    if form.is_valid() and done(
        form,
        lambda: phase_services.change_phase(
            phase=phase,
            organiser=access.account,
            name=form.cleaned_data["name"],
            shows=form.cleaned_data["shows"],
            **form.limits(),
        ),
    ):
        messages.success(request, "Saved. The change stands on the benchmark's page.")
        return redirect("verification:organise", slug)
    return form_page(request, access, form, f"Change “{phase}”", "Save")


@login_required
@require_http_methods(["GET", "POST"])
def move_opening(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Move the opening of a phase, with a reason that everybody reads."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    form = OpeningForm(request.POST or None, initial=OpeningForm.initial_of(phase))
    if form.is_valid() and done(
        form,
        lambda: phase_services.change_opening(
            phase=phase,
            organiser=access.account,
            opens_at=form.cleaned_data["opens_at"],
            why=form.cleaned_data["why"],
        ),
    ):
        messages.success(request, "The opening is moved.")
        return redirect("verification:benchmark", slug)
    title = f"Move the opening of “{phase}”"
    return form_page(
        request, access, form, title, "Move the opening", opens_at=phase.opens_at
    )


@login_required
@require_http_methods(["GET", "POST"])
def move_deadline(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Move a deadline, with a reason that everybody reads."""
    access = as_organiser(request, slug)
    phase = access.phase(number)
    form = DeadlineForm(request.POST or None, initial=DeadlineForm.initial_of(phase))
    if form.is_valid() and done(
        form,
        lambda: phase_services.change_deadline(
            phase=phase,
            organiser=access.account,
            closes_at=form.cleaned_data["closes_at"],
            why=form.cleaned_data["why"],
        ),
    ):
        messages.success(request, "The deadline is moved.")
        return redirect("verification:benchmark", slug)
    title = f"Move the deadline of “{phase}”"
    return form_page(
        request, access, form, title, "Move the deadline", closes_at=phase.closes_at
    )


@login_required
@require_POST
def announce(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell everybody who sees the benchmark something."""
    access = as_organiser(request, slug)
    form = AnnouncementForm(request.POST)
    if form.is_valid() and done(
        form,
        lambda: services.announce(
            benchmark=access.benchmark,
            organiser=access.account,
            text=form.cleaned_data["text"],
        ),
    ):
        messages.success(request, "Announced.")
        return redirect("verification:benchmark", slug)
    return _organise(request, access, announcement_form=form)


@login_required
@require_POST
def invite_organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a link by which somebody else organises the benchmark too."""
    access = as_organiser(request, slug)
    token = token_of(access.benchmark)
    path = reverse("verification:join_organisers", args=[token])
    return _organise(request, access, link=urljoin(settings.PUBLIC_URL, path))


@require_GET
def join_organisers(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link leads to."""
    context = {
        "benchmark": door.get_benchmark_by_link(token),
        "token": token,
        "section": "benchmarks",
    }
    return render(request, "verification/join_organisers.html", context)


@login_required
@require_POST
def accept_organising(request: HttpRequest, token: str) -> HttpResponse:
    """Make a signed-in person an organiser."""
    door.get_benchmark_by_link(token)
    try:
        benchmark = services.add_organiser(token=token, person=account(request))
    except DomainError as error:  # somebody else was faster
        messages.error(request, str(error))
        return redirect("verification:benchmarks")
    messages.success(request, f"You organise “{benchmark}” now.")
    return redirect("verification:organise", benchmark.slug)


@login_required
@require_POST
def remove_organiser(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the organiser's part from somebody."""
    access = as_organiser(request, slug)
    person = get_object_or_404(access.benchmark.organisers, pk=pk)
    try:
        services.remove_organiser(
            benchmark=access.benchmark, organiser=access.account, person=person
        )
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("verification:organise", slug)
    messages.success(request, f"{person} no longer organises this benchmark.")
    if person == access.account:
        return redirect("verification:benchmarks")
    return redirect("verification:organise", slug)
