"""The single-key shortcuts that somebody uses."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotation.forms.judging import KeysForm
from annotation.forms.people import PreferencesForm
from annotation.services import keys as service
from annotation.shortcuts import ACTIONS, DEFAULT_KEYS
from corpus.models import User

WORDS = {action.name: action.words for action in ACTIONS}


def keys_form(user: User, data: Any = None) -> KeysForm:
    """Return the form with the keys that a person uses now."""
    settings = service.key_settings(user)
    initial = {f"key_{name}": key for name, key in settings.key_map.items()}
    return KeysForm(data, words=WORDS, initial={"is_on": settings.is_on, **initial})


@login_required
@require_POST
def change_keys(request: HttpRequest) -> HttpResponse:
    """Keep other keys, switch them off, or go back to the usual ones."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    if "reset" in request.POST:
        service.change_keys(user=user, is_on=True, keys=DEFAULT_KEYS)
        messages.success(request, "The usual keys are back.")
        return redirect("annotation:preferences")
    form = keys_form(user, request.POST)
    if form.is_valid():
        service.change_keys(
            user=user, is_on=form.cleaned_data["is_on"], keys=form.keys()
        )
        messages.success(request, "Your keys are saved.")
        return redirect("annotation:preferences")
    preferences = PreferencesForm(
        initial={
            "first_name": user.first_name,
            "last_name": user.last_name,
            "time_zone": user.time_zone,
        }
    )
    context = {"form": preferences, "keys_form": form}
    return render(request, "annotation/preferences.html", context)
