"""The scorer as one file to download, built once for each state of its sources."""

from __future__ import annotations

import os
import secrets
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from scripts.build_scorer import REPO, build
from verification.scoring.signature import VERSION

_FOLDERS = ("verification/scoring", "corpus")


def scorer_file() -> Path:
    """Return the file, which gives the numbers and signatures of this site.

    It is built when it is first asked for, beside its place, and renamed: nobody
    gets half of it, and two builders at once make the same bytes.
    """
    path = settings.DATA_DIR / "scorer" / f"claimdesk-scorer-{_digest()}.pyz"
    if not path.is_file():
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            build(draft)
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    return Path(path)


@cache
def _digest() -> str:
    """Return the version and a checksum of whatever may be part of the file."""
    digest = sha256()
    for folder in _FOLDERS:
        for source in sorted((REPO / folder).rglob("*.py")):
            digest.update(f"{source.relative_to(REPO)}\0".encode())
            digest.update(source.read_bytes())
    return f"{VERSION}-{digest.hexdigest()[:12]}"
