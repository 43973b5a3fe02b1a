"""Reporting, record by record, what a format has no place for."""

from __future__ import annotations

from collections.abc import Collection

from corpus.formats.problems import Problems
from corpus.records import Claim, ClaimKind, Document

_DOCUMENT_FIELDS = (
    "structured",
    "doi",
    "pmid",
    "url",
    "authors",
    "journal",
    "published",
    "type",
    "licence",
)


def warn_lost_document_fields(
    document: Document, problems: Problems, title: str, held: Collection[str] = ()
) -> None:
    """Warn about each filled field of a document besides the ``held`` ones."""
    for name in _DOCUMENT_FIELDS:
        value = getattr(document, name)
        if name not in held and value not in ("", (), None):
            warn_lost(problems, title, name)


def warn_lost_claim_fields(
    claim: Claim, problems: Problems, title: str, kinds: Collection[ClaimKind]
) -> None:
    """Warn about the kind, question and negation of a claim, if it has them."""
    if claim.kind not in kinds:
        warn_lost(problems, title, f"the kind of a claim ({claim.kind})", "kind")
    if claim.question is not None and ClaimKind.HYPOTHESIS not in kinds:
        warn_lost(problems, title, "a research question", "question")
    if claim.negates is not None:
        what = f"the claim that is negated ({claim.negates})"
        warn_lost(problems, title, what, "negates")


def sentences_to_write(document: Document, problems: Problems) -> tuple[str, ...]:
    """Return the sentences; an abstract that was never split is an error."""
    if document.text and not document.sentences:
        message = "The abstract is not split into sentences yet, so it has no indices."
        problems.error(message, field="abstract", expected="sentences")
    return document.sentences


def warn_lost(problems: Problems, title: str, what: str, field: str = "") -> None:
    """Warn that a format cannot hold something of this record."""
    message = f"{title} has no place for {what}; it is left out."
    problems.warn(message, field=field or what)
