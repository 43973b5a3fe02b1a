"""The only delete: a whole project with everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import (
    Acceptance,
    Adjudication,
    Claim,
    ClaimCitation,
    ClaimVersion,
    Comment,
    EarlyAnswer,
    Judgement,
    JudgementVersion,
    Project,
    Rationale,
    SampledPair,
    Study,
    Suggestion,
    SuggestionOffer,
    Verdict,
)
from corpus.exceptions import DomainError
from corpus.models import (
    Article,
    Citance,
    Citation,
    Corpus,
    Distractor,
    Document,
    Event,
    Passage,
)
from corpus.search import remove_documents


@transaction.atomic
def purge_project(*, project: Project, typed_name: str) -> None:
    """Delete a project and all work in it, for good; its corpus stays.

    ``typed_name`` is the project's name as the person typed it to confirm.
    """
    if typed_name != project.name:
        raise DomainError("Type the name of the project exactly to delete it.")
    claims, pairs = {"claim__project": project}, {"pair__project": project}
    steps: Sequence[QuerySet[Any]] = [
        project.leases.all(),
        project.skips.all(),
        EarlyAnswer.objects.filter(claim_version__claim__project=project),
        project.flags.all(),
        Adjudication.objects.filter(**pairs),
        Verdict.objects.filter(**pairs),
        Comment.objects.filter(review__project=project),
        project.disagreements.all(),
        project.reviews.all(),
        project.notices.all(),
        SampledPair.objects.filter(sample__project=project),
        project.reannotation_samples.all(),
        Rationale.objects.filter(judgement__pair__project=project),
        JudgementVersion.objects.filter(judgement__pair__project=project),
        Judgement.objects.filter(**pairs),
        SuggestionOffer.objects.filter(**pairs),
        Suggestion.objects.filter(**pairs),
        project.pairs.all(),
        ClaimVersion.objects.filter(**claims),
        ClaimCitation.objects.filter(**claims),
    ]
    _delete(steps)
    # A negation points to its original: unlinked first, then deleted together.
    Claim.objects.filter(project=project).update(negates=None)
    texts = Acceptance.objects.filter(guideline__project=project)
    texts |= Acceptance.objects.filter(consent_text__project=project)
    _delete(
        [
            project.claims.all(),
            project.splits.all(),
            project.sources.all(),
            Study.objects.filter(question__project=project),
            project.questions.all(),
            texts,
            project.guidelines.all(),
            project.consent_texts.all(),
            project.invitations.all(),
            project.drafts.all(),
            project.memberships.all(),
            project.task_times.all(),
            project.work_sessions.all(),
            project.saved_filters.all(),
            project.bulk_actions.all(),
            Event.objects.filter(project_id=project.pk),
        ]
    )
    project.delete()


@transaction.atomic
def purge_corpus(*, corpus: Corpus, typed_name: str) -> None:
    """Delete a corpus that no project uses, for good."""
    if typed_name != corpus.name:
        raise DomainError("Type the name of the corpus exactly to delete it.")
    users = corpus.projects.values_list("name", flat=True)
    if users:
        raise DomainError(f"{corpus} is used by {', '.join(users)}.")
    remove_documents(corpus.documents.values_list("pk", flat=True))
    _delete(
        [
            *_text_events(corpus),
            Citation.objects.filter(citance__corpus=corpus),
            Citance.objects.filter(corpus=corpus),
            Passage.objects.filter(article__corpus=corpus),
            Article.objects.filter(corpus=corpus),
            Distractor.objects.filter(document__corpus=corpus),
            Document.objects.filter(corpus=corpus),
        ]
    )
    corpus.delete()


def _delete(steps: Sequence[QuerySet[Any]]) -> None:
    for rows in steps:
        rows.delete()


def _text_events(corpus: Corpus) -> list[QuerySet[Event]]:
    """Return the events of a corpus and of its texts, replaced ones included."""
    articles = list(corpus.articles.values_list("pk", flat=True))
    citances = _ever("citance", corpus_id=[corpus.pk])
    return [
        _events("citation", _ever("citation", citance_id=citances)),
        _events("citance", citances),
        _events("passage", _ever("passage", article_id=articles)),
        _events("article", articles),
        _events("document", corpus.documents.values("pk")),
        _events("corpus", [corpus.pk]),
    ]


def _ever(noun: str, **owner: list[int]) -> list[int]:
    """Return the keys of the rows that a row of these has ever had."""
    ((field, keys),) = owner.items()
    made = Event.objects.filter(noun=noun, **{f"payload__set__{field}__in": keys})
    return list(made.values_list("object_id", flat=True))


def _events(noun: str, keys: Iterable[Any]) -> QuerySet[Event]:
    return Event.objects.filter(noun=noun, object_id__in=keys)
