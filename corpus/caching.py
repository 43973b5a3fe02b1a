"""The cache, for what can be had otherwise: a cache that is away is as if empty."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError
from redis import RedisError

logger = logging.getLogger(__name__)


def put(key: str, value: Any, timeout: int) -> bool:
    """Keep a value for some seconds; whether that was possible."""
    try:
        cache.set(key, value, timeout)
    except (RedisError, DatabaseError) as error:
        _warn(error)
        return False
    return True


def get(key: str) -> Any:
    """Return what is kept, ``None`` if nothing."""
    try:
        return cache.get(key)
    except (RedisError, DatabaseError) as error:
        _warn(error)
        return None


def drop(keys: Sequence[str]) -> None:
    """Forget what is kept."""
    try:
        cache.delete_many(keys)
    except (RedisError, DatabaseError) as error:
        _warn(error)


def _warn(error: Exception) -> None:
    logger.warning("The cache cannot be reached: %s", error)
