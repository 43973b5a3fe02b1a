"""Opening a project for the API, by the same door as the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from drf_spectacular.drainage import set_override
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from annotation import access as door
from annotation.access import ProjectAccess
from annotation.services.guidelines import noun_of, pending_texts
from corpus.api import ApiView
from corpus.text import normalise_newlines


class Serializer(serializers.Serializer[Any]):
    """A shape or a body. Its name in the description has no such ending."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        name = cls.__name__.removesuffix("Shape").removesuffix("Body")
        set_override(cls, "component_name", name)


# Passed on to the list that ``many`` makes of a shape.
MOST: dict[str, Any] = {"max_length": 100}


def values_of(row: object, shape: type[Serializer]) -> dict[str, Any]:
    """Return the attributes of a row that a shape reads, to add others to them."""
    return {str(name): getattr(row, str(name)) for name in shape().fields}


class ProjectView(ApiView):
    """A view of one project."""

    def open_project(self, slug: str) -> ProjectAccess:
        """Return what the user may do in a project; 404 if they may not know of it."""
        return door.get_project(self.request.user, slug)


class WorkView(ProjectView):
    """A view of work, which waits until the project's texts are accepted."""

    def open_project(self, slug: str) -> ProjectAccess:
        """Return the access; 403 while a text in force has not been accepted.

        As on the pages, work that is sent needs any version of the texts only.
        """
        access = super().open_project(slug)
        sends = self.request.method not in SAFE_METHODS
        pending = access.membership and pending_texts(
            access.project, access.account, any_version=sends
        )
        if pending:
            texts = " and ".join(noun_of(text) for text in pending)
            raise PermissionDenied(
                f"Accept {texts} first: see /projects/{slug}/acceptances."
            )
        return access


class PersonField(serializers.CharField):
    """The name of a person, or null where the project hides whose work it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        """Return the name that other members see."""
        if not self.context.get("shows_authors"):
            return None
        return value.display_name


def is_own_work(judgement: Any, context: Mapping[str, Any]) -> bool:
    """Whether a judgement, a row or the values of a shape, is by who reads it."""
    is_shape = isinstance(judgement, dict)
    worker = judgement["annotator"] if is_shape else judgement.annotator
    return worker is not None and worker.pk == context.get("reader")


class SecondsField(serializers.IntegerField):
    """How long somebody worked, or null for all but them and the project's admins."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)

    def get_attribute(self, instance: Any) -> Any:
        """Return the seconds of a judgement if the reader may see them."""
        is_own = is_own_work(instance, self.context)
        if not (is_own or self.context.get("is_admin")):
            return None
        return super().get_attribute(instance)


class LongTextField(serializers.CharField):
    """Text of several lines, kept as it is sent but for its line ends."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return the text with LF line ends, as the forms of the pages do."""
        return normalise_newlines(super().to_internal_value(data))
