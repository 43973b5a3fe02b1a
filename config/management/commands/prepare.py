"""All that an installation needs before it serves, in one start of Django."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, CommandError, call_command

from config.health import database_problem, migrations_problem


class Command(BaseCommand):
    """Checks, migrates, collects static files and loads the demo; quick when done."""

    help = "Check the settings, migrate, collect static files and load the demo."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is missing. Standard output holds only what the demo says."""
        self.check_settings()
        self.migrate()
        self.collect_static()
        if settings.LOAD_DEMO:
            self.load_demo()

    def check_settings(self) -> None:
        """Refuse to start on an error; show warnings."""
        call_command("check", deploy=settings.IS_HTTPS, stdout=sys.stderr)

    def migrate(self) -> None:
        """Bring the database up to date."""
        if problem := database_problem():
            raise CommandError(f"The database {problem}. Check DATABASE_URL.")
        if migrations_problem():
            call_command("migrate", interactive=False, stdout=sys.stderr)
        # Does nothing unless the cache is in the database and has no table yet.
        call_command("createcachetable", stdout=sys.stderr)

    def collect_static(self) -> None:
        """Collect and compress static files, unless they are as they were."""
        stamp = Path(settings.STATIC_ROOT) / ".collected"
        state = static_files_state()
        if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
            return
        # Silent: it would name every old file that it takes away.
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        sys.stderr.write("Static files collected.\n")
        stamp.write_text(state, encoding="utf-8")

    def load_demo(self) -> None:
        """Load the demo if it is not there; it prints its accounts."""
        call_command("load_demo", stdout=self.stdout)


def static_files_state() -> str:
    """Return a checksum over the names, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            state = Path(storage.path(path)).stat()
            digest.update(f"{path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
