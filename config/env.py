"""Typed reading of environment variables; nonsense raises instead of guessing."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from honcho.environ import parse

REPO = Path(__file__).resolve().parent.parent


def read_env_file() -> None:
    """Take over variables of ``.env`` that the environment itself does not set.

    ``CLAIMDESK_ENV_FILE`` names another file.
    """
    path = Path(os.environ.get("CLAIMDESK_ENV_FILE") or REPO / ".env")
    if not path.exists():
        return
    for name, value in parse(path.read_text(encoding="utf-8")).items():
        os.environ.setdefault(name, value)


def env_str(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that ``NAME_FILE`` names."""
    file_name = os.environ.get(f"{name}_FILE")
    if not file_name:
        return os.environ.get(name) or default
    try:
        return Path(file_name).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE cannot be read: {file_name} ({error.strerror})."
        ) from None


def env_bool(name: str, default: bool) -> bool:
    """Return True for ``true`` and ``1``, False for ``false`` and ``0``."""
    raw = env_str(name).strip().lower()
    if not raw:
        return default
    if raw in {"true", "1"}:
        return True
    if raw in {"false", "0"}:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}.")


def env_int(
    name: str, default: int, *, minimum: int = 0, maximum: int | None = None
) -> int:
    """Return a whole number from ``minimum`` to ``maximum``."""
    raw = env_str(name).strip()
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be a whole number, not {raw!r}."
        ) from None
    if value < minimum:
        raise ImproperlyConfigured(f"{name} must be at least {minimum}, not {value}.")
    if maximum is not None and value > maximum:
        raise ImproperlyConfigured(f"{name} must be at most {maximum}, not {value}.")
    return value


def env_choice(name: str, default: str, choices: set[str]) -> str:
    """Return one of the given words."""
    value = env_str(name, default)
    if value not in choices:
        allowed = ", ".join(sorted(choices))
        raise ImproperlyConfigured(f"{name} must be one of {allowed}, not {value!r}.")
    return value


def env_list(name: str) -> list[str]:
    """Return the comma-separated parts of the variable, blanks left out."""
    return [part.strip() for part in env_str(name).split(",") if part.strip()]


def data_dir() -> Path:
    """Return the one folder for all that this installation keeps; made if missing."""
    path = Path(env_str("CLAIMDESK_DATA", str(REPO / "data"))).absolute()
    path.mkdir(parents=True, exist_ok=True)
    return path
