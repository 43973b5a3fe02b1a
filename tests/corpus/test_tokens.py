"""Keys for the API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from corpus.exceptions import DomainError
from corpus.models import ApiToken
from corpus.tokens import create_token, revoke_token, verify_token
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def make(**values: Any) -> tuple[ApiToken, str]:
    wanted: dict[str, Any] = {
        "user": UserFactory(),
        "name": "Laptop",
        "scopes": ["read"],
    }
    return create_token(**(wanted | values))


def test_a_key_opens_its_owners_account() -> None:
    token, key = make(scopes=["write", "read"])

    found = verify_token(key)

    assert found == token
    assert found.scopes == ["read", "write"]


def test_the_key_is_not_kept() -> None:
    token, key = make()

    kept = str(ApiToken.objects.values().get())
    assert key not in kept
    assert token.key_start in key


@pytest.mark.parametrize("scopes", [[], ["read", "everything"]])
def test_a_token_without_a_known_scope_is_refused(scopes: list[str]) -> None:
    with pytest.raises(DomainError, match="Choose what"):
        make(scopes=scopes)


def expire(token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())


def revoke(token: ApiToken) -> None:
    revoke_token(token=token)


def deactivate(token: ApiToken) -> None:
    token.user.is_active = False
    token.user.save()


@pytest.mark.parametrize("spoil", [expire, revoke, deactivate])
def test_a_spoilt_token_opens_nothing(spoil: Callable[[ApiToken], None]) -> None:
    token, key = make()
    spoil(token)

    assert verify_token(key) is None


@pytest.mark.parametrize("key", ["", "claimdesk_guess", "\ud800"])
def test_a_wrong_key_opens_nothing(key: str) -> None:
    make()

    assert verify_token(key) is None


def test_the_last_use_is_noted_to_the_minute() -> None:
    token, key = make()
    with time_machine.travel(NOON, tick=False):
        verify_token(key)
    with time_machine.travel(NOON + timedelta(seconds=30), tick=False):
        verify_token(key)
    token.refresh_from_db()
    assert token.last_used_at == NOON

    with time_machine.travel(NOON + timedelta(seconds=61), tick=False):
        verify_token(key)
    token.refresh_from_db()
    assert token.last_used_at == NOON + timedelta(seconds=61)


def test_revoking_twice_changes_nothing() -> None:
    token, _ = make()

    assert revoke_token(token=token)
    first = token.revoked_at
    assert not revoke_token(token=token)
    token.refresh_from_db()
    assert token.revoked_at == first
