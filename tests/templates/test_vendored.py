"""Files of other projects are exactly those that VENDORED.md names."""

from __future__ import annotations

import hashlib
import re

from tests.paths import REPO

VENDOR = REPO / "static/vendor"


def test_every_vendored_file_is_listed_with_its_checksum() -> None:
    listing = (VENDOR / "VENDORED.md").read_text(encoding="utf-8")
    listed = {path: sha for sha, path in re.findall(r"`(\w{64})` \| `(.+?)`", listing)}
    present = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "VENDORED.md"
    }
    assert listed == present
