"""The description of the API: as OpenAPI for programs, and as a page for people.

The page is rendered here, of plain HTML, since the viewers that come with
drf-spectacular do not fit this site: Swagger UI fails five rules of axe and knows no
dark theme, Redoc does not start under our Content-Security-Policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api import ApiView
from corpus.api_schema import PAGE_OF

Node = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


@cache
def description() -> dict[str, Any]:
    """Return the whole API as OpenAPI. It is the same for everybody."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    schema: dict[str, Any] = generator.get_schema(request=None, public=True)
    return schema


class ApiDescription(ApiView):
    """The API in OpenAPI."""

    schema = None
    is_public = True

    def get(self, request: Request) -> Response:
        """Read the description of the API."""
        return Response(description())


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a shape, a parameter or a body."""

    name: str
    type: str
    shape: str
    is_required: bool
    help: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of an address; ``parameters`` are those of the query string."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Field]
    body: str
    body_type: str
    status: str
    answer: Field | None


def operations(schema: Node) -> dict[str, list[Operation]]:
    """Return all operations under their headings, in the order of the addresses."""
    found: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                node = methods[method]
                found.setdefault(node["tags"][0], []).append(
                    _operation(path, method, node)
                )
    return dict(sorted(found.items()))


def _operation(path: str, method: str, node: Node) -> Operation:
    body_type, body = _content(node.get("requestBody", {}))
    status = next(iter(node["responses"]))
    _, answer = _content(node["responses"][status])
    return Operation(
        id=node["operationId"],
        method=method.upper(),
        path=path,
        summary=_plain(node["summary"]),
        description=_plain(node.get("description", "")),
        parameters=[
            _parameter(entry)
            for entry in node.get("parameters", [])
            if entry["in"] == "query"
        ],
        body=_shape(body),
        body_type=body_type,
        status=status,
        answer=_field("", answer, False) if answer else None,
    )


def _content(node: Node) -> tuple[str, Node]:
    for media, content in node.get("content", {}).items():
        return media, content.get("schema", {})
    return "", {}


def _parameter(node: Node) -> Field:
    field = _field(node["name"], node["schema"], node.get("required", False))
    return Field(
        field.name,
        field.type,
        field.shape,
        field.is_required,
        _plain(node.get("description", "")) or field.help,
    )


def shapes(schema: Node) -> dict[str, list[Field]]:
    """Return the fields of every object, but for pages of lists, which are alike."""
    return {
        name: list(_fields(node))
        for name, node in sorted(schema["components"]["schemas"].items())
        if "properties" in node and not name.startswith(PAGE_OF)
    }


def values(schema: Node) -> dict[str, list[str]]:
    """Return the words that every enumeration allows."""
    return {
        name: [str(value) for value in node["enum"]]
        for name, node in sorted(schema["components"]["schemas"].items())
        if "enum" in node
    }


def _fields(node: Node) -> Iterator[Field]:
    required = node.get("required", ())
    for name, value in node["properties"].items():
        yield _field(name, value, name in required)


def _field(name: str, node: Node, is_required: bool) -> Field:
    return Field(name, _type(node), _shape(node), is_required, _help(node))


def _type(node: Node) -> str:
    """Return the kind of a value in words."""
    inner = _inner(node)
    if "$ref" in inner:
        words = _name(inner).replace(PAGE_OF, "page of ")
    elif inner.get("type") == "array":
        words = f"list of {_type(inner['items'])}"
    else:
        kind = str(inner.get("type", "any value"))
        words = str(inner.get("format", kind)) if kind == "string" else kind
    return f"{words} or null" if node.get("nullable") else words


def _inner(node: Node) -> Node:
    for several in ("allOf", "oneOf"):
        if several in node:
            inner: Node = node[several][0]
            return inner
    return node


def _shape(node: Node) -> str:
    """Return the name of the shape that a value has, to link to it."""
    inner = _inner(node)
    if inner.get("type") == "array":
        return _shape(inner["items"])
    return _name(inner).removeprefix(PAGE_OF) if "$ref" in inner else ""


def _name(node: Node) -> str:
    name: str = node["$ref"].rpartition("/")[2]
    return name


def _help(node: Node) -> str:
    words: str = node.get("description", "")
    # A list of choices is on the page already, as the enumeration.
    return "" if words.startswith("* `") else _plain(words.partition("\n\n* `")[0])


def _plain(words: str) -> str:
    """Return Markdown of the description as plain words."""
    return words.replace("`", "")


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Describe every endpoint and shape of the API."""
    schema = description()
    return render(
        request,
        "api/docs.html",
        {
            "operations": operations(schema),
            "shapes": shapes(schema),
            "values": values(schema),
        },
    )
