"""Versioned guidelines and consent texts, and who accepted which."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Q

from annotation.models import Acceptance, ConsentText, Guideline, Project
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import User

AnyText = TypeVar("AnyText", Guideline, ConsentText)


@transaction.atomic
def publish_guideline(
    *,
    project: Project,
    text: str,
    actor: User | None,
    change_note: str = "",
    video_url: str = "",
    based_on: int | None = None,
) -> Guideline:
    """Publish the next version of a project's guideline.

    The same text again is the version that is there. From the second version on
    a note says what changed, since members are asked to accept it again. With
    ``based_on`` a version that its writer has not seen is not overruled.
    """
    last = _locked_last(project, Guideline)
    if last and (last.text, last.video_url) == (text, video_url):
        return last
    _refuse_unseen(last, based_on)
    _refuse_blank(text, "guideline")
    if last and not change_note.strip():
        raise DomainError("Say what changed, so that members know what to read.")
    return _publish(
        Guideline(
            project=project,
            version=last.version + 1 if last else 1,
            text=text,
            created_by=actor,
            change_note=change_note,
            video_url=video_url,
        ),
        actor,
    )


@transaction.atomic
def publish_consent_text(
    *,
    project: Project,
    text: str,
    actor: User | None,
    based_on: int | None = None,
) -> ConsentText:
    """Publish the next version of what members agree to; the same text is a no-op."""
    last = _locked_last(project, ConsentText)
    if last and last.text == text:
        return last
    _refuse_unseen(last, based_on)
    _refuse_blank(text, "consent text")
    return _publish(
        ConsentText(
            project=project,
            version=last.version + 1 if last else 1,
            text=text,
            created_by=actor,
        ),
        actor,
    )


def _locked_last(project: Project, model: type[AnyText]) -> AnyText | None:
    """Return the newest version while nobody else can publish the next."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    return model.objects.filter(project=project).order_by("-version").first()


def _refuse_unseen(last: Guideline | ConsentText | None, based_on: int | None) -> None:
    version = last.version if last else 0
    if based_on is not None and based_on != version:
        raise StaleStateError(
            f"Version {version} was published in the meantime. Read it, and bring your "
            "text together with it."
        )


def _refuse_blank(text: str, noun: str) -> None:
    if not text.strip():
        raise DomainError(f"The {noun} is empty.")


def _publish(text: AnyText, actor: User | None) -> AnyText:
    text.save(force_insert=True)
    record_event(
        noun=str(text._meta.model_name),
        obj=text,
        verb="publish",
        actor=actor,
        project_id=text.project_id,
        fields=column_values(text),
    )
    return text


def accept_guideline(*, guideline: Guideline, user: User) -> Acceptance:
    """Keep that a person accepted this version; once is enough."""
    return _accept(user, {"guideline": guideline}, guideline.project_id)


def accept_consent_text(*, consent_text: ConsentText, user: User) -> Acceptance:
    """Keep that a person agreed to this version; once is enough."""
    return _accept(user, {"consent_text": consent_text}, consent_text.project_id)


@transaction.atomic
def _accept(user: User, text: dict[str, Any], project_id: int) -> Acceptance:
    acceptance = Acceptance(user=user, **text)
    try:
        with transaction.atomic():
            acceptance.save(force_insert=True)
    except IntegrityError:
        return Acceptance.objects.get(user=user, **text)
    record_event(
        noun="acceptance",
        obj=acceptance,
        verb="accept",
        actor=user,
        project_id=project_id,
        fields=column_values(acceptance),
    )
    return acceptance


def noun_of(text: Guideline | ConsentText) -> str:
    """What a text is called on the pages."""
    return "the guideline" if isinstance(text, Guideline) else "the consent text"


def current_guideline(project: Project) -> Guideline | None:
    """The version that is in force."""
    return Guideline.objects.filter(project=project).order_by("-version").first()


def accepted_guideline(project: Project, user: User) -> Guideline | None:
    """The newest version that a person has accepted, and so works by."""
    mine = Guideline.objects.filter(project=project, acceptance__user=user)
    return mine.order_by("-version").first()


def current_consent_text(project: Project) -> ConsentText | None:
    """The version that is in force."""
    return ConsentText.objects.filter(project=project).order_by("-version").first()


def pending_texts(
    project: Project, user: User, *, any_version: bool = False
) -> list[Guideline | ConsentText]:
    """The texts in force that a person has yet to accept: consent first.

    With ``any_version`` an earlier accepted version is enough: that is the rule
    for work that was begun before the newest version came out.
    """
    texts = [current_consent_text(project), current_guideline(project)]
    present = [text for text in texts if text is not None]
    if not present:
        return []
    accepted = Q()
    for text in present:
        name = "guideline" if isinstance(text, Guideline) else "consent_text"
        accepted |= Q(**{f"{name}__project": project} if any_version else {name: text})
    done = Acceptance.objects.filter(accepted, user=user)
    kinds = {Guideline if a.guideline_id else ConsentText for a in done}
    return [text for text in present if type(text) not in kinds]
