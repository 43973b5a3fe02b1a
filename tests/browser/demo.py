"""What the demo's admin can open."""

from __future__ import annotations

from annotation.access import get_project
from annotation.models import Project, Source
from annotation.selectors.work import sources_to_write
from corpus.models import User


def open_source(project: Project) -> Source:
    """The first source that the admin may write from.

    Not any open one: the admin has judged claims on some of the abstracts.
    """
    admin = User.objects.get(email="admin@claimdesk.test")
    return sources_to_write(get_project(admin, project.slug))[0]
