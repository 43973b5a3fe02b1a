"""Projects, their settings and their texts."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.api import project_shapes as shapes
from annotation.api.base import ProjectView, values_of
from annotation.models import ConsentText, Guideline, Project, Stage
from annotation.protocols import ProjectSettings, SettingsError, labels_from_json
from annotation.selectors.dashboard import count_states
from annotation.services import guidelines, projects
from corpus.api import ApiView, Scope
from corpus.api_schema import listing, operation
from corpus.exceptions import StaleStateError
from corpus.models import Corpus


class ProjectList(ApiView):
    """All projects that the user may open."""

    tag = "Projects"
    is_public = True
    write_scope = Scope.ADMIN

    @listing("list_projects", shapes.ProjectShape)
    def get(self, request: Request) -> Response:
        """List the projects that you may open."""
        rows = door.visible_projects(request.user).select_related("corpus")
        return self.page(rows, shapes.ProjectShape)

    @operation(
        "create_project",
        takes=shapes.NewProjectBody,
        gives=shapes.ProjectDetailShape,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Create a project from a protocol; you become its admin."""
        wanted = self.body(shapes.NewProjectBody)
        project = projects.start_project(
            name=wanted["name"],
            protocol=wanted["protocol"],
            actor=self.account,
            corpus=self._corpus(wanted.get("corpus")),
            new_corpus_name=wanted.get("new_corpus_name") or wanted["name"],
            description=wanted["description"],
            visibility=wanted["visibility"],
        )
        return Response(_detail(door.get_project(request.user, project.slug)), 201)

    def _corpus(self, slug: str | None) -> Corpus | None:
        if slug is None:
            return None
        corpus = door.editable_corpora(self.account).filter(slug=slug).first()
        if corpus is None:
            raise ValidationError({"corpus": ["You have no corpus of this name."]})
        return corpus


def _detail(access: ProjectAccess) -> Any:
    project = access.project
    counts = count_states([project.pk])[project.pk]
    values = values_of(project, shapes.ProjectShape) | {
        "settings": project.rules.to_json(),
        "label_scheme": project.label_scheme,
        "seen": projects.settings_key(project),
        "counts": counts,
        "membership": access.membership,
    }
    return shapes.ProjectDetailShape(values).data


class ProjectDetail(ProjectView):
    """One project."""

    tag = "Projects"
    is_public = True
    write_scope = Scope.ADMIN

    @operation("get_project", gives=shapes.ProjectDetailShape)
    def get(self, request: Request, slug: str) -> Response:
        """Read a project: its rules, its counts, and what you may do in it."""
        return Response(_detail(self.open_project(slug)))

    @operation(
        "change_project",
        takes=shapes.ChangeProjectBody,
        gives=shapes.ProjectDetailShape,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change a project and any line of its protocol."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        wanted = self.body(shapes.ChangeProjectBody)
        projects.change_project(
            project=access.project,
            actor=access.account,
            **_changed(access.project, wanted),
        )
        return Response(_detail(self.open_project(slug)))


def _changed(project: Project, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return all values of a project, with those that are wanted put in."""
    rules = {**project.rules.to_json(), **wanted.get("settings", {})}
    try:
        return {
            "seen": wanted["seen"],
            "name": wanted.get("name", project.name),
            "description": wanted.get("description", project.description),
            "visibility": wanted.get("visibility", project.visibility),
            "rules": ProjectSettings.from_json(rules),
            "labels": labels_from_json(wanted.get("labels", project.label_scheme)),
        }
    except SettingsError as error:
        problems = {name: [words] for name, words in error.problems.items()}
        raise ValidationError(problems) from None


class ProjectArchive(ProjectView):
    """Whether a project is put away."""

    tag = "Projects"
    write_scope = Scope.ADMIN

    @operation("archive_project", gives=shapes.ProjectDetailShape)
    def put(self, request: Request, slug: str) -> Response:
        """Archive a project: it stays readable."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        projects.archive_project(project=access.project, actor=access.account)
        return Response(_detail(self.open_project(slug)))

    @operation("restore_project", gives=shapes.ProjectDetailShape)
    def delete(self, request: Request, slug: str) -> Response:
        """Take a project out of the archive."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        projects.restore_project(project=access.project, actor=access.account)
        return Response(_detail(self.open_project(slug)))


class GuidelineList(ProjectView):
    """The guideline in all its versions."""

    tag = "Guidelines"
    is_public = True
    write_scope = Scope.ADMIN

    @listing("list_guidelines", shapes.GuidelineShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the versions of the guideline, the first one first."""
        access = self.open_project(slug)
        rows = access.project.guidelines.all()
        return self.page(rows, shapes.GuidelineShape, key="version")

    @operation(
        "publish_guideline",
        takes=shapes.GuidelineBody,
        gives=shapes.GuidelineShape,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish the next version; members accept it before they go on."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        published = guidelines.publish_guideline(
            project=access.project,
            actor=access.account,
            **self.body(shapes.GuidelineBody),
        )
        return Response(shapes.GuidelineShape(published).data, 201)


class ConsentTextList(ProjectView):
    """The consent text in all its versions."""

    tag = "Guidelines"
    write_scope = Scope.ADMIN

    @listing("list_consent_texts", shapes.TextShape)
    def get(self, request: Request, slug: str) -> Response:
        """List the versions of the consent text, the first one first."""
        access = self.open_project(slug)
        access.require_member()
        rows = access.project.consent_texts.all()
        return self.page(rows, shapes.TextShape, key="version")

    @operation(
        "publish_consent_text",
        takes=shapes.TextBody,
        gives=shapes.TextShape,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish the next version; members agree to it before they go on."""
        access = self.open_project(slug)
        access.require(Stage.ADMIN)
        published = guidelines.publish_consent_text(
            project=access.project, actor=access.account, **self.body(shapes.TextBody)
        )
        return Response(shapes.TextShape(published).data, 201)


class AcceptanceList(ProjectView):
    """What the user has yet to accept before they can work."""

    tag = "Guidelines"

    @operation("list_pending_texts", gives=shapes.PendingTextsShape)
    def get(self, request: Request, slug: str) -> Response:
        """Read the texts in force that you have yet to accept."""
        return self._pending(self._member(slug))

    @operation(
        "accept_text", takes=shapes.AcceptanceBody, gives=shapes.PendingTextsShape
    )
    def post(self, request: Request, slug: str) -> Response:
        """Accept a text in the version that you read."""
        access = self._member(slug)
        _accept(access, **self.body(shapes.AcceptanceBody))
        return self._pending(access)

    def _member(self, slug: str) -> ProjectAccess:
        access = self.open_project(slug)
        access.require_member()
        return access

    def _pending(self, access: ProjectAccess) -> Response:
        pending = guidelines.pending_texts(access.project, access.account)
        return Response(shapes.PendingTextsShape({"pending": pending}).data)


def _accept(access: ProjectAccess, kind: str, version: int) -> None:
    """Accept the version in force, never one that came out after it was read."""
    text: Guideline | ConsentText | None
    if kind == "guideline":
        text = guidelines.current_guideline(access.project)
    else:
        text = guidelines.current_consent_text(access.project)
    if text is None or text.version != version:
        raise StaleStateError("Another version is in force now. Read it first.")
    if isinstance(text, Guideline):
        guidelines.accept_guideline(guideline=text, user=access.account)
    else:
        guidelines.accept_consent_text(consent_text=text, user=access.account)


class UnknownEndpoint(ApiView):
    """Every other address below the API."""

    schema = None
    is_public = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer 404, whoever asks and however."""
        raise Http404("There is no such endpoint. See /api/docs/.")
