"""Teams: one's own, joining by a link, leaving, and what they are called."""

from __future__ import annotations

from urllib.parse import urljoin

from django.conf import settings
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

from annotation.views.corpora import account
from corpus.exceptions import DomainError
from corpus.models import User
from verification import access as door
from verification.forms.teams import TeamForm
from verification.services import teams as services

SECTION = "benchmarks"


@login_required
@require_http_methods(["GET", "POST"])
def teams(request: HttpRequest) -> HttpResponse:
    """List the reader's teams; make a new one."""
    person = account(request)
    form = TeamForm(request.POST or None)
    if form.is_valid():
        try:
            team = services.create_team(name=form.cleaned_data["name"], founder=person)
        except DomainError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, "The team is there. Now send its link.")
            return redirect("verification:team", team.pk)
    context = {"teams": door.own_teams(person), "form": form, "section": SECTION}
    return render(request, "verification/teams.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def team(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a team to its members; rename it."""
    person = account(request)
    shown = door.get_team(person, pk)
    form = TeamForm(request.POST or None, initial={"name": shown.name})
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            services.rename_team(team=shown, member=person, name=name)
        except DomainError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, "Saved.")
            return redirect("verification:team", pk)
    path = reverse("verification:join_team", args=[shown.token])
    context = {
        "team": shown,
        "members": shown.members.order_by("pk"),
        "link": urljoin(settings.PUBLIC_URL, path),
        "form": form,
        "section": SECTION,
    }
    response = render(request, "verification/team.html", context)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def renew_team_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a team another link."""
    person = account(request)
    services.renew_link(team=door.get_team(person, pk), member=person)
    messages.success(request, "The old link no longer works.")
    return redirect("verification:team", pk)


@login_required
@require_POST
def leave_team(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a team."""
    person = account(request)
    left = door.get_team(person, pk)
    services.leave_team(team=left, person=person)
    messages.success(request, f"You have left “{left}”.")
    return redirect("verification:teams")


@require_GET
def join_team(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link leads to."""
    context = {"team": door.get_team_by_link(token), "section": SECTION}
    return render(request, "verification/join_team.html", context)


@login_required
@require_POST
def accept_team(request: HttpRequest, token: str) -> HttpResponse:
    """Let a signed-in person into the team."""
    person: User = account(request)
    found = door.get_team_by_link(token)
    try:
        services.join_team(team=found, person=person)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("verification:teams")
    messages.success(request, f"You are a member of “{found}” now.")
    return redirect("verification:team", found.pk)
