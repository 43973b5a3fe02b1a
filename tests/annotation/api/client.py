"""A client of the API that speaks JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.test import Client

from corpus.models import ApiToken, User
from corpus.tokens import create_token

ALL_SCOPES = tuple(ApiToken.Scope.values)
ROOT = "/api/v1"


class Api:
    """Somebody with a token, or nobody; the last answer stays to be looked at."""

    def __init__(self, user: User | None, scopes: Iterable[str] = ALL_SCOPES) -> None:
        self.key = ""
        if user is not None:
            self.token, self.key = create_token(user=user, name="T", scopes=scopes)
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        self.client = Client(headers=headers)
        self.status = 0
        self.headers: dict[str, str] = {}

    def get(self, path: str, **query: Any) -> Any:
        return self._read(self.client.get(f"{ROOT}{path}", query))

    def post(self, path: str, **body: Any) -> Any:
        return self.send("POST", path, body)

    def patch(self, path: str, **body: Any) -> Any:
        return self.send("PATCH", path, body)

    def put(self, path: str) -> Any:
        return self.send("PUT", path, {})

    def delete(self, path: str) -> Any:
        return self.send("DELETE", path, {})

    def send(self, method: str, path: str, body: Any) -> Any:
        raw = body if isinstance(body, bytes) else json.dumps(body)
        return self._read(
            self.client.generic(method, f"{ROOT}{path}", raw, "application/json")
        )

    def upload(self, path: str, **form: Any) -> Any:
        return self._read(self.client.post(f"{ROOT}{path}", form))

    def _read(self, response: Any) -> Any:
        self.status = response.status_code
        self.headers = dict(response.headers)
        if response.streaming:
            return b"".join(response.streaming_content)
        if not response.content:
            return None
        assert response["Content-Type"] == "application/json", response.content[:300]
        return response.json()
