"""Keys of people for the API: shown once, kept as a hash, revocable."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from corpus.exceptions import DomainError
from corpus.models import ApiToken, User

# Lets people and secret scanners see what a leaked string is.
PREFIX = "claimdesk_"
SHOWN_CHARACTERS = 12
USE_IS_NOTED_EVERY = timedelta(minutes=1)


def create_token(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Create a token; return it with its key, which is not kept."""
    wanted = set(scopes)
    if not wanted or not wanted <= set(ApiToken.Scope.values):
        raise DomainError("Choose what the token may do.")
    key = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name.strip(),
        key_hash=hash_key(key),
        key_start=key[len(PREFIX) :][:SHOWN_CHARACTERS],
        scopes=[scope for scope in ApiToken.Scope.values if scope in wanted],
        expires_at=expires_at,
    )
    return token, key


def hash_key(key: str) -> str:
    """Return what is kept of a key. It is long and random: one SHA-256 is enough."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def revoke_token(*, token: ApiToken) -> bool:
    """Make a token useless for good; False if it was before."""
    now = timezone.now()
    changed = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(
        revoked_at=now
    )
    if changed:
        token.revoked_at = now
    return bool(changed)


def verify_token(key: str) -> ApiToken | None:
    """Return the working token with this key, with its user, and note its use."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user")
        .filter(Q(expires_at=None) | Q(expires_at__gt=now), key_hash=hash_key(key))
        .filter(revoked_at=None, user__is_active=True)
        .first()
    )
    if token is not None:
        _note_use(token, now)
    return token


def _note_use(token: ApiToken, now: datetime) -> None:
    """Keep the minute of the last use: a write for every request would cost more."""
    if token.last_used_at and now - token.last_used_at < USE_IS_NOTED_EVERY:
        return
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    token.last_used_at = now
