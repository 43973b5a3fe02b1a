"""Systems that need no weights, installed where the site looks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

from tests.verification.pipeline.worlds import system_folder
from verification.installed_systems import systems_folder


def install_system(name: str = "plain", **values: Any) -> Path:
    """Install TF-IDF, the last sentence, SUPPORT; ``values`` change its file."""
    systems_folder().mkdir(parents=True, exist_ok=True)
    return system_folder(systems_folder() / name, **values)


@contextmanager
def installed(name: str = "plain", **values: Any) -> Iterator[Path]:
    """Install a system for the length of the block, or for longer if it is there."""
    is_ours = not (systems_folder() / name).exists()
    folder = install_system(name, **values)
    try:
        yield folder
    finally:
        if is_ours:
            rmtree(folder)
