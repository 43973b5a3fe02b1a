"""The systems that can be chosen here: the starter, and those in the data folder.

A system is a folder with ``system.json`` (docs/models.md). This module reads no
model: pages list systems, and only the worker with models loads one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.exceptions import DomainError

logger = logging.getLogger(__name__)

NAME_LENGTH = 80
"""A folder with a longer name is not listed: answers keep the name of their system."""

STARTER = Path(__file__).parent / "starter"


@dataclass(frozen=True, slots=True)
class InstalledSystem:
    """A system by the name of its folder.

    ``digest`` is the sha256 of ``system.json``, which names those of the weights: it
    changes with whatever the system is made of.
    """

    name: str
    title: str
    digest: str
    folder: Path


def systems_folder() -> Path:
    """Return where trained systems are put, a folder for each."""
    return Path(settings.DATA_DIR) / "systems"


def installed_systems() -> list[InstalledSystem]:
    """Return the systems whose files are there: the starter first, then by name."""
    return [system for folder in _folders() if (system := _read(folder)) is not None]


def installed_system(name: str) -> InstalledSystem:
    """Return a system by its name."""
    for system in installed_systems():
        if system.name == name:
            return system
    raise DomainError(
        f"There is no system {name} here, or files of it are missing. "
        "Choose another system."
    )


def _folders() -> Iterator[Path]:
    yield STARTER
    trained = systems_folder()
    if trained.is_dir():
        names = sorted(path.name for path in trained.iterdir() if path.is_dir())
        # A name that begins with a dot is a system on its way in.
        yield from (
            trained / name
            for name in names
            if name != STARTER.name
            and not name.startswith(".")
            and len(name) <= NAME_LENGTH
        )


def _read(folder: Path) -> InstalledSystem | None:
    try:
        data = (folder / "system.json").read_bytes()
        values: Mapping[str, Any] = json.loads(data)
        title = str(values.get("title") or values["name"])
        has_files = all((folder / name).is_file() for name in _weights(values))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        logger.warning("%s describes no system: %s", folder, error)
        return None
    if not has_files:
        return None
    return InstalledSystem(folder.name, title, sha256(data).hexdigest(), folder)


def _weights(values: Mapping[str, Any]) -> list[str]:
    """Return the files of weights that lie in the system's own folder."""
    parts = [values[name] for name in ("rationale", "label")]
    return [str(part["model"]) for part in parts if "sha256" in part]
