"""``manage.py load_demo``: the invented demo projects and benchmark."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from annotation.services.demo import (
    PASSWORD,
    demo_accounts,
    is_demo_loaded,
    load_demo,
    remove_demo,
)
from verification.services.demo import (
    is_demo_benchmark_loaded,
    load_demo_benchmark,
    remove_demo_benchmark,
    remove_demo_checks,
)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep quiet about a queue that does not run: the demo does its jobs itself."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


class Command(BaseCommand):
    """Loads the demo if it is not there; touches nothing else."""

    help = "Load the demo; with --reset, put it back to its first state."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--reset", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, or remove and load again; name the accounts.

        The projects in one transaction. The benchmark comes after them: its files
        are stored outside of any, and it leaves nothing behind when it fails.
        """
        with transaction.atomic():
            if options["reset"]:
                remove_demo_benchmark()
                remove_demo_checks()
                remove_demo()
            if not is_demo_loaded():
                load_demo()
        if not is_demo_benchmark_loaded():
            with _without_warnings():
                load_demo_benchmark()
        self.stdout.write(f"Demo accounts, all with the password {PASSWORD}:")
        for address, part in demo_accounts():
            self.stdout.write(f"  {address}  {part}")
