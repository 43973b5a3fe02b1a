"""Citing articles as the plain records that files hold."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Prefetch, QuerySet

from corpus import records
from corpus.models import Article, Citance, Citation, Document, Passage

BATCH = 200


def article_rows(articles: QuerySet[Article]) -> Iterator[Article]:
    """Yield articles by position with all rows that ``article_record`` reads."""
    documents = Document.objects.only("external_id", "external_id_is_int")
    return (
        articles.order_by("position")
        .prefetch_related(
            Prefetch("passages", Passage.objects.order_by("ordinal")),
            Prefetch("passages__citances", Citance.objects.order_by("start", "pk")),
            Prefetch(
                "passages__citances__citations", Citation.objects.order_by("ordinal")
            ),
            Prefetch("passages__citances__citations__document", documents),
        )
        .iterator(chunk_size=BATCH)
    )


def article_record(row: Article) -> records.Article:
    """Return one article that ``article_rows`` has read."""
    return records.Article(
        id=records.ExternalId(row.external_id, row.external_id_is_int),
        title=row.title,
        kind=row.kind,
        abstract=row.abstract,
        url=row.url,
        doi=row.doi,
        journal=row.journal,
        published=row.published,
        licence=row.licence,
        passages=tuple(_passage(passage) for passage in row.passages.all()),
        extra=row.source_extra,
    )


def _passage(row: Passage) -> records.Passage:
    citances = tuple(_citance(citance) for citance in row.citances.all())
    return records.Passage(row.text, citances)


def _citance(row: Citance) -> records.Citance:
    cited = tuple(
        records.CitedDocument(
            citation.document.record_id, records.CitationRole(citation.role)
        )
        for citation in row.citations.all()
    )
    external_id = records.ExternalId(row.external_id, row.external_id_is_int)
    return records.Citance(external_id, row.start, row.end, cited)
