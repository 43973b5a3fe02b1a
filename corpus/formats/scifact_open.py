"""SciFact-Open: ``claims.jsonl``, ``corpus.jsonl``, ``corpus_candidates.jsonl``.

Evidence of a document is one object: ``provenance``, ``label``, a flat list of
``sentences`` and ``model_ranks``. SciFact's list of rationales is accepted too.

* ``citation``: experts chose the sentences, but all rationales were flattened
  into one list. They become one rationale; several sentences get a warning, since
  they may have been several rationales.
* ``pooling``: the sentences are highlights of models. They are kept in the pair's
  ``extra`` and are no rationale; the pair's origin is ``pooled``.

``provenance`` and ``model_ranks`` are kept in the pair's ``extra``. Not read:
``claims_metadata.jsonl``, which says nothing about the claims themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from corpus.formats.base import Format, Read
from corpus.formats.fields import Fields
from corpus.formats.gold import warn_about_rationales
from corpus.formats.jsonl import read_records
from corpus.formats.problems import SeenIds
from corpus.formats.scifact import WORDS, read_judgement
from corpus.records import (
    Claim,
    Document,
    Evidence,
    ExternalId,
    Json,
    Label,
    PairOrigin,
    Rationale,
)

_ORIGINS = {"citation": PairOrigin.CITED, "pooling": PairOrigin.POOLED}


def read_documents(file: BinaryIO) -> Iterator[Read[Document]]:
    """Yield the abstracts of ``corpus.jsonl`` or ``corpus_candidates.jsonl``."""
    seen = SeenIds("document")

    def parse(fields: Fields) -> Document:
        document = _document(fields)
        seen.check(document.id.text, "doc_id", fields.problems)
        return document

    return read_records(file, parse)


def _document(fields: Fields) -> Document:
    metadata = fields.values.get("metadata")
    venue = metadata.get("venue") if isinstance(metadata, dict) else None
    year = metadata.get("year") if isinstance(metadata, dict) else None
    return Document(
        id=fields.identifier("doc_id"),
        title=fields.text("title"),
        sentences=fields.texts("abstract"),
        journal=venue if isinstance(venue, str) else "",
        published=str(year) if isinstance(year, int) else "",
        extra=fields.further("doc_id", "title", "abstract"),
    )


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of ``claims.jsonl``."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        is_labelled = "evidence" in fields
        claim = Claim(
            id=fields.identifier("id"),
            text=fields.text("claim"),
            is_labelled=is_labelled,
            evidence=_evidence(fields.mapping("evidence")) if is_labelled else (),
            extra=fields.further("id", "claim", "evidence"),
        )
        seen.check(claim.id.text, "id", fields.problems)
        return claim

    return read_records(file, parse)


def _evidence(fields: Fields) -> tuple[Evidence, ...]:
    found = (_judgement(fields, key) for key in fields.values)
    return tuple(entry for entry in found if entry)


def _judgement(fields: Fields, key: str) -> Evidence | None:
    document = ExternalId(key)
    value = fields.values[key]
    if isinstance(value, list):
        return read_judgement(fields, key, document)
    if not isinstance(value, dict):
        expected = "an object or a list of rationales"
        fields.problems.wrong_type(fields.at(key), value, expected)
        return None
    entry = fields.mapping(key)
    label = entry.label("label", WORDS)
    sentences = entry.indices("sentences")
    origin = _origin(entry)
    if label is None or origin is None:
        return None
    extra = entry.further("label", "sentences")
    if origin is PairOrigin.POOLED:
        highlights: list[Json] = list(sentences)
        return Evidence(
            document, label, origin=origin, extra={**extra, "highlights": highlights}
        )
    return _cited(entry, document, label, sentences, extra)


def _cited(
    entry: Fields,
    document: ExternalId,
    label: Label,
    sentences: tuple[int, ...],
    extra: dict[str, Json],
) -> Evidence:
    rationales = (Rationale(sentences),)
    warn_about_rationales(rationales, entry.path, entry.problems)
    if len(sentences) > 1:
        message = (
            f"{entry.at('sentences')}: read as one rationale; SciFact-Open does not "
            "say whether they were several."
        )
        entry.problems.warn(message, field=entry.at("sentences"))
    return Evidence(document, label, rationales, PairOrigin.CITED, extra)


def _origin(entry: Fields) -> PairOrigin | None:
    word = entry.text("provenance")
    if word not in _ORIGINS and "provenance" in entry:
        field = entry.at("provenance")
        expected = " or ".join(_ORIGINS)
        entry.problems.error(
            f"{field}: expected {expected}.", field=field, value=word, expected=expected
        )
    return _ORIGINS.get(word)


FORMAT = Format(
    name="scifact-open",
    title="SciFact-Open",
    protocol="scifact",
    labels={label: word for word, label in WORDS.items()},
    extensions=(".jsonl",),
    read_documents=read_documents,
    read_claims=read_claims,
)
