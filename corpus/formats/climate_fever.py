"""Climate-FEVER: JSON Lines with five labelled sentences in each claim.

Each evidence sentence is a document of one sentence with the id
``evidence_id`` and the article's name as title; it has its own label, and
SUPPORTS and REFUTES have the rationale (0,). ``votes`` and ``entropy`` are kept
in the pair's ``extra``. ``claim_label`` is kept in the claim's ``extra`` and never
becomes the label of a pair: DISPUTED only says that both kinds of evidence exist.
It must follow from the evidence labels; where it does not, a warning says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from corpus.formats.base import Format, Read
from corpus.formats.fields import Fields
from corpus.formats.gold import whole_evidence
from corpus.formats.jsonl import read_records
from corpus.formats.labels import words_of
from corpus.formats.problems import SeenIds
from corpus.records import Claim, Document, Evidence, Label

EVIDENCES = 5
_LABELS = {
    Label.SUPPORT: "SUPPORTS",
    Label.CONTRADICT: "REFUTES",
    Label.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
}
_WORDS = words_of(_LABELS)
_CLAIM_WORDS = {**_WORDS, "DISPUTED": Label.MIXED}
_EVIDENCE_FIELDS = ("evidence_id", "evidence_label", "article", "evidence")


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of a file, with their sentences as documents."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        claim = _claim(fields)
        seen.check(claim.id.text, "claim_id", fields.problems)
        return claim

    return read_records(file, parse)


def _claim(fields: Fields) -> Claim:
    label = fields.label("claim_label", _CLAIM_WORDS)
    documents = []
    evidence = []
    for entry in fields.objects("evidences"):
        document = _document(entry)
        documents.append(document)
        evidence += _judgement(entry, document)
    _warn_about_evidences(fields, label, documents, evidence)
    return Claim(
        id=fields.identifier("claim_id"),
        text=fields.text("claim"),
        evidence=tuple(evidence),
        cited=tuple(document.id for document in documents),
        documents=tuple(documents),
        extra=fields.further("claim_id", "claim", "evidences"),
    )


def _document(entry: Fields) -> Document:
    return Document(
        id=entry.identifier("evidence_id"),
        title=entry.text("article"),
        sentences=(entry.text("evidence"),),
    )


def _judgement(entry: Fields, document: Document) -> list[Evidence]:
    label = entry.label("evidence_label", _WORDS)
    if label is None:
        return []
    judged = whole_evidence(document, label)
    further = entry.further(*_EVIDENCE_FIELDS)
    return [Evidence(judged.document, label, judged.rationales, extra=further)]


def _warn_about_evidences(
    fields: Fields,
    label: Label | None,
    documents: list[Document],
    evidence: list[Evidence],
) -> None:
    if len(documents) != EVIDENCES:
        message = f"evidences: {len(documents)} sentences; Climate-FEVER has 5."
        fields.problems.warn(message, field="evidences", expected="5 sentences")
    if len({document.id.text for document in documents}) < len(documents):
        message = "evidences: an evidence_id occurs twice in one claim."
        fields.problems.error(message, field="evidences", expected="each id once")
    follows = claim_label({entry.label for entry in evidence})
    if label and label != follows:
        message = (
            f"claim_label does not follow from its evidence, which says {follows}."
        )
        value = fields.values["claim_label"]
        fields.problems.warn(
            message, field="claim_label", value=value, expected=follows
        )


def claim_label(labels: set[Label]) -> Label:
    """Return what Climate-FEVER makes of the labels of a claim's evidence.

    Both kinds are ``MIXED`` (DISPUTED), one kind is itself, none is not enough.
    """
    decided = labels - {Label.NOT_ENOUGH_INFO}
    if len(decided) > 1:
        return Label.MIXED
    return decided.pop() if decided else Label.NOT_ENOUGH_INFO


FORMAT = Format(
    name="climate-fever",
    title="Climate-FEVER",
    protocol="scifact",
    labels=_LABELS,
    extensions=(".jsonl",),
    read_claims=read_claims,
    ships_documents=True,
)
