"""Starting the computation of suggestions without being asked."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotation.models import Membership, Project, Stage
from annotation.protocols import SuggestionPolicy
from annotation.selectors.suggestions import pairs_that_lack_one
from annotation.services.suggesting import last_suggesting, start_suggesting
from corpus.exceptions import DomainError
from corpus.live import ML_QUEUE, workers_alive
from corpus.models import Job, User
from verification.installed_systems import installed_system

# After a failure, or when somebody cancelled, it is not tried again for this long.
PAUSE = timedelta(hours=1)


def start_missing_suggestions() -> list[Job]:
    """Start one job for each project whose open pairs lack a suggestion.

    Nothing is started while no worker with models runs, or by projects that show no
    suggestions. A job belongs to an admin of its project, who sees it.
    """
    if not workers_alive(ML_QUEUE):
        return []
    return [
        start_suggesting(project=project, actor=admin)
        for project in Project.objects.filter(archived_at=None).order_by("pk")
        if _is_missing(project) and (admin := _admin_of(project))
    ]


def _is_missing(project: Project) -> bool:
    rules = project.rules
    if rules.suggestion_policy is SuggestionPolicy.OFF or _rests(project):
        return False
    try:
        system = installed_system(rules.suggestion_system)
    except DomainError:
        return False
    return pairs_that_lack_one(project, system.digest).exists()


def _rests(project: Project) -> bool:
    """Whether a job of the project is under way, or ended badly a short while ago."""
    last = last_suggesting(project)
    if last is None or last.state == Job.State.DONE:
        return False
    return last.finished_at is None or last.finished_at > timezone.now() - PAUSE


def _admin_of(project: Project) -> User | None:
    members = project.memberships.filter(
        state__in=[Membership.State.PROBATION, Membership.State.TRUSTED]
    )
    found = members.select_related("user").order_by("pk")
    return next((m.user for m in found if m.allows(Stage.ADMIN)), None)
