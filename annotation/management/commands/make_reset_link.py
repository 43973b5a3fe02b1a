"""Print a link with which somebody can choose a new password."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.services.accounts import make_reset_link
from corpus.exceptions import DomainError
from corpus.models import User


class Command(BaseCommand):
    """For instances without a mail server."""

    help = "Print a link with which the person with this address can set a password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address."""
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link alone, so that it can be piped."""
        people = User.objects.exclude(email="")
        user = people.filter(email__iexact=options["email"]).first()
        if user is None:
            raise CommandError("Nobody here has this address.")
        try:
            self.stdout.write(make_reset_link(user))
        except DomainError as error:
            raise CommandError(str(error)) from None
