"""Let somebody into a project or corpus that a command made."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from annotation.services.corpora import change_owner
from annotation.services.members import make_admin
from corpus.exceptions import DomainError
from corpus.models import Corpus, User


class Command(BaseCommand):
    """Imports from the command line make projects and corpora without people."""

    help = "Make the person with this address an admin of a project, or own a corpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address, and what it is about."""
        parser.add_argument("email")
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--project", metavar="NAME")
        where.add_argument("--corpus", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        """Give the rights; doing it twice changes nothing."""
        people = User.objects.exclude(email="")
        user = people.filter(email__iexact=options["email"], is_active=True).first()
        if user is None:
            raise CommandError("Nobody here has this address. Sign up first.")
        try:
            self._give(user, options)
        except (Project.DoesNotExist, Corpus.DoesNotExist):
            raise CommandError("There is nothing with this name.") from None
        except DomainError as error:
            raise CommandError(str(error)) from None

    def _give(self, user: User, options: dict[str, Any]) -> None:
        if options["project"]:
            project = Project.objects.get(name=options["project"])
            make_admin(project=project, user=user)
            self.stdout.write(f"{user.email} administers {project}.")
            return
        corpus = Corpus.objects.get(name=options["corpus"])
        change_owner(corpus=corpus, owner=user)
        self.stdout.write(f"{user.email} owns {corpus}.")
