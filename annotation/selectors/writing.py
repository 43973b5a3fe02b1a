"""What a writer sees beside a source, and what they may still take back."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.access import ProjectAccess
from annotation.models import Claim, Source
from annotation.protocols import NegationStep
from annotation.selectors.negations import is_untouched


@dataclass(frozen=True, slots=True)
class LastWritten:
    """The source that a writer has just closed, and what they wrote from it."""

    source: Source
    text: str


def last_written(access: ProjectAccess) -> LastWritten | None:
    """The newest submission of the user, if it can still be taken back."""
    own = access.project.claims.filter(author=access.account, source__isnull=False)
    if access.project.rules.negation is NegationStep.SEPARATE:
        own = own.filter(negates=None)
    newest = (
        own.exclude(state=Claim.State.WITHDRAWN)
        .select_related("source")
        .order_by("-position")
        .first()
    )
    if newest is None or newest.source is None or not is_untouched(newest):
        return None
    if newest.source.closed_by_id != access.account.pk:
        return None
    claims = list(standing_claims(newest.source))
    if not all(is_untouched(claim) for claim in claims):
        return None
    return LastWritten(newest.source, " / ".join(claim.text for claim in claims))


def standing_claims(source: Source) -> QuerySet[Claim]:
    """The claims of a source that were not taken back, in their order."""
    return source.claims.exclude(state=Claim.State.WITHDRAWN).order_by("position")


def taken_back(access: ProjectAccess, source: Source, first: str) -> list[Claim]:
    """The own claims of a source that were taken back last, from the first one on.

    ``first`` is what stands in the address: anything that is no key finds nothing.
    """
    if not first.isdecimal() or len(first) > 18:
        return []
    withdrawn = source.claims.filter(
        author=access.account, state=Claim.State.WITHDRAWN, pk__gte=int(first)
    )
    return list(withdrawn.order_by("position"))


def source_text(source: Source) -> str:
    """The words that a claim is written from: a citance or a question."""
    if source.citance is not None:
        return str(source.citance.text)
    return str(source.question.text) if source.question else ""
