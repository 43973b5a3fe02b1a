"""Where the tests find things outside the code under test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("CLAIMDESK_SHARED", REPO.parent / "shared"))


def shared_file(relative: str) -> Path:
    """Return a file of the public data sets, or skip (fail in CI) without it."""
    path = SHARED / relative
    if path.exists():
        return path
    reason = f"needs the public data sets: {path} is missing"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
