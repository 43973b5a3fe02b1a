"""A project's progress, its people and what is stuck, for its admins."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from annotation import access as door
from annotation import work_hours
from annotation.access import ProjectAccess
from annotation.models import Judgement, Stage, TaskTime
from annotation.selectors import progress as selectors
from annotation.selectors import stuck as stuck_selectors
from annotation.services import reassignments
from annotation.views.pages import render_project
from corpus.exceptions import DomainError
from corpus.models import User

UNDO_SALT = "claimdesk.reassignment"
UNDO_SECONDS = 24 * 60 * 60


def _zone() -> ZoneInfo:
    zone = timezone.get_current_timezone()
    return zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC")


@login_required
@require_GET
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Show each stage's burn-up, and what each member has done and has waiting."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    today = timezone.localdate()
    stages = selectors.stages_of(access.project, _zone(), today)
    sort = request.GET.get("sort", "")
    stage = request.GET.get("stage", "")
    stage = stage if stage in TaskTime.Kind.values else TaskTime.Kind.VERIFY.value
    people = selectors.people_of(access.project)
    context = {
        "stages": stages,
        "charts": [selectors.burn_up_chart(found) for found in stages],
        "days": selectors.last_days(stages, 14),
        "people": [
            (row, row.times.get(stage, (0, None, None)))
            for row in selectors.sorted_people(people, sort, stage)
        ],
        "sort": sort if sort in selectors.SORTS else "name",
        "sorts": selectors.SORTS.items(),
        "kinds": TaskTime.Kind.choices,
        "stage": stage,
        "stage_words": TaskTime.Kind(stage).label,
        "week": work_hours.week_name(today),
        "zone": _zone().key,
    }
    return render_project(request, access, "annotation/progress.html", context)


class StuckForm(forms.Form):
    """From when on something counts as stuck."""

    days = forms.IntegerField(label="Days", min_value=0, max_value=365)
    people = forms.IntegerField(label="People", min_value=1, max_value=100)


@login_required
@require_GET
def stuck(request: HttpRequest, slug: str) -> HttpResponse:
    """List what does not move by itself, each with somebody to give it to."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    usual = {"days": stuck_selectors.DAYS, "people": stuck_selectors.PEOPLE}
    form = StuckForm({**usual, **request.GET.dict()})
    limits = form.cleaned_data if form.is_valid() else usual
    people = stuck_selectors.people_for(access.project)
    lists = stuck_selectors.stuck_lists(access.project, timezone.now(), **limits)
    context = {
        "form": form,
        "lists": [
            (found, [(item, people.get(item.stage, [])) for item in found.items])
            for found in lists
        ],
        "is_empty": not any(found.items for found in lists),
        "undo": _undo_of(request),
    }
    return render_project(request, access, "annotation/stuck.html", context)


def _undo_of(request: HttpRequest) -> dict[str, Any] | None:
    token = request.GET.get("undo", "")
    if (done := _unsigned(token)) is None:
        return None
    return {"message": done["words"], "fields": [("token", token)]}


def _unsigned(token: str) -> dict[str, Any] | None:
    try:
        done: dict[str, Any] = signing.loads(
            token, salt=UNDO_SALT, max_age=UNDO_SECONDS
        )
    except signing.BadSignature:
        return None
    return done


class ReassignForm(forms.Form):
    """Which item goes to whom."""

    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in ("claim", "judgement", "lease", "skip")]
    )
    stage = forms.ChoiceField(choices=Stage.choices)
    item = forms.IntegerField(min_value=1, max_value=2**62)
    person = forms.ModelChoiceField(User.objects.none())

    def __init__(self, *args: Any, access: ProjectAccess, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["person"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = User.objects.filter(memberships__project=access.project)


@login_required
@require_POST
def reassign(request: HttpRequest, slug: str) -> HttpResponse:
    """Give one stuck item to a chosen person."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    form = ReassignForm(request.POST, access=access)
    back = reverse("annotation:stuck", args=[slug])
    if not form.is_valid():
        messages.error(request, "Choose a member who may do this kind of work.")
        return redirect(back)
    try:
        done = _reassign(access, form.cleaned_data)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect(back)
    token = signing.dumps(done, salt=UNDO_SALT)
    return redirect(f"{back}?{urlencode({'undo': token})}")


def _reassign(access: ProjectAccess, data: dict[str, Any]) -> dict[str, Any]:
    project, actor, person = access.project, access.account, data["person"]
    done = {
        "project": project.pk,
        "kind": data["kind"],
        "stage": data["stage"],
        "item": data["item"],
        "person": person.pk,
        "words": f"It is {person}'s now.",
    }
    if data["kind"] == "claim":
        claim = get_object_or_404(access.claims(), pk=data["item"])
        done["was"] = claim.author_id
        reassignments.hand_over_claim(claim=claim, person=person, actor=actor)
        return done
    if data["kind"] == "judgement":
        reassignments.reassign_judgement(
            judgement=_judgement(access, data["item"]), person=person, actor=actor
        )
        return done
    reassignments.assign_item(
        project=project,
        stage=Stage(data["stage"]),
        item_id=data["item"],
        person=person,
        actor=actor,
    )
    return done


def _judgement(access: ProjectAccess, pk: int) -> Judgement:
    return get_object_or_404(
        access.judgements().select_related("pair__project", "annotator"), pk=pk
    )


@login_required
@require_POST
def undo_reassign(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a reassignment back."""
    access = door.get_project(request.user, slug)
    access.require(Stage.ADMIN)
    done = _unsigned(request.POST.get("token", ""))
    if done is None or done["project"] != access.project.pk:
        messages.error(request, "This can no longer be undone.")
        return redirect("annotation:stuck", slug)
    try:
        _undo(access, done)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Undone.")
    return redirect("annotation:stuck", slug)


def _undo(access: ProjectAccess, done: dict[str, Any]) -> None:
    actor = access.account
    if done["kind"] == "claim":
        claim = get_object_or_404(access.claims(), pk=done["item"])
        reassignments.take_back_claim(
            claim=claim,
            person=get_object_or_404(User, pk=done["person"]),
            was=get_object_or_404(User, pk=done["was"]),
            actor=actor,
        )
    elif done["kind"] == "judgement":
        judgement = _judgement(access, done["item"])
        reassignments.take_back_judgement(judgement=judgement, actor=actor)
    else:
        reassignments.unassign_item(
            project=access.project,
            stage=Stage(done["stage"]),
            item_id=done["item"],
            person=get_object_or_404(User, pk=done["person"]),
            actor=actor,
        )
