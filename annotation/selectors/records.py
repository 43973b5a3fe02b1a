"""Rows as the plain records that formats write. Streaming: one batch in memory.

The order is that of the import: documents and claims by position, evidence by the
ordinal of the pair, citations by their ordinal, repeats included.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from django.db.models import Prefetch, QuerySet

from annotation import models
from corpus import records
from corpus.models import Document

BATCH = 500

# A document of thousands of sentences must not be read for every pair with it.
_DOCUMENT_TEXT = ("sentences", "separators", "doubts", "source_extra", "authors")


def document_records(documents: QuerySet[Document]) -> Iterator[records.Document]:
    """Yield the documents of a queryset in the order of their corpus."""
    rows = documents.order_by("position").defer("doubts")
    return map(document_record, rows.iterator(chunk_size=BATCH))


def document_record(row: Document) -> records.Document:
    """Return one document; a split text comes with its sentences."""
    return records.Document(
        id=row.record_id,
        title=row.title,
        sentences=tuple(row.sentences),
        text=row.text,
        structured=row.structured,
        doi=row.doi,
        pmid=row.pmid,
        url=row.url,
        authors=tuple(row.authors),
        journal=row.journal,
        published=row.published,
        type=row.type,
        licence=row.licence,
        extra=row.source_extra,
    )


def claim_records(
    claims: QuerySet[models.Claim], *, with_documents: bool = False
) -> Iterator[records.Claim]:
    """Yield the claims of a queryset by position, with what stands for their pairs.

    ``with_documents`` adds the abstracts, for formats that hold them beside the
    claims. A pair without a verdict gives no evidence, unless it is a generated
    one: that is its own NOT ENOUGH INFO row with its given sentence.
    """
    for claim in claim_rows(claims, with_documents=with_documents):
        yield claim_record(claim, with_documents=with_documents)


def claim_rows(
    claims: QuerySet[models.Claim], *, with_documents: bool = False
) -> Iterator[models.Claim]:
    """Yield claims by position with all rows that ``claim_record`` reads."""
    documents = Document.objects.all()
    if not with_documents:
        documents = documents.defer(*_DOCUMENT_TEXT)
    cited = Document.objects.only("external_id", "external_id_is_int")
    citations = models.ClaimCitation.objects.order_by("ordinal")
    pairs = (
        models.Pair.objects.exclude(state=models.Pair.State.RETIRED)
        .select_related("verdict__judgement")
        .order_by("ordinal")
    )
    rationales = models.Rationale.objects.order_by("ordinal")
    rows = (
        claims.order_by("position")
        .select_related("source__question", "negates")
        .prefetch_related(
            Prefetch("citations", citations),
            Prefetch("citations__document", cited),
            Prefetch("pairs", pairs),
            Prefetch("pairs__document", documents),
            Prefetch("pairs__verdict__judgement__rationales", rationales),
        )
    )
    return rows.iterator(chunk_size=BATCH)


def claim_record(claim: models.Claim, *, with_documents: bool = False) -> records.Claim:
    """Return one claim that ``claim_rows`` has read."""
    pairs = list(claim.pairs.all())
    cited = tuple(c.document.record_id for c in claim.citations.all())
    cited_ids = {document.text for document in cited}
    found = [entry for pair in pairs if (entry := _evidence(pair))]
    return records.Claim(
        id=claim.record_id,
        text=claim.text,
        kind=records.ClaimKind(claim.kind),
        is_labelled=claim.is_labelled,
        evidence=tuple(e for e in found if not is_said_by_citation(e, cited_ids)),
        cited=cited if claim.has_cited_list else None,
        question=_question(claim),
        negates=claim.negates.record_id if claim.negates else None,
        documents=tuple(document_record(pair.document) for pair in pairs)
        if with_documents
        else (),
        extra=claim.source_extra,
    )


def is_said_by_citation(entry: records.Evidence, cited: Container[str]) -> bool:
    """Whether citing the abstract, without evidence, says all of this entry."""
    return (
        entry.label is records.Label.NOT_ENOUGH_INFO
        and not entry.rationales
        and not entry.extra
        and entry.origin is not records.PairOrigin.GENERATED
        and entry.document.text in cited
    )


def _question(claim: models.Claim) -> records.Question | None:
    question = claim.source.question if claim.source else None
    if question is None:
        return None
    return records.Question(question.review, question.text, question.chapter)


def _evidence(pair: models.Pair) -> records.Evidence | None:
    verdict = verdict_of(pair)
    if verdict is None:
        return _generated(pair)
    judgement = verdict.judgement
    return records.Evidence(
        document=pair.document.record_id,
        label=records.Label(judgement.label),
        rationales=tuple(_rationale(row) for row in judgement.rationales.all()),
        origin=records.PairOrigin(pair.origin),
        extra=pair.source_extra,
    )


def verdict_of(pair: models.Pair) -> models.Verdict | None:
    """Return what stands for a pair, from rows read before, without a query."""
    return getattr(pair, "verdict", None)


def _generated(pair: models.Pair) -> records.Evidence | None:
    if pair.given_sentence is None:
        return None
    given = records.Rationale((pair.given_sentence,), (records.SentenceRole.PRIMARY,))
    return records.Evidence(
        document=pair.document.record_id,
        label=records.Label.NOT_ENOUGH_INFO,
        rationales=(given,),
        origin=records.PairOrigin.GENERATED,
        extra=pair.source_extra,
    )


def _rationale(row: models.Rationale) -> records.Rationale:
    roles = tuple(records.SentenceRole(role) for role in row.roles)
    return records.Rationale(tuple(row.sentences), roles)
