"""Search in titles and abstracts: one function, the same hits on both databases.

The index holds our own tokens (``corpus.text.search_tokens``), so that neither
FTS5 nor PostgreSQL decides what a word is. It is written in the transaction of the
documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from corpus.bulk import insert_values
from corpus.models import Document
from corpus.text import search_tokens

BATCH = 500
# Longer tokens are cut, in texts and in queries alike; lexemes stop at 2046 bytes.
TOKEN_LIMIT = 100
# A tsvector holds at most a megabyte; no abstract comes near, but a wrong file may.
DOCUMENT_LIMIT = 500_000

MATCH = {
    "sqlite": (
        "SELECT rowid FROM corpus_document_search WHERE corpus_document_search MATCH %s"
    ),
    "postgresql": (
        "SELECT document_id FROM corpus_document_search WHERE tokens @@ %s::tsquery"
    ),
}


def index_documents(documents: Iterable[Document], *, are_new: bool = False) -> None:
    """Put saved documents into the index, or renew their entries.

    Belongs in the transaction that writes the documents. Streams.
    """
    rest = iter(documents)
    while batch := list(islice(rest, BATCH)):
        if not are_new:
            _delete([document.pk for document in batch])
        _insert((d.pk, _document_tokens(d)) for d in batch)


def remove_documents(ids: Iterable[int]) -> None:
    """Take documents out of the index."""
    rest = iter(ids)
    while batch := list(islice(rest, BATCH)):
        _delete(batch)


def _insert(rows: Iterable[tuple[int, Iterable[str]]]) -> None:
    is_sqlite = connection.vendor == "sqlite"
    key, write = ("rowid", " ".join) if is_sqlite else ("document_id", _quoted)
    entries = ((pk, write(tokens)) for pk, tokens in rows)
    insert_values("corpus_document_search", (key, "tokens"), entries)


def _quoted(tokens: Iterable[str]) -> str:
    """Return a tsvector as PostgreSQL reads it. Tokens are letters and digits."""
    joined = "' '".join(tokens)
    return f"'{joined}'" if joined else ""


def _delete(ids: list[int]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(
                "DELETE FROM corpus_document_search WHERE rowid = %s",
                [(pk,) for pk in ids],
            )
            return
        cursor.execute(
            "DELETE FROM corpus_document_search WHERE document_id = ANY(%s)", [ids]
        )


def search(documents: QuerySet[Document], query: str) -> QuerySet[Document]:
    """Filter documents to those that have every word of the query.

    The last word may be the start of one, so that hits come while somebody types.
    An empty query keeps all documents; one without any letter or digit, none.
    """
    tokens = list(_cut(search_tokens(query)))
    if not tokens:
        return documents.none() if query.strip() else documents
    *words, start = tokens
    match = _match_form(list(dict.fromkeys(words)), start)
    return documents.filter(pk__in=RawSQL(MATCH[connection.vendor], [match]))  # noqa: S611


def _document_tokens(document: Document) -> Iterable[str]:
    """Return the distinct tokens of title and text, as far as the index holds them."""
    tokens: set[str] = set()
    for text in (document.title, *document.sentences):
        tokens.update(search_tokens(text))
    is_small = len("".join(tokens).encode()) <= DOCUMENT_LIMIT
    if is_small and max(map(len, tokens), default=0) <= TOKEN_LIMIT:
        return tokens
    return _first_tokens(document)


def _first_tokens(document: Document) -> Iterator[str]:
    """Yield the distinct tokens in their order, cut, until the index is full."""
    texts = (document.title, *document.sentences)
    tokens = dict.fromkeys(_cut(chain.from_iterable(map(search_tokens, texts))))
    room = DOCUMENT_LIMIT
    for token in tokens:
        room -= len(token.encode())
        if room < 0:
            break
        yield token


def _cut(tokens: Iterable[str]) -> Iterator[str]:
    return (token[:TOKEN_LIMIT] for token in tokens)


def _match_form(words: list[str], start: str) -> str:
    """Return the engine's own query. Tokens are letters and digits, never quotes."""
    if connection.vendor == "sqlite":
        return " AND ".join([*(f'"{word}"' for word in words), f'"{start}" *'])
    return " & ".join([*(f"'{word}'" for word in words), f"'{start}':*"])
