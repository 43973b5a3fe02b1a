"""What the pages of corpora show. Documents come from ``access.visible_documents``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import (
    Count,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from annotation import access as door
from annotation.access import ACTIVE_STATES, AnyUser
from annotation.models import Claim, Membership, Pair, Project
from corpus.models import Article, Citance, Corpus, Document
from corpus.search import search
from corpus.sentences import Doubt

# Dates are text, as their source has them; those that begin with a year sort.
DATED = Q(published__gte="1000", published__lt="3")
FOUND_TO_CITE = 8
_GAP = re.compile(r"(?<=[.!?;:)\]])\s+(?=\S)")


def corpora(user: AnyUser) -> QuerySet[Corpus]:
    """The corpora that a user may read, with the abstracts that they see there."""
    abstracts = (
        door.countable_documents(user)
        .filter(corpus=OuterRef("pk"))
        .order_by()
        .values("corpus")
    )
    return door.visible_corpora(user).annotate(
        document_count=Coalesce(
            Subquery(
                abstracts.annotate(count=Count("pk")).values("count"),
                output_field=IntegerField(),
            ),
            0,
        ),
        newest=Subquery(
            abstracts.filter(DATED).annotate(newest=Max("published")).values("newest")
        ),
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """How many things a corpus holds."""

    documents: int
    without_abstract: int
    doubtful: int
    articles: int
    citances: int
    newest: str

    def counts(self) -> list[tuple[str, int]]:
        """The figures with their words, for ``parts/_counts.html``."""
        return [
            ("abstracts", self.documents),
            ("without a text", self.without_abstract),
            ("with doubtful boundaries", self.doubtful),
            ("citing articles", self.articles),
            ("citances", self.citances),
        ]


def figures(user: AnyUser, corpus: Corpus) -> Figures:
    """Count what a user may see of a corpus."""
    counted = door.visible_documents(user, corpus).aggregate(
        documents=Count("pk"),
        without_abstract=Count("pk", filter=Q(has_abstract=False)),
        doubtful=Count("pk", filter=Q(has_doubts=True)),
        newest=Max("published", filter=DATED),
    )
    return Figures(
        **counted | {"newest": counted["newest"] or ""},
        articles=Article.objects.filter(corpus=corpus).count(),
        citances=Citance.objects.filter(corpus=corpus).count(),
    )


def found_documents(user: AnyUser, corpus: Corpus, query: str) -> QuerySet[Document]:
    """The visible abstracts in whose title or text a query is found."""
    documents = door.visible_documents(user, corpus)
    return search(documents, query) if query else documents


def without_abstract(user: AnyUser, corpus: Corpus) -> QuerySet[Document]:
    """The visible documents that wait for their text."""
    return door.visible_documents(user, corpus).filter(has_abstract=False)


def doubtful(user: AnyUser, corpus: Corpus) -> QuerySet[Document]:
    """The visible abstracts with boundaries that somebody should look at."""
    return with_use(door.visible_documents(user, corpus)).filter(has_doubts=True)


def with_use(documents: QuerySet[Document]) -> QuerySet[Document]:
    """Note on each document whether a pair points to it."""
    pairs = Pair.objects.filter(document=OuterRef("pk"))
    return documents.annotate(is_used=Exists(pairs))


@dataclass(frozen=True, slots=True)
class Place:
    """A doubtful place with the text on both sides.

    ``sentence`` and ``offset`` are what the services take. ``is_cut`` says whether
    the text ends a sentence there now.
    """

    sentence: int
    offset: int | None
    reason: str
    before: str
    after: str

    @property
    def is_cut(self) -> bool:
        """Whether a boundary stands here."""
        return self.offset is None


def places(sentences: list[str], doubts: list[Doubt]) -> list[Place]:
    """Show the doubtful places of a text, in their order."""
    return [_place(sentences, doubt) for doubt in doubts]


def document_places(document: Document) -> list[Place]:
    """Show the doubtful places of an abstract."""
    return places(document.sentences, [Doubt(**doubt) for doubt in document.doubts])


def every_place(document: Document) -> list[Place]:
    """Show each boundary of an abstract and each gap where one could be.

    Gaps are the white space behind marks that may end a sentence.
    """
    reasons = {(d["sentence"], d["offset"]): d["reason"] for d in document.doubts}
    found: list[Doubt] = []
    for index, sentence in enumerate(document.sentences):
        if index:
            found.append(Doubt(index, None, reasons.get((index, None), "")))
        for gap in _GAP.finditer(sentence):
            reason = reasons.get((index, gap.end()), "")
            found.append(Doubt(index, gap.end(), reason))
    return places(document.sentences, found)


def _place(sentences: list[str], doubt: Doubt) -> Place:
    sentence = sentences[doubt.sentence]
    if doubt.offset is None:
        before, after = sentences[doubt.sentence - 1], sentence
    else:
        before, after = sentence[: doubt.offset], sentence[doubt.offset :]
    return Place(doubt.sentence, doubt.offset, doubt.reason, before, after)


def documents_to_cite(user: AnyUser, corpus: Corpus, query: str) -> list[Document]:
    """Find abstracts by their id, else by words of title and text."""
    documents = door.visible_documents(user, corpus)
    by_id = list(documents.filter(external_id=query))
    return by_id or list(search(documents, query).order_by("position")[:FOUND_TO_CITE])


def cited_in(user: AnyUser, document: Document) -> QuerySet[Claim]:
    """The claims about an abstract, in projects where the user may read all work."""
    memberships = Membership.objects.filter(
        project__corpus=document.corpus_id, user=user.pk, state__in=ACTIVE_STATES
    )
    overseen = [
        membership.project_id
        for membership in memberships
        if any(membership.allows(stage) for stage in door.OVERSIGHT)
    ]
    return (
        Claim.objects.filter(project__in=overseen, pairs__document=document)
        .exclude(pairs__origin=Pair.Origin.GENERATED)
        .select_related("project")
        .order_by("project_id", "position")
        .distinct()
    )


def projects_of(user: AnyUser, corpus: Corpus) -> QuerySet[Project]:
    """The projects on a corpus that the user may open."""
    return door.visible_projects(user).filter(corpus=corpus)
