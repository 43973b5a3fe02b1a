"""COVID-Fact: JSON Lines with 1 to 5 evidence sentences in each claim.

The file has ids for neither claims nor evidence, so both are known by content,
which stays the same when lines move: ``covidfact:`` and 16 hex digits of a
sha256. A document's covers its sentences; a claim's covers its text, sentences
and ``gold_source``, **not** its label, so that a corrected label changes a claim
instead of adding one. Five lines occur twice in the published file; the second
gets ``-2``. Counting by line instead would rename all claims after an inserted
line.

The evidence sentences are the whole document and the whole rationale.
``gold_source`` and ``flair`` describe the claim and are kept in its ``extra``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from corpus.formats.base import Format, Read
from corpus.formats.fields import Fields
from corpus.formats.gold import whole_evidence
from corpus.formats.jsonl import read_records
from corpus.formats.labels import words_of
from corpus.records import Claim, Document, ExternalId, Label
from corpus.text import content_key

_LABELS = {Label.SUPPORT: "SUPPORTED", Label.CONTRADICT: "REFUTED"}
_WORDS = words_of(_LABELS)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of a file, with their evidence as documents."""
    seen: Counter[str] = Counter()

    def parse(fields: Fields) -> Claim:
        return _claim(fields, seen)

    return read_records(file, parse)


def _claim(fields: Fields, seen: Counter[str]) -> Claim:
    text = fields.text("claim")
    sentences = fields.texts("evidence")
    source = fields.text("gold_source", default="")
    document = Document(
        id=ExternalId(f"covidfact:{content_key(*sentences)}"),
        title="",
        sentences=sentences,
    )
    label = fields.label("label", _WORDS)
    if not sentences and "evidence" in fields:
        fields.problems.error(
            "evidence: there are no sentences.",
            field="evidence",
            value=fields.values["evidence"],
            expected="1 to 5 sentences",
        )
    return Claim(
        id=_numbered(f"covidfact:{content_key(text, source, *sentences)}", seen),
        text=text,
        evidence=(whole_evidence(document, label),) if label else (),
        cited=(document.id,),
        documents=(document,),
        extra=fields.further("claim", "label", "evidence"),
    )


def _numbered(key: str, seen: Counter[str]) -> ExternalId:
    seen[key] += 1
    return ExternalId(key if seen[key] == 1 else f"{key}-{seen[key]}")


FORMAT = Format(
    name="covidfact",
    title="COVID-Fact",
    protocol="scifact",
    labels=_LABELS,
    extensions=(".jsonl",),
    read_claims=read_claims,
    ships_documents=True,
)
