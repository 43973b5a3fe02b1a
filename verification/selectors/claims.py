"""A submission claim by claim: what was right, missed, extra or never judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from corpus.exceptions import DomainError
from corpus.models import StoredFile
from corpus.records import Label
from verification.claim_errors import (
    ClaimErrors,
    Confusion,
    DocumentErrors,
    Summary,
    claim_errors,
    confusion_of,
    summaries,
)
from verification.claim_reading import (
    CLAIM,
    MOST_BYTES,
    MOST_CLAIMS,
    Abstract,
    GoldClaim,
    read_abstracts,
    read_gold,
)
from verification.models import ClaimTag, Score, Submission
from verification.scoring.findings import ClaimId
from verification.services.scoring import request_of, stored_source

PAGE_SIZE = 20
MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which claims are asked for; ``after`` is a number of claims to pass over."""

    is_wrong_only: bool = True
    label: Label | None = None
    tag: str = ""
    claim: str = ""
    after: int = 0


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence of an abstract and what became of it; no mark for most."""

    number: int
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document with its sentences; those without a text come from no corpus."""

    errors: DocumentErrors
    title: str
    sentences: list[SentenceRow]
    has_text: bool


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim on its page: its documents, its value and its tags."""

    key: str
    errors: ClaimErrors
    value: float | None
    tags: list[str]
    documents: list[DocumentRow]


@dataclass(frozen=True, slots=True)
class ClaimsPage:
    """One page of claims, what they are taken from, and the matrix of all."""

    rows: list[ClaimRow]
    n_matching: int
    n_wrong: int
    n_claims: int
    next_after: int | None
    confusion: Confusion | None
    tag_counts: list[tuple[str, int]]
    without_texts: str


def claim_key(claim: ClaimId) -> str:
    """Return the id of a claim as JSON, since 7 is not "7"."""
    return json.dumps(claim, ensure_ascii=False)


def require_readable(submission: Submission) -> None:
    """Refuse in words what is too large to be compared for a page."""
    n_claims = submission.phase.gold_set.n_claims
    if n_claims > MOST_CLAIMS:
        raise DomainError(
            f"This gold has {n_claims:,} claims; for at most {MOST_CLAIMS:,} errors "
            "are shown claim by claim."
        )
    if submission.file.size > MOST_BYTES:
        raise DomainError(
            f"The file has more than {MOST_BYTES // MEGABYTE} MB, which is too much to "
            "be read for a page."
        )


def gold_of(submission: Submission) -> dict[ClaimId, GoldClaim]:
    """Return the gold that a submission was scored against."""
    benchmark, gold_set = submission.phase.benchmark, submission.phase.gold_set
    source = stored_source(gold_set.gold)
    return read_gold(benchmark.task, source, benchmark.profile)


def claims_page(submission: Submission, wanted: Wanted) -> ClaimsPage:
    """Return the wanted claims of a submission, with their abstracts."""
    benchmark = submission.phase.benchmark
    gold = gold_of(submission)
    predictions = request_of(submission, with_gold=False).predictions
    found = summaries(benchmark.task, gold, predictions, benchmark.profile)
    tags = _tags(submission)
    matching = [summary for summary in found if _matches(summary, wanted, tags)]
    shown = matching[wanted.after : wanted.after + PAGE_SIZE]
    claims = [summary.claim for summary in shown]
    errors = claim_errors(benchmark.task, gold, predictions, benchmark.profile, claims)
    abstracts, why_not = _abstracts(submission, errors)
    values = _values(submission)
    end = wanted.after + PAGE_SIZE
    return ClaimsPage(
        rows=[_row(one, abstracts, values, tags) for one in errors],
        n_matching=len(matching),
        n_wrong=sum(summary.is_wrong for summary in found),
        n_claims=len(found),
        next_after=end if end < len(matching) else None,
        confusion=confusion_of(benchmark.task, found),
        tag_counts=_tag_counts(tags),
        without_texts=why_not,
    )


def _matches(
    summary: Summary, wanted: Wanted, tags: Mapping[str, Sequence[str]]
) -> bool:
    key = claim_key(summary.claim)
    if wanted.claim:
        return key == wanted.claim
    return (
        (summary.is_wrong or not wanted.is_wrong_only)
        and (wanted.label is None or wanted.label in summary.gold_labels)
        and (not wanted.tag or wanted.tag in tags.get(key, ()))
    )


def _tags(submission: Submission) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    rows = submission.claim_tags.order_by("tag").values_list("claim", "tag")
    for claim, tag in rows:
        found.setdefault(claim, []).append(tag)
    return found


def _tag_counts(tags: Mapping[str, Iterable[str]]) -> list[tuple[str, int]]:
    counts = Counter(tag for found in tags.values() for tag in found)
    return [(str(tag.label), counts[tag]) for tag in ClaimTag.Tag if counts[tag]]


def _values(submission: Submission) -> dict[str, float | None]:
    newest: Score | None = submission.scores.order_by("-pk").first()
    by_claim = newest.by_claim if newest else []
    return {claim_key(claim): value for claim, value in by_claim}


def _abstracts(
    submission: Submission, errors: Iterable[ClaimErrors]
) -> tuple[dict[str, Abstract], str]:
    """Return the texts of the page's documents, or why there are none."""
    corpus: StoredFile | None = submission.phase.gold_set.corpus
    if corpus is None:
        return {}, "This benchmark has no file of abstracts."
    if corpus.size > MOST_BYTES:
        return {}, "The file of abstracts is too large to be read for a page."
    wanted = {document.document for one in errors for document in one.documents}
    task = submission.phase.benchmark.task
    return read_abstracts(task, stored_source(corpus), wanted - {CLAIM}), ""


def _row(
    errors: ClaimErrors,
    abstracts: Mapping[str, Abstract],
    values: Mapping[str, float | None],
    tags: Mapping[str, list[str]],
) -> ClaimRow:
    key = claim_key(errors.claim)
    documents = [
        _document(document, abstracts.get(document.document))
        for document in errors.documents
    ]
    return ClaimRow(key, errors, values.get(key), tags.get(key, []), documents)


def _document(errors: DocumentErrors, abstract: Abstract | None) -> DocumentRow:
    texts = abstract.sentences if abstract else ()
    numbers = sorted({*range(len(texts)), *errors.marks})
    sentences = [
        SentenceRow(
            number=number,
            text=texts[number] if 0 <= number < len(texts) else "",
            mark=str(errors.marks.get(number, "")),
        )
        for number in numbers
    ]
    title = abstract.title if abstract else ""
    return DocumentRow(errors, title, sentences, abstract is not None)


# Two runs ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """A claim on which one of two runs does better."""

    key: str
    first: float | None
    second: float | None


@dataclass(frozen=True, slots=True)
class Differences:
    """The claims that the first of two runs wins and loses; the others are equal."""

    won: list[Difference]
    lost: list[Difference]
    n_equal: int


def differences(first: Score, second: Score) -> Differences | None:
    """Compare two runs by the primary measure on each claim alone.

    ``None`` where the scores keep no values of single claims.
    """
    if not first.by_claim or not second.by_claim:
        return None
    others = {claim_key(claim): value for claim, value in second.by_claim}
    found = [
        Difference(claim_key(claim), value, others.get(claim_key(claim)))
        for claim, value in first.by_claim
    ]
    won = [one for one in found if (one.first or 0) > (one.second or 0)]
    lost = [one for one in found if (one.first or 0) < (one.second or 0)]
    return Differences(won, lost, len(found) - len(won) - len(lost))
