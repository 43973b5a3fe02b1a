"""Adding an abstract by hand, and filling in one that is missing."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.db.models import Max, Q

from annotation.services.corpora import lock_corpus, raise_version
from annotation.services.import_documents import document_text_key, fill_document
from annotation.services.pairs import fixing_pairs
from corpus import records
from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.models import Corpus, Document, User
from corpus.search import index_documents
from corpus.sentences import SPLITTER, split_sentences
from corpus.text import content_hash, text_key

TEXT_FIELDS = (
    "sentences",
    "separators",
    "splitter",
    "doubts",
    "has_doubts",
    "has_abstract",
    "content_hash",
    "text_key",
)


@transaction.atomic
def add_document(*, corpus: Corpus, record: records.Document, actor: User) -> Document:
    """Add one abstract; refused if the corpus has it already."""
    corpus = lock_corpus(corpus.pk)
    _refuse_known(corpus, record)
    last = corpus.documents.aggregate(last=Max("position"))["last"]
    row = Document(
        corpus=corpus,
        external_id=record.id.text,
        position=0 if last is None else last + 1,
    )
    fill_document(row, record)
    row.save(force_insert=True)
    record_event(
        noun="document", obj=row, verb="create", actor=actor, fields=column_values(row)
    )
    index_documents([row])
    raise_version(corpus=corpus, verb="add_document", actor=actor)
    return row


def _refuse_known(corpus: Corpus, record: records.Document) -> None:
    same = Q(external_id=record.id.text) | Q(text_key=document_text_key(record))
    known = corpus.documents.filter(same).first()
    if known is not None:
        raise DomainError(
            f"This abstract is already in the corpus, with the id {known.external_id}."
        )


@transaction.atomic
def fill_abstract(*, document: Document, text: str, actor: User) -> Document:
    """Give an abstract to a document that came without one."""
    document = lock_document(document)
    if document.has_abstract:
        raise DomainError("Somebody has filled in this abstract already.")
    refuse_if_used(document)
    if not text.strip():
        raise DomainError("Paste the abstract first.")
    was = text_values(document)
    split = split_sentences(text)
    document.sentences = list(split.sentences)
    document.separators = list(split.separators)
    document.splitter = SPLITTER
    document.doubts = [asdict(doubt) for doubt in split.doubts]
    document.text_key = text_key(document.title, text)
    save_text(document=document, verb="fill_abstract", actor=actor, was=was)
    return document


def lock_document(document: Document) -> Document:
    """Return the newest row, locked together with its corpus.

    A pair with this document cannot be committed until the lock is given back:
    its foreign key needs the row. So what is checked here stays true.
    """
    corpus = lock_corpus(document.corpus_id)
    locked = Document.objects.select_for_update().get(pk=document.pk)
    locked.corpus = corpus
    return locked


def refuse_if_used(document: Document) -> None:
    """Refuse to change the sentences that a pair points to."""
    if fixing_pairs().filter(document=document).exists():
        raise DomainError(
            "A claim has been paired with this abstract, so its sentences stay as "
            "they are."
        )


def text_values(document: Document) -> dict[str, object]:
    """Return the columns that change with the text."""
    return {field: getattr(document, field) for field in TEXT_FIELDS}


def save_text(
    *, document: Document, verb: str, actor: User, was: dict[str, object]
) -> None:
    """Save a locked document's new sentences with all that follows from them."""
    document.has_doubts = bool(document.doubts)
    document.has_abstract = any(sentence.strip() for sentence in document.sentences)
    document.content_hash = content_hash(
        document.title, document.sentences, document.separators
    )
    document.save(update_fields=TEXT_FIELDS)
    record_event(
        noun="document",
        obj=document,
        verb=verb,
        actor=actor,
        fields=text_values(document),
        was=was,
    )
    index_documents([document])
    raise_version(corpus=document.corpus, verb=verb, actor=actor)
