"""What every endpoint of the API shares: who asks, what they may do, how it answers.

A request comes with a token (``Authorization: Bearer …``) or with the session of
the browser, then with a CSRF token. The permissions are those of the pages; a
token's scopes narrow them further and never widen them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db.models import Model, QuerySet
from django.http import Http404
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView, exception_handler

from corpus.exceptions import DomainError
from corpus.formats.base import FormatError
from corpus.models import ApiToken, User
from corpus.paging import PAGE_SIZE, Row, keyset_page

Scope = ApiToken.Scope
MAX_PAGE_SIZE = 200
LARGEST_KEY = 10**18
INVALID = "Some values are not valid."
BAD_REQUEST = "This request cannot be read."


class Conflict(APIException):
    """A refused action: the rules, or somebody who was faster."""

    status_code = status.HTTP_409_CONFLICT


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer every error in one shape: ``message``, and ``errors`` by field."""
    if isinstance(error, DomainError):
        error = Conflict(str(error))
    elif isinstance(error, FormatError):
        error = ValidationError({error.problem.field or "file": [str(error)]})
    elif isinstance(error, RequestDataTooBig):
        limit = f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,}"
        error = ParseError(f"A body has at most {limit} bytes. Upload a file instead.")
    elif isinstance(error, SuspiciousOperation):
        error = ParseError(BAD_REQUEST)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        response.data = {"message": INVALID, "errors": dict(_flat(error.detail))}
    else:
        response.data = {"message": str(response.data["detail"]), "errors": {}}
    return response


def _flat(detail: Any, path: str = "") -> Iterable[tuple[str, list[str]]]:
    """Yield the messages of each field; ``claims.0.text`` is one inside a list."""
    if isinstance(detail, dict):
        for name, value in detail.items():
            yield from _flat(value, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list) and any(isinstance(x, dict | list) for x in detail):
        for index, value in enumerate(detail):
            yield from _flat(value, f"{path}.{index}")
    elif detail:
        messages = detail if isinstance(detail, list) else [detail]
        yield path or "non_field_errors", [str(message) for message in messages]


class PageQuery(serializers.Serializer[Any]):
    """Which part of a list is wanted."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_KEY,
        help_text="Where the page starts; take it from `next` of the page before.",
    )
    size = serializers.IntegerField(
        default=PAGE_SIZE, min_value=1, max_value=MAX_PAGE_SIZE
    )


class ApiView(APIView):
    """A view of the API. ``tag`` is its heading in the documentation."""

    # Whether anybody may read here, and whether anybody may also send something.
    is_public: ClassVar[bool] = False
    is_open: ClassVar[bool] = False
    write_scope: ClassVar[str] = Scope.WRITE
    tag: ClassVar[str] = ""

    def scope_of(self, method: str) -> str:
        """The scope that a token needs for a method."""
        return Scope.READ if method in SAFE_METHODS else self.write_scope

    def is_anonymous_allowed(self, method: str) -> bool:
        """Whether a method needs no account."""
        return self.is_open or (self.is_public and method in SAFE_METHODS)

    @property
    def account(self) -> User:
        """The signed-in user; 403 for anybody else."""
        if not isinstance(self.request.user, User):
            raise PermissionDenied("Sign in first.")
        return self.request.user

    def body(self, form: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the checked values of the request's body."""
        return _validated(form(data=self.request.data))

    def query(self, form: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the checked values of the request's query string."""
        return _validated(form(data=self.request.query_params))

    def page(
        self,
        rows: QuerySet[Row],
        shape: type[serializers.Serializer[Any]],
        *,
        key: str = "pk",
        context: dict[str, Any] | None = None,
    ) -> Response:
        """Answer with one page of rows, and the address of the next."""
        wanted = self.query(PageQuery)
        after = str(wanted["after"]) if "after" in wanted else None
        page = keyset_page(rows, after, key=key, size=wanted["size"])
        url = self.request.build_absolute_uri()
        return Response(
            {
                "items": shape(page.items, many=True, context=context or {}).data,
                "next": replace_query_param(url, "after", page.next_after)
                if page.next_after
                else None,
            }
        )


def _validated(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return cast(dict[str, Any], serializer.validated_data)


def get_row(rows: QuerySet[Any], **wanted: Any) -> Any:
    """Return the one row of a scoped queryset, else 404."""
    row: Model | None = rows.filter(**wanted).first()
    if row is None:
        raise Http404("There is no such thing here, or you may not see it.")
    return row
