"""Batches of claims: how far they are, their claims, and how plausible they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from corpus import live
from corpus.models import Job
from corpus.paging import Page, keyset_page
from verification.access import AnyUser
from verification.evidence import Answer
from verification.models import ClaimBatch, FactCheck, Plausibility
from verification.plausibility import (
    Share,
    is_abstract_plausible,
    is_answer_plausible,
    share_of,
)
from verification.services.check_leases import FINISHED, job_of

State = FactCheck.State


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How many claims of a batch have an answer, and the job that gives them."""

    done: int
    failed: int
    total: int
    job: Job | None

    @property
    def is_finished(self) -> bool:
        """Whether no claim waits any more."""
        return self.done == self.total

    @property
    def is_worker_missing(self) -> bool:
        """Whether nobody is there to go on with the work."""
        return not self.is_finished and not live.workers_alive(live.ML_QUEUE)


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A claim of a batch: what there is to mark, and how much of it is marked."""

    check: FactCheck
    n_evidence: int
    n_marked: int


@dataclass(frozen=True, slots=True)
class BatchPlausibility:
    """How many answers of a batch are plausible; ``n_open`` are undecided."""

    share: Share
    n_open: int


def with_counts(batches: QuerySet[ClaimBatch]) -> QuerySet[ClaimBatch]:
    """Add how many claims the batches have, and how many of them are finished."""
    return batches.select_related("corpus").annotate(
        n_claims=Count("checks"),
        n_finished=Count("checks", filter=Q(checks__state__in=FINISHED)),
    )


def batch_progress(batch: ClaimBatch) -> BatchProgress:
    """Return how far a batch is."""
    counts = batch.checks.aggregate(
        done=Count("pk", filter=Q(state__in=FINISHED)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        total=Count("pk"),
    )
    return BatchProgress(**counts, job=job_of(batch))


def batch_page(
    batch: ClaimBatch, reader: AnyUser, after: str | None
) -> tuple[Page[FactCheck], list[BatchRow]]:
    """Return a page of claims in their order, with the reader's own marks."""
    page = keyset_page(batch.checks.all(), after, key="position")
    marked = _marked_documents(page.items, reader)
    rows = [
        BatchRow(check, len(evidence), len(evidence & marked[check.pk]))
        for check in page.items
        for evidence in [set(evidence_of(check))]
    ]
    return page, rows


def _marked_documents(
    checks: Iterable[FactCheck], reader: AnyUser
) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    if not reader.is_authenticated:
        return found
    marks = Plausibility.objects.filter(check_of__in=list(checks), rater=reader)
    for key, document in marks.values_list("check_of_id", "document"):
        found[key].add(document)
    return found


def evidence_of(check: FactCheck) -> list[str]:
    """Return the ids of the abstracts that are evidence, in the answer's order."""
    if check.state != State.DONE:
        return []
    answer = Answer.from_json(check.result)
    return [found.document for found in answer.abstracts if found.is_evidence]


def plausibility_for(reader: AnyUser, batch: ClaimBatch) -> BatchPlausibility | None:
    """Return what the owner of a batch sees of all experts' marks.

    Others get nothing: it would tell them what to think before they have marked.
    """
    return batch_plausibility(batch) if batch.owner_id == reader.pk else None


def batch_plausibility(batch: ClaimBatch) -> BatchPlausibility:
    """Return how plausible a batch's answers are, by all experts' marks."""
    marks: dict[tuple[int, str], list[bool]] = defaultdict(list)
    rows = Plausibility.objects.filter(check_of__batch=batch)
    for key, document, value in rows.values_list(
        "check_of_id", "document", "is_plausible"
    ):
        marks[key, document].append(value)
    answers = list(_answers(batch, marks))
    return BatchPlausibility(share_of(answers), answers.count(None))


def _answers(
    batch: ClaimBatch, marks: dict[tuple[int, str], list[bool]]
) -> Iterator[bool | None]:
    checks = batch.checks.filter(state=State.DONE).only("batch", "state", "result")
    for check in checks.iterator(chunk_size=100):
        yield is_answer_plausible(
            [
                is_abstract_plausible(marks[check.pk, document])
                for document in evidence_of(check)
            ]
        )


def reported_checks(batch: ClaimBatch) -> Iterator[FactCheck]:
    """Yield the claims of a batch in their order, with what their answers need."""
    checks = batch.checks.select_related("corpus").order_by("position")
    yield from checks.iterator(chunk_size=100)


def next_check(check: FactCheck) -> FactCheck | None:
    """Return the claim after this one in its batch."""
    if check.batch is None:
        return None
    later = check.batch.checks.filter(position__gt=check.position)
    return later.order_by("position").first()
