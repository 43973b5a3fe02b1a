"""Bringing abstracts into a corpus: the check, and the writing.

A document is known by its external id. The same content again changes nothing; a
document that a pair points to is never changed: it is listed as kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, OuterRef

from annotation.selectors.records import document_record
from annotation.services.importing import (
    BATCH,
    ImportRefusedError,
    ImportReport,
    Incoming,
    Progress,
    no_progress,
    read_batches,
)
from annotation.services.pairs import fixing_pairs
from corpus import records
from corpus.bulk import insert_rows
from corpus.events import column_values, new_event, record_event
from corpus.formats.base import Problem
from corpus.models import Corpus, Document, User
from corpus.search import index_documents
from corpus.sentences import SPLITTER, split_sentences
from corpus.text import content_hash, text_key

_CONTENT = (
    "external_id_is_int",
    "title",
    "sentences",
    "separators",
    "structured",
    "doi",
    "pmid",
    "url",
    "authors",
    "journal",
    "published",
    "type",
    "licence",
    "content_hash",
    "text_key",
    "splitter",
    "doubts",
    "has_doubts",
    "has_abstract",
    "source_extra",
)


def check_documents(
    *,
    source: Incoming[records.Document],
    corpus: Corpus,
    progress: Progress = no_progress,
    on_problem: Callable[[Problem], None] | None = None,
) -> ImportReport:
    """Say what an import would do. Writes nothing and holds no transaction."""
    report = ImportReport(sha256=source.sha256, on_problem=on_problem)
    loader = DocumentLoader(corpus, report, report.counts, writes=False)
    for batch in read_batches(source, report, progress, "checking"):
        loader.load([read.record for read in batch if read.record is not None])
    return report


def import_documents(
    *,
    source: Incoming[records.Document],
    corpus: Corpus,
    actor: User | None,
    progress: Progress = no_progress,
) -> ImportReport:
    """Write a whole file, or nothing: ``ImportRefusedError`` if it has an error."""
    with transaction.atomic():
        report = ImportReport(sha256=source.sha256)
        loader = DocumentLoader(corpus, report, report.counts, writes=True, actor=actor)
        for batch in read_batches(source, report, progress, "writing"):
            loader.load([read.record for read in batch if read.record is not None])
        if report.has_errors:
            raise ImportRefusedError(report)
        finish_corpus(corpus, report, report.counts, "import_documents", actor)
    return report


def finish_corpus(
    corpus: Corpus,
    report: ImportReport,
    counts: Counter[str],
    verb: str,
    actor: User | None,
) -> None:
    """Raise the version of a corpus whose documents changed, and say why."""
    if not counts["new"] and not counts["changed"]:
        return
    corpus.version += 1
    corpus.save(update_fields=["version"])
    event = record_event(
        noun="corpus",
        obj=corpus,
        verb=verb,
        actor=actor,
        fields={"version": corpus.version},
    )
    event.payload["file"] = {"sha256": report.sha256, "counts": dict(counts)}
    event.save(update_fields=["payload"])


class DocumentLoader:
    """Compares batches of records with a corpus, and writes what is new or changed.

    A loader that writes locks the corpus, so that two imports number their
    documents one after the other. The caller is in a transaction.
    """

    def __init__(
        self,
        corpus: Corpus,
        report: ImportReport,
        counts: Counter[str],
        *,
        writes: bool,
        actor: User | None = None,
    ) -> None:
        self._corpus = corpus
        self._report = report
        self._counts = counts
        self._writes = writes
        self._actor = actor
        self._texts: set[int] = set()
        self._position = 0
        if writes:
            self._lock()
        # Then nothing of the file can be known: no id comes twice.
        # (A corpus that a check is about to make has no key yet, and no documents.)
        self._was_empty = not Document.objects.filter(corpus_id=corpus.pk).exists()

    def _lock(self) -> None:
        locked = Corpus.objects.select_for_update().get(pk=self._corpus.pk)
        self._corpus.version = locked.version
        last = locked.documents.aggregate(last=Max("position"))["last"]
        self._position = 0 if last is None else last + 1

    def load(self, batch: Iterable[records.Document]) -> None:
        """Take a batch; no id may come twice, be it in another batch."""
        wanted = {record.id.text: record for record in batch}
        known = self._known(wanted)
        keys = self._find_duplicate_texts(wanted.values())
        new, changed = [], []
        for external_id, read in wanted.items():
            row = known.get(external_id)
            record = _with_text_from_here(row, read)
            kind = _kind(row, record)
            self._counts[kind] += 1
            if row is None:
                new.append(record)
            elif kind == "changed":
                changed.append((row, record))
            elif kind == "kept":
                self._report.keep(external_id)
        if self._writes and not self._report.has_errors:
            self._create(new, keys)
            self._change(self._still_unused(changed))

    def _still_unused(
        self, changed: list[tuple[Document, records.Document]]
    ) -> list[tuple[Document, records.Document]]:
        """Lock rows that will change, and keep those that got a pair since the look.

        A new pair needs its document's row, so none can come after the lock.
        """
        if not changed:
            return []
        pks = [row.pk for row, _ in changed]
        locked = Document.objects.select_for_update().filter(pk__in=pks)
        list(locked.order_by("pk").values_list("pk"))
        fixing = fixing_pairs().filter(document__in=pks)
        used = set(fixing.values_list("document_id", flat=True))
        for row, _ in changed:
            if row.pk in used:
                self._counts["changed"] -= 1
                self._counts["kept"] += 1
                self._report.keep(row.external_id)
        return [(row, record) for row, record in changed if row.pk not in used]

    def _known(self, ids: Iterable[str]) -> dict[str, Document]:
        if self._was_empty:
            return {}
        is_used = Exists(fixing_pairs().filter(document=OuterRef("pk")))
        rows = Document.objects.filter(
            corpus_id=self._corpus.pk, external_id__in=ids
        ).annotate(is_used=is_used)
        return {row.external_id: row for row in rows}

    def _find_duplicate_texts(
        self, batch: Iterable[records.Document]
    ) -> dict[str, str]:
        """Report a text that another id of the file or of the corpus has.

        Returns the keys of the texts by id.
        """
        keys = {record.id.text: document_text_key(record) for record in batch}
        stored = self._stored_texts(keys.values())
        for external_id, key in keys.items():
            short = int(key[:15], 16)  # a set of numbers takes a third of the memory
            if short in self._texts or stored.get(key, set()) - {external_id}:
                self._report.add_duplicate(external_id)
            self._texts.add(short)
        return keys

    def _stored_texts(self, keys: Iterable[str]) -> dict[str, set[str]]:
        """Return the ids of the corpus' documents by the key of their text."""
        stored: dict[str, set[str]] = {}
        if self._was_empty:
            return stored
        rows = Document.objects.filter(
            corpus_id=self._corpus.pk, text_key__in=set(keys)
        ).values_list("text_key", "external_id")
        for key, external_id in rows:
            stored.setdefault(key, set()).add(external_id)
        return stored

    def _create(self, new: list[records.Document], keys: dict[str, str]) -> None:
        rows = []
        for record in new:
            row = Document(corpus=self._corpus, external_id=record.id.text)
            row.position = self._position
            self._position += 1
            fill_document(row, record, key=keys[record.id.text])
            rows.append(row)
        insert_rows(rows)
        self._log((row, column_values(row)) for row in rows)
        index_documents(rows, are_new=True)

    def _change(self, changed: list[tuple[Document, records.Document]]) -> None:
        if not changed:
            return
        rows = [row for row, _ in changed]
        for row, record in changed:
            fill_document(row, record)
        Document.objects.bulk_update(rows, _CONTENT, batch_size=BATCH)
        self._log(
            (row, {name: getattr(row, name) for name in _CONTENT}) for row in rows
        )
        index_documents(rows)

    def _log(self, written: Iterable[tuple[Document, dict[str, Any]]]) -> None:
        insert_rows(
            new_event(
                noun="document",
                obj=row,
                verb="import",
                actor=self._actor,
                fields=fields,
            )
            for row, fields in written
        )


