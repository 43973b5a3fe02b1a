"""Suggestions for tests, as the worker would have stored them."""

from __future__ import annotations

from typing import Any

from annotation.models import Pair, Project, Suggestion
from annotation.protocols import ProjectSettings
from annotation.services.projects import change_project, settings_key
from tests.factories import Team


def suggest(pair: Pair, **values: Any) -> Suggestion:
    """SUPPORT by the third sentence, for a pair as it reads now."""
    return Suggestion.objects.create(
        pair=pair,
        **{
            "claim_version": pair.claim.version,
            "document_hash": pair.document.content_hash,
            "system": "invented",
            "system_digest": "0" * 64,
            "label": "SUPPORT",
            "probabilities": [0.05, 0.09, 0.86],
            "sentences": [2],
            "scores": [0.01, 0.2, 0.93],
            **values,
        },
    )


def settle(team: Team, **settings: Any) -> None:
    """Change settings of a team's project; by itself nobody is a control."""
    project = Project.objects.get(pk=team.project.pk)
    values = {**project.settings, "suggestion_control_share": 0.0, **settings}
    change_project(
        project=project,
        actor=team.admin,
        seen=settings_key(project),
        name=project.name,
        description=project.description,
        visibility=project.visibility,
        rules=ProjectSettings.from_json(values),
        labels=project.labels,
    )
    team.project.refresh_from_db()
