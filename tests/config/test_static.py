"""A module has one address, whether a page or another module asks for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.paths import REPO

IMPORT = re.compile(r'from "\./([\w.-]+\.js)"')


def test_modules_import_each_other_by_the_names_that_pages_use(tmp_path: Path) -> None:
    environment = {**os.environ, "CLAIMDESK_DATA": str(tmp_path), "SECRET_KEY": "x"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput"],
        cwd=REPO,
        env=environment,
        check=True,
        capture_output=True,
    )
    hashed = re.compile(r"\w[\w-]*\.[0-9a-f]{12}\.js")
    folder = tmp_path / "static" / "js"
    imported = {
        name
        for path in folder.iterdir()
        if hashed.fullmatch(path.name)
        for name in IMPORT.findall(path.read_text(encoding="utf-8"))
    }
    assert any(name.startswith("drafts.") for name in imported)
    assert [name for name in imported if not hashed.fullmatch(name)] == []
    assert all((folder / name).exists() for name in imported)