def _with_text_from_here(
    row: Document | None, record: records.Document
) -> records.Document:
    """Return the record with the text that somebody gave it here, if it has none.

    A file that still lacks an abstract must not take away a pasted one.
    """
    if row is None or not row.splitter:
        return record
    if record.text or any(sentence.strip() for sentence in record.sentences):
        return record
    return replace(record, text=row.text, sentences=())


def _kind(row: Document | None, record: records.Document) -> str:
    if row is None:
        return "new"
    if row.retired_at is not None:
        return "retired"
    if said(document_record(row)) == said(record):
        return "identical"
    return "kept" if row.is_used else "changed"  # type: ignore[attr-defined]


def fill_document(row: Document, record: records.Document, *, key: str = "") -> None:
    """Give a row what a record says; a text is split into sentences.

    ``key`` is the record's text key where it is known already.
    """
    row.external_id_is_int = record.id.is_int
    row.title = record.title
    row.structured = record.structured
    row.doi = record.doi
    row.pmid = record.pmid
    row.url = record.url
    row.authors = list(record.authors)
    row.journal = record.journal
    row.published = record.published
    row.type = record.type
    row.licence = record.licence
    row.source_extra = dict(record.extra)
    _fill_text(row, record)
    row.has_abstract = any(sentence.strip() for sentence in row.sentences)
    row.content_hash = content_hash(row.title, row.sentences, row.separators)
    row.text_key = key or document_text_key(record)


def _fill_text(row: Document, record: records.Document) -> None:
    if record.text is not None and record.text == row.text:
        return  # its boundaries may have been corrected here
    row.sentences = list(record.sentences)
    row.separators, row.splitter, row.doubts = None, "", []
    if record.text is not None:
        split = split_sentences(record.text)
        row.sentences = list(split.sentences)
        row.separators = list(split.separators)
        row.splitter = SPLITTER
        row.doubts = [asdict(doubt) for doubt in split.doubts]
    row.has_doubts = bool(row.doubts)


def said(record: records.Document) -> records.Document:
    """Return a document so that two records of the same content are equal.

    The sentences of a text are ours, not its source's: they may have been
    corrected here.
    """
    sentences = () if record.text is not None else record.sentences
    return replace(record, sentences=sentences, extra=dict(record.extra))


def document_text_key(record: records.Document) -> str:
    """Return the key that two abstracts with the same wording share."""
    text = record.text if record.text is not None else " ".join(record.sentences)
    return text_key(record.title, text)
