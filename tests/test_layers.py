"""What import contracts cannot see: what really gets loaded."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.paths import REPO
from tests.processes import child_environment


def pure_modules() -> list[str]:
    """Return the modules that the contract on purity names."""
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in project["tool"]["importlinter"]["contracts"]:
        if contract["name"].startswith("Pure modules"):
            return list(contract["source_modules"])
    raise AssertionError("the contract on pure modules is gone")


def loaded_by(imports: str, environment: dict[str, str] | None = None) -> set[str]:
    """Return the top-level packages in memory after these imports."""
    program = f"import sys, {imports}\nprint(*(n.split('.')[0] for n in sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPO,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(result.stdout.split())


def test_pure_modules_load_neither_django_nor_the_queue_nor_torch() -> None:
    loaded = loaded_by(", ".join(pure_modules()))
    assert "corpus" in loaded
    assert not loaded & {"django", "rest_framework", "celery", "config", "torch"}


@pytest.mark.processes
@pytest.mark.django_db
def test_the_web_process_loads_no_torch() -> None:
    loaded = loaded_by("config.wsgi, config.urls", child_environment())
    assert "django" in loaded
    assert not loaded & {"torch", "transformers"}
