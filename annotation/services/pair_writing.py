"""Writing a claim and its negation in one go, and judging both.

This is Check-COVID's flow: one writer, one abstract, one submission.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Model

from annotation.models import Claim, EarlyAnswer, Source
from annotation.services.claims import Draft, claims_sent, write_claims
from annotation.services.early_answers import give_early_answer
from annotation.services.judgements import Answer, rationales_of
from annotation.services.negations import negate_claim
from corpus.exceptions import AlreadySentError, DomainError
from corpus.models import Document, User
from corpus.records import ClaimKind
from corpus.text import normalise_newlines


@dataclass(frozen=True, slots=True)
class EarlyAnswers:
    """What the writer answers about one abstract, for the claim and its negation."""

    document: Document
    claim: Answer
    negation: Answer


@dataclass(frozen=True, slots=True)
class ClaimAndNegation:
    """A claim with its negation as they come from the form."""

    claim: Draft
    negation: str
    trigger_reason: str = ""
    answers: EarlyAnswers | None = None


@transaction.atomic
def write_claim_and_negation(
    *,
    source: Source,
    author: User,
    written: ClaimAndNegation,
    submission_key: uuid.UUID,
) -> list[Claim]:
    """Submit a claim and its negation, which closes the source.

    Both wait for proofreading. The answers wait with them, and become judgements of
    the author when their claims are approved. The same form sent twice gives the
    same claims.
    """
    draft, key = written.claim, uuid.uuid5(submission_key, "negation")
    about: dict[str, Model] = {"author": author, "claim__source": source}
    is_known = bool(claims_sent([key], [written.negation], **about))
    if draft.kind is ClaimKind.EXTRACTED:
        _require_verbatim(source, draft.text)
    (claim,) = write_claims(
        source=source, author=author, drafts=[draft], submission_key=submission_key
    )
    negation = negate_claim(
        original=claim,
        author=author,
        text=written.negation,
        submission_key=key,
        trigger_reason=written.trigger_reason,
    )
    if written.answers is not None:
        given = written.answers
        for answered, answer in ((claim, given.claim), (negation, given.negation)):
            if is_known:
                _require_same(answered, given.document, answer)
            else:
                give_early_answer(
                    claim=answered,
                    document=given.document,
                    annotator=author,
                    answer=answer,
                )
    return [claim, negation]


def _require_same(claim: Claim, document: Document, answer: Answer) -> None:
    """Refuse a form that comes again with other labels or rationales."""
    given = EarlyAnswer.objects.filter(claim_version__claim=claim, document=document)
    values = answer.label.value, rationales_of(answer)
    if list(given.values_list("label", "rationales")) != [values]:
        raise AlreadySentError


def _require_verbatim(source: Source, text: str) -> None:
    """Refuse as extracted what does not stand in the article."""
    if source.citance is None:
        raise DomainError("Nothing can be extracted from a question.")
    wanted = normalise_newlines(text).strip()
    passages = source.citance.passage.article.passages.values_list("text", flat=True)
    if wanted and not any(wanted in passage for passage in passages):
        raise DomainError(
            "An extracted claim stands word for word in the article. Take a sentence "
            "from the list, or submit this one as composed."
        )
