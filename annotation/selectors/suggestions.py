"""Suggestions of a model: the one for a pair, and what an annotator was shown."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.models import Judgement, Pair, Project, Suggestion, SuggestionOffer
from corpus.models import User


def current_suggestion(pair: Pair) -> Suggestion | None:
    """Return the newest suggestion for a pair in its present words."""
    return (
        pair.suggestions.filter(
            claim_version=pair.claim.version,
            document_hash=pair.document.content_hash,
        )
        .order_by("-pk")
        .first()
    )


def own_offer(pair: Pair, annotator: User) -> SuggestionOffer | None:
    """Return what an annotator was offered for a pair."""
    return (
        pair.suggestion_offers.filter(annotator=annotator)
        .select_related("suggestion")
        .first()
    )


def current_suggestions(project: Project) -> QuerySet[Suggestion]:
    """Return the suggestions of a project that fit the present words of their pair."""
    return Suggestion.objects.filter(
        pair__project=project,
        claim_version=F("pair__claim__version"),
        document_hash=F("pair__document__content_hash"),
    )


@dataclass(frozen=True, slots=True)
class Readiness:
    """How many pairs wait for a first judgement, and how many have a suggestion."""

    waiting: int
    suggested: int


def readiness(project: Project) -> Readiness:
    """Return how far the suggestions for the open pairs are."""
    waiting = pairs_to_suggest(project)
    fitting = current_suggestions(project).filter(pair=OuterRef("pk"))
    return Readiness(waiting.count(), waiting.filter(Exists(fitting)).count())


def pairs_to_suggest(project: Project) -> QuerySet[Pair]:
    """Return the open pairs of which nobody has given the first judgement."""
    first = Judgement.objects.filter(pair=OuterRef("pk"), slot=0)
    return (
        project.pairs.filter(state=Pair.State.OPEN, document__has_abstract=True)
        .exclude(origin=Pair.Origin.GENERATED)
        .filter(~Exists(first))
    )


def pairs_that_lack_one(project: Project, system_digest: str) -> QuerySet[Pair]:
    """Return the open pairs for which a system has not suggested anything yet."""
    fitting = current_suggestions(project).filter(
        pair=OuterRef("pk"), system_digest=system_digest
    )
    return pairs_to_suggest(project).filter(~Exists(fitting))
