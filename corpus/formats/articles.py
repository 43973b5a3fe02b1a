"""Citances: our own JSON Lines of citing articles, one article on a line.

``docs/formats.md`` specifies it. ``start`` and ``end`` of a citance count Unicode
code points of its passage's ``text``, as Python does: ``text[start:end]`` is the
citing sentence. (JavaScript counts UTF-16 units, which differ after an emoji.) A
candidate sentence of a news article is a citance that cites nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import BinaryIO

from corpus.formats.base import Format, Read, Written
from corpus.formats.fields import Fields
from corpus.formats.jsonl import read_records, with_further, written
from corpus.formats.problems import Problems, SeenIds
from corpus.records import (
    Article,
    Citance,
    CitationRole,
    CitedDocument,
    Json,
    Passage,
)

KINDS = ("paper", "news")
_TEXTS = ("abstract", "url", "doi", "journal", "published", "licence")
_FIELDS = ("article_id", "kind", "title", *_TEXTS, "passages")
_ROLES = [role.value for role in CitationRole]


def read_articles(file: BinaryIO) -> Iterator[Read[Article]]:
    """Yield the articles of a file with their passages and citances."""
    articles = SeenIds("article")
    citances = SeenIds("citance")

    def parse(fields: Fields) -> Article:
        article = _article(fields, citances)
        articles.check(article.id.text, "article_id", fields.problems)
        return article

    return read_records(file, parse)


def _article(fields: Fields, citances: SeenIds) -> Article:
    texts = {name: fields.text(name, default="") for name in _TEXTS}
    return Article(
        id=fields.identifier("article_id"),
        kind=_word(fields, "kind", KINDS, KINDS[0]),
        title=fields.text("title"),
        passages=tuple(
            _passage(entry, citances) for entry in fields.objects("passages")
        ),
        extra=fields.further(*_FIELDS),
        **texts,
    )


def _word(fields: Fields, key: str, words: Iterable[str], default: str) -> str:
    word = fields.text(key, default=default)
    if word in words or not isinstance(fields.values.get(key), str):
        return word
    expected = " or ".join(words)
    message = f"{fields.at(key)}: expected {expected}."
    fields.problems.error(message, field=fields.at(key), value=word, expected=expected)
    return default


def _passage(fields: Fields, citances: SeenIds) -> Passage:
    text = fields.text("text")
    found = [_citance(entry, text, citances) for entry in fields.objects("citances")]
    fields.warn_unkept("text", "citances")
    _warn_about_overlap(fields, found)
    return Passage(text, tuple(found))


def _citance(fields: Fields, text: str, citances: SeenIds) -> Citance:
    citance = Citance(
        id=fields.identifier("citance_id"),
        start=fields.index("start"),
        end=fields.index("end"),
        cited=tuple(map(_cited, fields.objects("cited"))) if "cited" in fields else (),
    )
    citances.check(citance.id.text, fields.at("citance_id"), fields.problems)
    fields.warn_unkept("citance_id", "start", "end", "cited")
    _check_span(fields, citance, text)
    return citance


def _cited(fields: Fields) -> CitedDocument:
    fields.warn_unkept("doc_id", "role")
    role = _word(fields, "role", _ROLES, CitationRole.SEED.value)
    return CitedDocument(fields.identifier("doc_id"), CitationRole(role))


def _check_span(fields: Fields, citance: Citance, text: str) -> None:
    expected = f"0 <= start < end <= {len(text)}"
    if not 0 <= citance.start < citance.end <= len(text):
        message = (
            f"{fields.path}: the citance {citance.start}:{citance.end} is empty or "
            f"outside its passage of {len(text)} characters. Offsets count Unicode "
            "code points from 0; end is the first character after the citance."
        )
        value = f"{citance.start}:{citance.end}"
        fields.problems.error(
            message, field=fields.path, value=value, expected=expected
        )
    elif not text[citance.start : citance.end].strip():
        message = f"{fields.path}: the citance is only blanks."
        fields.problems.warn(message, field=fields.path)


def _warn_about_overlap(fields: Fields, citances: list[Citance]) -> None:
    ordered = sorted(citances, key=lambda citance: citance.start)
    for before, after in pairwise(ordered):
        if after.start < before.end:
            message = f"{fields.path}: citances {before.id} and {after.id} overlap."
            fields.problems.warn(message, field=fields.at("citances"))


def write_articles(articles: Iterable[Article]) -> Iterator[Written]:
    """Yield a citances file, every field written, one line for each article."""
    for article in articles:
        problems = Problems()
        values: dict[str, Json] = {
            "article_id": article.id.to_json(),
            "kind": article.kind,
            "title": article.title,
            "abstract": article.abstract,
            "url": article.url,
            "doi": article.doi,
            "journal": article.journal,
            "published": article.published,
            "licence": article.licence,
            "passages": [_passage_values(passage) for passage in article.passages],
        }
        with_further(values, article.extra, problems)
        yield written(article.id.text, values, problems)


def _passage_values(passage: Passage) -> Json:
    citances: list[Json] = [_citance_values(citance) for citance in passage.citances]
    return {"text": passage.text, "citances": citances}


def _citance_values(citance: Citance) -> Json:
    cited: list[Json] = [
        {"doc_id": cited.document.to_json(), "role": cited.role.value}
        for cited in citance.cited
    ]
    return {
        "citance_id": citance.id.to_json(),
        "start": citance.start,
        "end": citance.end,
        "cited": cited,
    }


FORMAT = Format(
    name="citances",
    title="Citances",
    protocol="scifact",
    labels={},
    extensions=(".jsonl",),
    read_articles=read_articles,
    write_articles=write_articles,
)
