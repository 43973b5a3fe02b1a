"""The description of the API in OpenAPI: names, headings, scopes and errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers

from corpus.api import PageQuery

Method = TypeVar("Method", bound=Callable[..., Any])
Shape = type[serializers.Serializer[Any]]

# What the names of the shapes of pages begin with.
PAGE_OF = "PageOf"
ERROR = {
    "type": "object",
    "required": ["message", "errors"],
    "properties": {
        "message": {"type": "string", "description": "What is wrong, in words."},
        "errors": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "The messages of each field; `a.0.b` is one in a list.",
        },
    },
}


def operation(
    name: str,
    *,
    takes: Any = None,
    query: Shape | None = None,
    gives: Any = None,
    status: int = 200,
    media: str = "application/json",
) -> Callable[[Method], Method]:
    """Describe one method of a view: its name, what it takes and what it gives."""
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=[query] if query else [],
        responses={(status, media): gives},
    )


def listing(
    name: str, shape: Shape, query: Shape = PageQuery
) -> Callable[[Method], Method]:
    """Describe a method that gives a page of a list."""
    return operation(name, query=query, gives=paged(shape))


@cache
def paged(shape: Shape) -> serializers.Serializer[Any]:
    """The shape of a page of a list."""
    return inline_serializer(
        name=f"{PAGE_OF}{shape.__name__.removesuffix('Shape')}",
        fields={
            "items": shape(many=True),
            "next": serializers.URLField(
                allow_null=True, help_text="The next page; null on the last one."
            ),
        },
    )


class Schema(AutoSchema):
    """Describes an ``ApiView``.

    Takes the words from the docstrings, and says which scope a token needs.
    """

    view: Any

    def get_tags(self) -> list[str]:
        """The heading of the view."""
        return [self.view.tag]

    def get_summary(self) -> str:
        """The first line of the method's docstring."""
        return self._docstring()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        """The rest of the docstring, and the scope."""
        scope = f"A token needs the scope `{self.view.scope_of(self.method)}`."
        return "\n".join([*self._docstring()[1:], scope]).strip()

    def get_auth(self) -> list[dict[str, Any]]:
        """Nothing at all is enough for what is open to everybody."""
        ways: list[dict[str, Any]] = super().get_auth()
        if self.view.is_anonymous_allowed(self.method):
            ways.append({})
        return ways

    def _docstring(self) -> list[str]:
        method = getattr(self.view, self.method.lower())
        lines = (method.__doc__ or "").strip().splitlines()
        return [line.strip() for line in lines]


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tokens, as OpenAPI names them."""

    target_class = "corpus.api_access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """A bearer token."""
        return {"type": "http", "scheme": "bearer"}


def describe_errors(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the one shape of errors to every operation."""
    result["components"]["schemas"]["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    answer = {"description": "What is wrong, in one shape.", "content": content}
    for path in result["paths"].values():
        for described in path.values():
            described["responses"]["4XX"] = answer
    return result
