"""What a claim is searched in: the abstracts of a corpus, and what is shown of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet

from annotation.selectors.corpora import DATED
from corpus import records
from corpus.models import Corpus, Document

BATCH = 500
# What an index is made of.
_INDEXED = ("external_id", "external_id_is_int", "title", "sentences", "published")


def searched_documents(corpus: Corpus) -> QuerySet[Document]:
    """Return the abstracts of a corpus that can hold evidence."""
    return corpus.documents.filter(retired_at=None, has_abstract=True)


def searched_records(corpus: Corpus) -> Iterator[records.Document]:
    """Return the abstracts in their order, with no more than an index is made of."""
    rows = searched_documents(corpus).order_by("position").only(*_INDEXED)
    return map(searched_record, rows.iterator(chunk_size=BATCH))


def searched_record(row: Document) -> records.Document:
    """Return what the models read of an abstract."""
    return records.Document(
        id=row.record_id, title=row.title, sentences=tuple(row.sentences)
    )


def newest_date(corpus: Corpus) -> str:
    """Return the newest date of the searched abstracts, empty if none has one."""
    dated = searched_documents(corpus).filter(DATED)
    newest = dated.order_by("-published").values_list("published", flat=True).first()
    return newest or ""


def found_documents(corpus: Corpus, names: Iterable[str]) -> dict[str, Document]:
    """Return the rows of abstracts by their id, as they are now."""
    rows = corpus.documents.filter(external_id__in=set(names))
    return {row.external_id: row for row in rows.defer("doubts", "source_extra")}
