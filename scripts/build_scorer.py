"""Build the scorer as one file that needs only Python 3.11 and numpy.

Usage: ``python -m scripts.build_scorer build/claimdesk-scorer.pyz``. The file holds
the scorer and exactly the modules of this repository that it loads, so its version
and signatures are those of the command. The same sources give the same bytes.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent

# Loads every task and prints the files of the loaded modules of the repository.
LOADED = """
import sys
from verification.scoring import __main__, bootstrap, registry
for name in registry.TASK_NAMES:
    registry.get_task(name)
for module in list(sys.modules.values()):
    path = getattr(module, "__file__", None)
    if path:
        print(path)
"""
MAIN = b"from verification.scoring.__main__ import run\n\nrun()\n"
SHEBANG = b"#!/usr/bin/env python3\n"
EARLIEST = (1980, 1, 1, 0, 0, 0)


def sources() -> list[Path]:
    """Return the files of the repository that the scorer loads."""
    result = subprocess.run(  # noqa: S603  # our own interpreter and text
        [sys.executable, "-c", LOADED],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = [Path(line) for line in result.stdout.splitlines()]
    ours = {path for path in loaded if path.is_relative_to(REPO)}
    return sorted(path for path in ours if ".venv" not in path.parts)


def build(target: Path) -> None:
    """Write the single file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, "__main__.py", MAIN)
            for path in sources():
                _add(archive, str(path.relative_to(REPO)), path.read_bytes())
    target.chmod(0o755)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
