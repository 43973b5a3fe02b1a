"""Citances from a pasted paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Model

from annotation.services.corpora import lock_corpus, raise_version
from annotation.services.sources import add_sources
from corpus.events import column_values, new_event
from corpus.exceptions import DomainError
from corpus.models import (
    Article,
    Citance,
    Citation,
    Corpus,
    Document,
    Event,
    Passage,
    User,
)
from corpus.text import content_hash, content_key, normalise


@dataclass(frozen=True, slots=True)
class PastedArticle:
    """What is known about the article that a paragraph stands in."""

    title: str
    kind: str = Article.Kind.PAPER
    abstract: str = ""
    url: str = ""
    doi: str = ""

    @property
    def external_id(self) -> str:
        """The same article pasted again gets the same id."""
        if self.doi:
            return f"doi:{self.doi.casefold()}"
        return f"text:{content_key(self.kind, normalise(self.title))}"


@dataclass(frozen=True, slots=True)
class PastedCitance:
    """One citing sentence, and the abstracts that it cites with their roles."""

    start: int
    end: int
    cited: tuple[tuple[Document, str], ...]


@transaction.atomic
def add_paragraph(
    *,
    corpus: Corpus,
    article: PastedArticle,
    text: str,
    citances: Sequence[PastedCitance],
    actor: User,
) -> list[Citance]:
    """Keep a paragraph and its citances; each waits at once in every project.

    A second paragraph of the same article is added to it.
    """
    if not citances:
        raise DomainError("Tick at least one sentence as a citance.")
    corpus = lock_corpus(corpus.pk)
    events: list[Event] = []
    row = _article(corpus, article, actor, events)
    passage = _passage(row, text, actor, events)
    added = [_citance(passage, citance, actor, events) for citance in citances]
    Event.objects.bulk_create(events)
    raise_version(corpus=corpus, verb="add_citances", actor=actor)
    for project in corpus.projects.order_by("pk"):
        add_sources(project=project, actor=actor)
    return added


def _created(row: Model, actor: User) -> Event:
    noun = str(row._meta.model_name)
    return new_event(
        noun=noun, obj=row, verb="create", actor=actor, fields=column_values(row)
    )


def _article(
    corpus: Corpus, article: PastedArticle, actor: User, events: list[Event]
) -> Article:
    known = corpus.articles.filter(external_id=article.external_id).first()
    if known is not None:
        return known
    last = corpus.articles.aggregate(last=Max("position"))["last"]
    row = Article.objects.create(
        corpus=corpus,
        external_id=article.external_id,
        position=0 if last is None else last + 1,
        kind=article.kind,
        title=article.title,
        abstract=article.abstract,
        url=article.url,
        doi=article.doi,
    )
    events.append(_created(row, actor))
    return row


def _passage(article: Article, text: str, actor: User, events: list[Event]) -> Passage:
    """Add the paragraph after the others; the same one twice is a mistake.

    The article's hash covers its paragraphs, as it does for imported ones.
    """
    texts = dict(article.passages.values_list("ordinal", "text"))
    if text in texts.values():
        raise DomainError("This paragraph of the article is here already.")
    row = Passage.objects.create(
        article=article, ordinal=max(texts, default=-1) + 1, text=text
    )
    ordered = [texts[ordinal] for ordinal in sorted(texts)]
    article.content_hash = content_hash(article.title, [*ordered, text])
    article.save(update_fields=["content_hash"])
    fields = {"content_hash": article.content_hash}
    events += [
        _created(row, actor),
        new_event(noun="article", obj=article, verb="grow", actor=actor, fields=fields),
    ]
    return row


def _citance(
    passage: Passage, citance: PastedCitance, actor: User, events: list[Event]
) -> Citance:
    article = passage.article
    row = Citance.objects.create(
        corpus=article.corpus,
        passage=passage,
        external_id=f"{article.external_id}#{passage.ordinal + 1}:{citance.start}",
        start=citance.start,
        end=citance.end,
    )
    events.append(_created(row, actor))
    for ordinal, (document, role) in enumerate(citance.cited):
        citation = Citation.objects.create(
            citance=row, document=document, role=role, ordinal=ordinal
        )
        events.append(_created(citation, actor))
    return row
