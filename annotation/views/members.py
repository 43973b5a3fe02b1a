"""The members of a project, and the links that let people in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.forms.people import InvitationForm, StagesForm, SuspendForm
from annotation.models import Invitation, Membership, Stage
from annotation.services import members as services
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.models import User
from corpus.paging import keyset_page


def _as_admin(request: HttpRequest, slug: str) -> ProjectAccess:
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    return access


@login_required
@require_GET
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """List the members and the invitations."""
    access = _as_admin(request, slug)
    return _members_page(request, access, InvitationForm())


def _members_page(
    request: HttpRequest, access: ProjectAccess, form: InvitationForm, link: str = ""
) -> HttpResponse:
    people = access.project.memberships.select_related("user")
    invitations = access.project.invitations.select_related("created_by")
    context = {
        "page": keyset_page(people, request.GET.get("after"), key="pk"),
        "invitations": invitations.order_by("-pk")[:50],
        "usable": set(
            invitations.filter(services.usable_invitations()).values_list(
                "pk", flat=True
            )
        ),
        "form": form,
        "link": link,
    }
    return render_project(request, access, "annotation/members.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def change_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change what a member may do."""
    access = _as_admin(request, slug)
    member = _member(access, pk)
    form = StagesForm(request.POST or None, initial={"stages": member.stages})
    if request.method == "POST":
        # An empty form is a decision too: the member can then only read.
        form = StagesForm(request.POST)
        if form.is_valid():
            return _change(
                request,
                slug,
                lambda: services.change_stages(
                    membership=member,
                    stages=form.cleaned_data["stages"],
                    actor=access.account,
                ),
                f"{member.user} has these permissions now.",
            )
    context = {"member": member, "form": form, "suspend_form": SuspendForm()}
    return render_project(request, access, "annotation/change_member.html", context)


def _member(access: ProjectAccess, pk: int) -> Membership:
    return get_object_or_404(access.project.memberships.select_related("user"), pk=pk)


def _change(request: HttpRequest, slug: str, change: Any, words: str) -> HttpResponse:
    """Carry a change out and say what became of it."""
    try:
        change()
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, words)
    return redirect("annotation:members", slug)


@login_required
@require_POST
def suspend_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Shut a member out."""
    access = _as_admin(request, slug)
    member = _member(access, pk)
    form = SuspendForm(request.POST)
    why = form.cleaned_data["why"] if form.is_valid() else ""
    return _change(
        request,
        slug,
        lambda: services.suspend_member(
            membership=member, actor=access.account, why=why
        ),
        f"{member.user} is suspended. What they wrote stays.",
    )


@login_required
@require_POST
def reinstate_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let a suspended member work again."""
    access = _as_admin(request, slug)
    member = _member(access, pk)
    return _change(
        request,
        slug,
        lambda: services.reinstate_member(membership=member, actor=access.account),
        f"{member.user} can work again, on probation.",
    )


@login_required
@require_POST
def trust_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """End a member's probation."""
    access = _as_admin(request, slug)
    member = _member(access, pk)
    return _change(
        request,
        slug,
        lambda: services.trust_member(membership=member, actor=access.account),
        f"{member.user} is trusted now.",
    )


@login_required
@require_POST
def create_invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a link and show it, this once."""
    access = _as_admin(request, slug)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _members_page(request, access, form)
    try:
        _, token = services.create_invitation(
            project=access.project, actor=access.account, **form.values()
        )
    except DomainError as error:
        form.add_error("stages", str(error))
        return _members_page(request, access, form)
    link = urljoin(settings.PUBLIC_URL, reverse("annotation:join", args=[token]))
    return _members_page(request, access, InvitationForm(), link)


@login_required
@require_POST
def revoke_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a link useless."""
    access = _as_admin(request, slug)
    invitation = get_object_or_404(Invitation, project=access.project, pk=pk)
    return _change(
        request,
        slug,
        lambda: services.revoke_invitation(invitation=invitation, actor=access.account),
        "The link no longer works.",
    )


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link invites to; let a signed-in person in."""
    try:
        if request.method == "POST" and isinstance(request.user, User):
            return _join(request, token, request.user)
        invitation = services.find_invitation(token)
    except DomainError as error:
        return render(request, "annotation/join.html", {"error": error}, status=410)
    return render(request, "annotation/join.html", {"invitation": invitation})


def _join(request: HttpRequest, token: str, user: User) -> HttpResponse:
    membership = services.accept_invitation(token=token, user=user)
    messages.success(request, f"Welcome to {membership.project}.")
    return redirect("annotation:project", membership.project.slug)
