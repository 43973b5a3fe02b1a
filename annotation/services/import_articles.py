"""Bringing citing articles with their citances into a corpus.

An article is known by its external id. The same content again changes nothing; an
article whose citances wait in a project, or are written already, is never changed:
it is listed as kept. New citances are in the queues of the corpus' projects at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, Model, OuterRef, QuerySet

from annotation.models import Project, Source
from annotation.selectors.articles import article_record, article_rows
from annotation.services.importing import (
    BATCH,
    ImportRefusedError,
    ImportReport,
    Incoming,
    Progress,
    no_progress,
    read_batches,
)
from annotation.services.sources import add_sources
from corpus import records
from corpus.bulk import insert_rows
from corpus.events import column_values, new_event, record_event
from corpus.formats.base import Problem, Read
from corpus.models import (
    Article,
    Citance,
    Citation,
    Corpus,
    Document,
    Passage,
    User,
)
from corpus.records import ExternalId
from corpus.text import content_hash

_VALUES = (
    "external_id_is_int",
    "kind",
    "title",
    "abstract",
    "url",
    "doi",
    "journal",
    "published",
    "licence",
    "content_hash",
    "source_extra",
)


def check_articles(
    *,
    source: Incoming[records.Article],
    corpus: Corpus,
    progress: Progress = no_progress,
    on_problem: Callable[[Problem], None] | None = None,
) -> ImportReport:
    """Say what an import would do. Writes nothing and holds no transaction."""
    report = ImportReport(sha256=source.sha256, on_problem=on_problem)
    loader = _ArticleLoader(corpus, report, writes=False)
    for batch in read_batches(source, report, progress, "checking"):
        loader.load(batch)
    return report


def import_articles(
    *,
    source: Incoming[records.Article],
    corpus: Corpus,
    actor: User | None,
    progress: Progress = no_progress,
) -> ImportReport:
    """Write a whole file, or nothing: ``ImportRefusedError`` if it has an error."""
    with transaction.atomic():
        report = ImportReport(sha256=source.sha256)
        loader = _ArticleLoader(corpus, report, writes=True, actor=actor)
        for batch in read_batches(source, report, progress, "writing"):
            loader.load(batch)
        if report.has_errors:
            raise ImportRefusedError(report)
        if report.changes_anything:
            _finish(corpus, report, actor)
    return report


def _finish(corpus: Corpus, report: ImportReport, actor: User | None) -> None:
    event = record_event(noun="corpus", obj=corpus, verb="import_articles", actor=actor)
    event.payload["file"] = {"sha256": report.sha256, "counts": dict(report.counts)}
    event.save(update_fields=["payload"])
    for project in Project.objects.filter(corpus=corpus).order_by("pk"):
        add_sources(project=project, actor=actor)


class _ArticleLoader:
    """Compares batches of articles with a corpus, and writes what is new or changed."""

    def __init__(
        self,
        corpus: Corpus,
        report: ImportReport,
        *,
        writes: bool,
        actor: User | None = None,
    ) -> None:
        self._corpus = corpus
        self._report = report
        self._writes = writes
        self._actor = actor
        self._position = 0
        if writes:
            locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
            last = locked.articles.aggregate(last=Max("position"))["last"]
            self._position = 0 if last is None else last + 1

    def load(self, batch: Sequence[Read[records.Article]]) -> None:
        """Take a batch of good records."""
        articles = [(read.line, read.record) for read in batch if read.record]
        documents = self._documents(article for _, article in articles)
        owners = self._citance_owners(article for _, article in articles)
        known = self._known(article for _, article in articles)
        new, changed = [], []
        for line, article in articles:
            if not self._is_sound(line, article, documents, owners):
                continue
            row = known.get(article.id.text)
            kind = _kind(row, article)
            self._report.counts[kind] += 1
            if row is None:
                new.append((self._new_row(article), article))
            elif kind == "changed":
                changed.append((row, article))
            elif kind == "kept":
                self._report.keep(article.id.text)
        if self._writes and not self._report.has_errors:
            self._create(new, documents)
            self._change(changed, documents)

    def _documents(self, articles: Iterable[records.Article]) -> dict[str, int]:
        ids = {
            cited.document.text
            for article in articles
            for citance in _citances(article)
            for cited in citance.cited
        }
        rows = Document.objects.filter(corpus=self._corpus, external_id__in=ids)
        return dict(rows.values_list("external_id", "pk"))

    def _citance_owners(self, articles: Iterable[records.Article]) -> dict[str, str]:
        """Return the article of each stored citance that a batch names, too."""
        ids = {c.id.text for article in articles for c in _citances(article)}
        rows = Citance.objects.filter(corpus=self._corpus, external_id__in=ids)
        return dict(rows.values_list("external_id", "passage__article__external_id"))

    def _known(self, articles: Iterable[records.Article]) -> dict[str, Article]:
        ids = [article.id.text for article in articles]
        waiting = Source.objects.filter(citance__passage__article=OuterRef("pk"))
        rows = Article.objects.filter(
            corpus=self._corpus, external_id__in=ids
        ).annotate(is_used=Exists(waiting))
        return {row.external_id: row for row in article_rows(rows)}

    def _is_sound(
        self,
        line: int,
        article: records.Article,
        documents: dict[str, int],
        owners: dict[str, str],
    ) -> bool:
        problems = [
            *_missing(article, documents, self._corpus.name),
            *_taken(article, owners),
        ]
        for problem in problems:
            self._report.add(replace(problem, line=line))
        return not problems

    def _new_row(self, article: records.Article) -> Article:
        row = Article(corpus=self._corpus, external_id=article.id.text)
        row.position = self._position
        self._position += 1
        return row

    def _create(
        self, new: list[tuple[Article, records.Article]], documents: dict[str, int]
    ) -> None:
        for row, article in new:
            _fill(row, article)
        self._insert([row for row, _ in new])
        self._create_passages(new, documents)

    def _change(
        self, changed: list[tuple[Article, records.Article]], documents: dict[str, int]
    ) -> None:
        """Replace articles of which no project knows; nobody has worked on them."""
        rows = [row for row, _ in changed]
        for row, article in changed:
            _fill(row, article)
        Article.objects.bulk_update(rows, _VALUES, batch_size=BATCH)
        self._log(rows, "import")
        self._delete(Citation.objects.filter(citance__passage__article__in=rows))
        self._delete(Citance.objects.filter(passage__article__in=rows))
        self._delete(Passage.objects.filter(article__in=rows))
        self._create_passages(changed, documents)

    def _create_passages(
        self, articles: list[tuple[Article, records.Article]], documents: dict[str, int]
    ) -> None:
        passages = [
            (Passage(article=row, ordinal=ordinal, text=passage.text), passage)
            for row, article in articles
            for ordinal, passage in enumerate(article.passages)
        ]
        self._insert([row for row, _ in passages])
        citances = [
            (self._citance(row, citance), citance)
            for row, passage in passages
            for citance in passage.citances
        ]
        self._insert([row for row, _ in citances])
        self._insert(
            [
                Citation(
                    citance=row,
                    document_id=documents[cited.document.text],
                    role=cited.role.value,
                    ordinal=ordinal,
                )
                for row, citance in citances
                for ordinal, cited in enumerate(citance.cited)
            ]
        )

    def _insert(self, rows: Sequence[Model]) -> None:
        """Write new rows of one table with their events."""
        if rows:
            insert_rows(rows)
            self._log(rows, "import")

    def _delete(self, rows: QuerySet[Any]) -> None:
        self._log(list(rows), "delete")
        rows.delete()

    def _log(self, rows: Iterable[Model], verb: str) -> None:
        insert_rows(
            new_event(
                noun=str(row._meta.model_name),
                obj=row,
                verb=verb,
                actor=self._actor,
                fields={} if verb == "delete" else column_values(row),
            )
            for row in rows
        )

    def _citance(self, passage: Passage, citance: records.Citance) -> Citance:
        return Citance(
            corpus=self._corpus,
            passage=passage,
            external_id=citance.id.text,
            external_id_is_int=citance.id.is_int,
            start=citance.start,
            end=citance.end,
        )


def _kind(row: Article | None, article: records.Article) -> str:
    if row is None:
        return "new"
    if _comparable(article_record(row)) == _comparable(article):
        return "identical"
    return "kept" if row.is_used else "changed"  # type: ignore[attr-defined]


def _comparable(article: records.Article) -> records.Article:
    """Return an article so that two spellings of the same content are equal."""
    passages = tuple(
        replace(passage, citances=tuple(sorted(_plain(passage), key=_place)))
        for passage in article.passages
    )
    return replace(article, passages=passages, extra=dict(article.extra))


def _place(citance: records.Citance) -> tuple[int, int, str]:
    return citance.start, citance.end, citance.id.text


def _plain(passage: records.Passage) -> Iterator[records.Citance]:
    """Yield citances whose cited ids compare as text."""
    for citance in passage.citances:
        cited = tuple(
            replace(entry, document=ExternalId(entry.document.text))
            for entry in citance.cited
        )
        yield replace(citance, cited=cited)


def _citances(article: records.Article) -> Iterator[records.Citance]:
    for passage in article.passages:
        yield from passage.citances


def _missing(
    article: records.Article, documents: dict[str, int], corpus_name: str
) -> Iterator[Problem]:
    for citance in _citances(article):
        for cited in citance.cited:
            if cited.document.text in documents:
                continue
            yield Problem(
                f"Citance {citance.id}: the abstract {cited.document} is not in the "
                f"corpus “{corpus_name}”. Import the abstracts first.",
                field="cited",
                value=cited.document.text,
                expected="the id of an abstract in the corpus",
            )


def _taken(article: records.Article, owners: dict[str, str]) -> Iterator[Problem]:
    for citance in _citances(article):
        owner = owners.get(citance.id.text, article.id.text)
        if owner == article.id.text:
            continue
        yield Problem(
            f"The citance id {citance.id} is taken by the article {owner}.",
            field="citance_id",
            value=citance.id.text,
            expected="a new id",
        )


def _fill(row: Article, article: records.Article) -> None:
    row.external_id_is_int = article.id.is_int
    row.kind = article.kind
    row.title = article.title
    row.abstract = article.abstract
    row.url = article.url
    row.doi = article.doi
    row.journal = article.journal
    row.published = article.published
    row.licence = article.licence
    row.source_extra = dict(article.extra)
    row.content_hash = content_hash(
        article.title, [passage.text for passage in article.passages]
    )
