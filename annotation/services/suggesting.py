"""Having suggestions computed for the open pairs of a project."""

from __future__ import annotations

from annotation.models import Project
from corpus.jobs import start_job
from corpus.models import Job, User

KIND = "suggest_pairs"


def last_suggesting(project: Project) -> Job | None:
    """Return the newest job that computes suggestions for a project."""
    jobs = Job.objects.filter(kind=KIND, project_id=project.pk)
    return jobs.order_by("-pk").first()


def start_suggesting(*, project: Project, actor: User) -> Job:
    """Start the job of a project, or return the one that waits or runs.

    Two that run at once do no harm: a pair has one suggestion by each system.
    """
    last = last_suggesting(project)
    if last is not None and not last.is_finished:
        return last
    return start_job(
        kind=KIND,
        owner=actor,
        payload={"project": project.pk},
        project_id=project.pk,
    )
