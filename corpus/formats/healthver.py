"""HealthVer: CSV with one row for each pair of a claim and an evidence passage.

The passage is the unit of evidence: it has no sentence indices, and one passage
stands in many rows. It becomes a document with **one** sentence, the whole
passage, never split, so that Supports and Refutes have the rationale (0,). A
passage is known by its content: ``healthver:`` and 16 hex digits of its sha256.
The claim's id is the row's ``id``; ``topic_ip`` and ``question`` are kept in the
claim's ``extra``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from corpus.formats.base import Format, Read
from corpus.formats.csvfile import read_records
from corpus.formats.fields import Fields
from corpus.formats.gold import whole_evidence
from corpus.formats.labels import words_of
from corpus.formats.problems import SeenIds
from corpus.records import Claim, Document, ExternalId, Label
from corpus.text import content_key

COLUMNS = ("id", "evidence", "claim", "label", "topic_ip", "question")
_LABELS = {
    Label.SUPPORT: "Supports",
    Label.CONTRADICT: "Refutes",
    Label.NOT_ENOUGH_INFO: "Neutral",
}
_WORDS = words_of(_LABELS)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield one claim for each row, with its passage."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        claim = _claim(fields)
        seen.check(claim.id.text, "id", fields.problems)
        return claim

    return read_records(file, COLUMNS, parse)


def _claim(fields: Fields) -> Claim:
    passage = fields.text("evidence")
    document = Document(
        id=ExternalId(f"healthver:{content_key(passage)}"),
        title="",
        sentences=(passage,),
    )
    label = fields.label("label", _WORDS)
    return Claim(
        id=fields.identifier("id"),
        text=fields.text("claim"),
        evidence=(whole_evidence(document, label),) if label else (),
        cited=(document.id,),
        documents=(document,),
        extra=fields.further("id", "evidence", "claim", "label"),
    )


FORMAT = Format(
    name="healthver",
    title="HealthVer",
    protocol="scifact",
    labels=_LABELS,
    extensions=(".csv",),
    read_claims=read_claims,
    ships_documents=True,
)
