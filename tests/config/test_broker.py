"""One function decides which broker is used; our own needs no service, no network."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
import redis
from django.core.exceptions import ImproperlyConfigured

from config import broker
from config.cache import SharedRedisCache


@pytest.fixture(autouse=True)
def _no_configured_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)


@pytest.mark.parametrize(
    ("configured", "used", "cache"),
    [
        ("redis://h:6379/2", "redis://h:6379/2", "redis://h:6379/2"),
        ("rediss://:p@h/0", "rediss://:p@h/0", "rediss://:p@h/0"),
        ("valkey://h:6379/1", "redis://h:6379/1", "redis://h:6379/1"),
        ("redis+socket:///r/s", "redis+socket:///r/s", "unix:///r/s"),
        ("amqp://u:p@h//", "amqp://u:p@h//", None),
        ("sentinel://h:26379", "sentinel://h:26379", None),
    ],
)
def test_a_configured_broker_is_used_and_serves_as_cache_if_it_can(
    monkeypatch: pytest.MonkeyPatch, configured: str, used: str, cache: str | None
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", configured)
    assert broker.broker_url(Path("/data")) == used
    assert broker.redis_url(used) == cache
    assert not broker.is_own_broker()


@pytest.mark.parametrize("configured", ["localhost:6379", "http://h", "memory://", "x"])
def test_an_unknown_kind_of_broker_is_refused(
    monkeypatch: pytest.MonkeyPatch, configured: str
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", configured)
    with pytest.raises(ImproperlyConfigured, match="CELERY_BROKER_URL must start"):
        broker.broker_url(Path("/data"))


@pytest.mark.parametrize(
    "data_dir",
    [
        Path("/data"),
        Path("/") / "/".join(["a long folder name"] * 20),
        Path("/dätä 🚒"),
    ],
)
def test_the_socket_path_is_short_whatever_the_data_folder(data_dir: Path) -> None:
    socket = broker.socket_path(data_dir)
    assert len(os.fsencode(socket)) <= broker.SOCKET_PATH_LIMIT
    assert socket == broker.socket_path(data_dir)
    assert socket != broker.socket_path(data_dir / "other")


def test_a_long_temporary_folder_is_avoided(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("x" * 100)))
    assert str(broker.socket_path(Path("/data"))).startswith("/tmp/claimdesk-")  # noqa: S108


@pytest.mark.processes
def test_our_own_server_is_private_keeps_its_queue_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    with broker.own_broker(tmp_path) as url:
        socket = Path(url.removeprefix("redis+socket://"))
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        with redis.Redis(unix_socket_path=str(socket)) as client:
            assert client.config_get("port") == {"port": "0"}
            client.rpush("default", "a waiting task")
    assert not socket.parent.exists()
    with (
        broker.own_broker(tmp_path),
        redis.Redis(unix_socket_path=str(socket)) as client,
    ):
        assert client.lrange("default", 0, -1) == [b"a waiting task"]


@pytest.mark.processes
def test_a_server_that_an_interrupted_run_left_behind_is_taken_over(
    tmp_path: Path,
) -> None:
    with broker.own_broker(tmp_path) as first, broker.own_broker(tmp_path) as second:
        assert first == second


def test_a_socket_folder_that_others_can_enter_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    broker.socket_path(tmp_path).parent.mkdir(mode=0o755)
    with (
        pytest.raises(RuntimeError, match="only you can enter"),
        broker.own_broker(tmp_path),
    ):
        pytest.fail("the server must not start")


@pytest.mark.processes
def test_clearing_the_cache_leaves_the_queue_alone(tmp_path: Path) -> None:
    with broker.own_broker(tmp_path) as url:
        address = broker.redis_url(url)
        assert address
        cache = SharedRedisCache(address, {"KEY_PREFIX": "claimdesk"})
        cache.set_many({"a": 1, "b": 2})
        with redis.Redis.from_url(address) as client:
            client.rpush("default", "a waiting task")
            cache.clear()
            assert client.keys() == [b"default"]
        cache.close()
