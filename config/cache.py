"""The cache that shares a Redis or Valkey server with the task queue."""

from __future__ import annotations

from django.core.cache.backends.redis import RedisCache


class SharedRedisCache(RedisCache):
    """A cache whose ``clear`` leaves the queue alone; Django's empties the server."""

    def clear(self) -> None:
        """Delete this cache's own keys only."""
        client = self._cache.get_client(None, write=True)
        pattern = self.make_and_validate_key("*")
        keys = list(client.scan_iter(match=pattern, count=1000))
        if keys:
            client.delete(*keys)
