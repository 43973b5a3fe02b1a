"""What a person sees about themselves, and what those who run the instance can do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)

from annotation.forms.people import (
    ErasureForm,
    OwnErasureForm,
    PreferencesForm,
    TokenForm,
)
from annotation.models import Acceptance
from annotation.selectors import personal_data
from annotation.services import accounts
from annotation.services.erasure import erase_identity
from annotation.views.keys import keys_form
from corpus import tokens
from corpus.exceptions import DomainError
from corpus.models import ApiToken, User
from corpus.paging import keyset_page

View = Callable[..., HttpResponse]


def signed_in(request: HttpRequest) -> User:
    """The signed-in user of a view with ``login_required``."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


@login_required
@require_GET
def my_data(request: HttpRequest) -> HttpResponse:
    """Say what is kept about the reader, and who can see what."""
    user = signed_in(request)
    context = {
        "parts": personal_data.project_parts(user),
        "addresses": EmailAddress.objects.filter(user=user).order_by("pk"),
        "acceptances": Acceptance.objects.filter(user=user)
        .select_related("guideline__project", "consent_text__project")
        .order_by("pk"),
        "tokens": user.api_tokens.filter(revoked_at=None).count(),
        "files": user.files.count(),
        "measures": personal_data.measures(user),
        "further_counts": personal_data.further_counts(user),
    }
    return render(request, "annotation/my_data.html", context)


@login_required
@require_GET
def download_my_data(request: HttpRequest) -> HttpResponseBase:
    """Send everything as one JSON file."""
    rows = personal_data.personal_data_json(signed_in(request))
    return _download(rows, "application/json", "my-data.json")


@login_required
@require_GET
def download_my_work(request: HttpRequest) -> HttpResponseBase:
    """Send what the reader wrote as a table."""
    rows = personal_data.work_csv(signed_in(request))
    return _download(rows, "text/csv; charset=utf-8", "my-work.csv")


def _download(rows: Any, content_type: str, name: str) -> HttpResponseBase:
    return StreamingHttpResponse(
        rows,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        },
    )


@login_required
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Change the name that others see, the time zone, and what is mailed."""
    user = signed_in(request)
    form = PreferencesForm(
        request.POST or None,
        initial={
            "first_name": user.first_name,
            "last_name": user.last_name,
            "time_zone": user.time_zone,
            "wants_mail_digest": user.wants_mail_digest,
        },
    )
    if form.is_valid():
        accounts.change_preferences(user=user, **form.cleaned_data)
        messages.success(request, "Your preferences are saved.")
        return redirect("annotation:preferences")
    context = {"form": form, "keys_form": keys_form(user)}
    return render(request, "annotation/preferences.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def api_tokens(request: HttpRequest) -> HttpResponse:
    """List the reader's tokens; create one and show its key, this once."""
    user = signed_in(request)
    form, key = TokenForm(request.POST or None), ""
    if form.is_valid():
        _, key = tokens.create_token(
            user=user,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=form.expires_at(),
        )
        form = TokenForm()
    context = {"form": form, "key": key, "tokens": user.api_tokens.order_by("-pk")}
    response = render(request, "annotation/api_tokens.html", context)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def revoke_api_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Make one of the reader's tokens useless."""
    token = get_object_or_404(ApiToken, user=signed_in(request), pk=pk)
    tokens.revoke_token(token=token)
    messages.success(request, f"The token “{token.name}” no longer works.")
    return redirect("annotation:api_tokens")


@login_required
@require_http_methods(["GET", "POST"])
def erase_me(request: HttpRequest) -> HttpResponse:
    """Erase the reader's identity, after the password and a typed word."""
    user = signed_in(request)
    form = OwnErasureForm(request.POST or None, user=user)
    if form.is_valid():
        try:
            erase_identity(user=user, actor=user)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, "Your identity is erased. You are signed out.")
            return redirect("annotation:dashboard")
    return render(request, "annotation/erase_me.html", {"form": form})


# Pages of those who run the instance: they do not exist for anybody else.


def superuser_required(view: View) -> View:
    """404 for everybody who does not run the instance."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not signed_in(request).is_superuser:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


@login_required
@superuser_required
@require_GET
def list_people(request: HttpRequest) -> HttpResponse:
    """List the accounts of this instance."""
    return _people_page(request)


def _people_page(
    request: HttpRequest, person: User | None = None, link: str = ""
) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    people = User.objects.all()
    for word in query.replace("\x00", "").split():
        people = people.filter(
            Q(username__icontains=word)
            | Q(email__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
        )
    context = {
        "page": keyset_page(people, request.GET.get("after"), key="pk"),
        "query": query,
        "person": person,
        "link": link,
    }
    return render(request, "annotation/list_people.html", context)


@login_required
@superuser_required
@require_POST
def make_reset_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a link with which a person can choose a new password."""
    person = get_object_or_404(User, pk=pk)
    try:
        link = accounts.make_reset_link(person)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("annotation:list_people")
    response = _people_page(request, person, link)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@superuser_required
@require_POST
def set_person_active(request: HttpRequest, pk: int) -> HttpResponse:
    """Deactivate an account, or activate it again."""
    person = get_object_or_404(User, pk=pk)
    is_active = request.POST.get("is_active") == "true"
    try:
        accounts.set_active(user=person, is_active=is_active, actor=signed_in(request))
    except DomainError as error:
        messages.error(request, str(error))
    else:
        words = "can sign in again" if is_active else "can no longer sign in"
        messages.success(request, f"{person} {words}.")
    return redirect("annotation:list_people")


@login_required
@superuser_required
@require_http_methods(["GET", "POST"])
def erase_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Erase somebody's identity on their request, after a typed word."""
    person = get_object_or_404(User, pk=pk, erased_at=None)
    form = ErasureForm(request.POST or None)
    if form.is_valid():
        try:
            erased = erase_identity(user=person, actor=signed_in(request))
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Erased: the work is {erased.pseudonym}'s now.")
            return redirect("annotation:list_people")
    return render(
        request, "annotation/erase_person.html", {"form": form, "person": person}
    )
