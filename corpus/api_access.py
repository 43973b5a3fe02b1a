"""Who asks the API, what they may do at all, and what a body may be.

Apart from ``corpus.api``, since Django REST framework loads these while it loads
its own views.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import PermissionDenied
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle

from corpus.models import ApiToken, User
from corpus.tokens import verify_token


class TokenAuthentication(BaseAuthentication):
    """Knows a person by one of their own keys."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token and its owner; 401 for a key that does not work."""
        header = get_authorization_header(request).decode("latin-1")
        scheme, _, key = header.partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = verify_token(key.strip())
        if token is None:
            raise AuthenticationFailed(
                "This token does not work: it is unknown, expired or revoked."
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Say in a 401 how to sign in."""
        return 'Bearer realm="Claimdesk"'


class ScopedPermission(BasePermission):
    """Lets people in who signed in, and tokens that have the scope of the endpoint.

    The view says what anonymous people may do. What a person may do with
    an object is decided by ``access``, as on the pages.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the view may look at the request at all."""
        if not hasattr(view, (request.method or "").lower()):
            return True  # the view answers 405
        if not request.user.is_authenticated:
            return bool(view.is_anonymous_allowed(request.method or ""))
        scope = view.scope_of(request.method or "")
        if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes:
            raise PermissionDenied(f"This needs a token with the scope “{scope}”.")
        return True


class AnonymousThrottle(AnonRateThrottle):
    """Slows down reading without an account, by address."""


class StrictJSONParser(JSONParser):
    """Reads JSON whose text can be stored and sent back.

    Its size is bounded by ``DATA_UPLOAD_MAX_MEMORY_SIZE``, before it comes here.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value; 400 for what is no JSON or no Unicode."""
        try:
            value = json.loads(stream.read().decode(), parse_constant=_refuse_constant)
            # A lone surrogate is valid JSON, but neither stored nor sent anywhere.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not valid JSON: {_words(error)}") from None
        return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply."
    if isinstance(error, UnicodeError):
        return "it is not Unicode text in UTF-8."
    return f"{error}."
