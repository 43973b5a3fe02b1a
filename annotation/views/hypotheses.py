"""What the page of writing shows for a research question: a proposal, and studies."""

from __future__ import annotations

from typing import Any

from annotation.access import ProjectAccess
from annotation.hypotheses import NAME_SUBJECT, REWRITE, propose_hypothesis
from annotation.models import Source
from annotation.selectors.questions import TableFilter, study_page


def proposed_text(source: Source) -> dict[str, str]:
    """Return what the box starts with: the proposal, where it is a whole sentence."""
    if source.question is None:
        return {}
    proposal = propose_hypothesis(source.question.text)
    if proposal.hint in {NAME_SUBJECT, REWRITE}:
        return {}
    return {"text_1": proposal.text}


def hypothesis_page(access: ProjectAccess, source: Source) -> dict[str, Any]:
    """Return what stands beside the box of a hypothesis; nothing for a citance."""
    if source.question is None:
        return {}
    chosen = TableFilter(question=source.question.pk)
    page = study_page(access, chosen)
    return {
        "proposal": propose_hypothesis(source.question.text),
        "study_rows": [row for group in page.groups for row in group.rows],
        "has_more_studies": bool(page.next_after),
        "labels": access.project.labels,
    }
