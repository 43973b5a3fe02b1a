"""Checking and scoring submissions in the background.

Every effect is committed together with the end of the job, while the worker still
holds it: a worker that is killed leaves nothing half done, and the job that another
takes up scores once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from corpus.events import record_event
from corpus.exceptions import DomainError, StaleStateError
from corpus.job_runner import end_hanging_job, storable
from corpus.jobs import JobRun, start_job
from corpus.models import Job, StoredFile
from corpus.records import Json
from corpus.transitions import change_state
from verification.models import GoldSet, Score, Submission
from verification.predictions import LINES_LIMIT, OnRead, source_of
from verification.scoring.findings import Finding
from verification.scoring.reading import Source
from verification.scoring.service import Bootstrap, Outcome, score, validate
from verification.scoring.signature import VERSION
from verification.scoring.tasks import Request
from verification.services.quota import give_back
from verification.slices import score_slices, slices_of, values_by_claim
from verification.unjudged import Unjudged, count_unjudged

State = Submission.State
KEPT_FINDINGS = 200
# What is found in the gold would tell about it, so it is told apart and not kept.
GOLD_NAME = "the claims of this benchmark"
RESAMPLES = 10_000
SCORING_LIMIT = timedelta(minutes=10)
TOO_LONG = (
    "Scoring took longer than it may, and was stopped. This is our fault: your place "
    "in the quota was given back."
)
CANCELLED = "The job was cancelled. The place in the quota was given back."
OUR_FAULT = "This is our fault, not yours: your place in the quota was given back."


def stored_source(
    stored: StoredFile,
    name: str = "",
    *,
    max_lines: int | None = None,
    on_read: OnRead | None = None,
) -> Source:
    """Return a stored file as the scorer reads it; messages use its own name."""
    storage, path = stored.file.storage, str(stored.file.name)

    def open_file() -> BinaryIO:
        return cast(BinaryIO, storage.open(path, "rb").file)

    return source_of(
        name or stored.name, open_file, max_lines=max_lines, on_read=on_read
    )


def request_of(submission: Submission, *, with_gold: bool) -> Request:
    """Return what is scored, or validated against the public claims alone."""
    gold_set = submission.phase.gold_set
    claims = gold_set.gold if with_gold else gold_set.claims
    return Request(
        predictions=stored_source(submission.file, max_lines=LINES_LIMIT),
        gold=stored_source(claims, GOLD_NAME),
        corpus=stored_source(gold_set.corpus) if gold_set.corpus else None,
        profile=submission.phase.benchmark.profile,
    )


def start_check(*, submission: Submission) -> Job:
    """Begin the dry run of an upload; the caller is in a transaction."""
    return _start("check_submission", submission)


def queue_for_scoring(*, submission: Submission) -> Job:
    """Have a checked submission scored; the caller is in a transaction."""
    _change(submission, State.RECEIVED, State.QUEUED, verb="queue")
    return _start("score_submission", submission)


def _start(kind: str, submission: Submission) -> Job:
    job = start_job(
        kind=kind, owner=submission.submitter, payload={"submission": submission.pk}
    )
    Submission.objects.filter(pk=submission.pk).update(job=job)
    submission.job = job
    return job


def check_submission_job(run: JobRun) -> dict[str, Any]:
    """Validate an upload against the public claims."""
    submission = _submission(run)
    run.report(0, 1, "Checking every line")
    outcome = validate(
        submission.phase.benchmark.task, request_of(submission, with_gold=False)
    )
    with run.commit():
        result = _finish_check(submission, outcome)
        run.finish(result)
    return result


def _finish_check(submission: Submission, outcome: Outcome) -> dict[str, Any]:
    findings = _findings(outcome)
    if outcome.errors:
        _make_invalid(submission, State.RECEIVED, findings)
    else:
        waiting = Submission.objects.filter(pk=submission.pk, state=State.RECEIVED)
        waiting.update(is_checked=True, **findings)
        if submission.is_submitted:
            queue_for_scoring(submission=submission)
    return {"submission": submission.token, "n_errors": findings["n_errors"]}


def score_submission_job(run: JobRun) -> dict[str, Any]:
    """Score a queued submission once."""
    submission = _submission(run)
    _begin_scoring(submission)
    run.report(0, 2, "Scoring")
    outcome = outcome_of(submission)
    run.report(1, 2, "Counting slices")
    breakdown = breakdown_of(submission=submission, outcome=outcome)
    with run.commit():
        result = _finish_scoring(submission, outcome, breakdown)
        run.finish(result)
    return result


def outcome_of(submission: Submission) -> Outcome:
    """Return what the scorer says; ``DomainError`` if the gold is at fault."""
    benchmark, gold_set = submission.phase.benchmark, submission.phase.gold_set
    outcome = score(
        benchmark.task,
        request_of(submission, with_gold=True),
        bootstrap=Bootstrap(RESAMPLES),
        release=gold_set.release,
        split=gold_set.split or "-",
    )
    _require_good_gold(outcome)
    return outcome


def _require_good_gold(outcome: Outcome) -> None:
    if any(error.file == GOLD_NAME for error in outcome.errors):
        raise DomainError("The gold of this benchmark cannot be scored any more.")


def _begin_scoring(submission: Submission) -> None:
    """Say that it is being scored; a job that is taken up again says nothing new."""
    if submission.state == State.SCORING:
        return
    with transaction.atomic():
        _change(submission, State.QUEUED, State.SCORING, verb="begin_scoring")


def _finish_scoring(
    submission: Submission, outcome: Outcome, breakdown: Breakdown
) -> dict[str, Any]:
    if outcome.score is None:
        _make_invalid(submission, State.SCORING, _findings(outcome))
        return {"submission": submission.token, "n_errors": len(outcome.errors)}
    # The warnings stay those of the check: what is found beside the gold would tell
    # about it, if only by how much of the list it fills.
    kept = keep_score(submission=submission, outcome=outcome, breakdown=breakdown)
    _change(
        submission,
        State.SCORING,
        State.SCORED,
        verb="score",
        ended_at=timezone.now(),
    )
    return {"submission": submission.token, "score": kept.pk}


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What a score is made of: slices, predicted abstracts that nobody judged, and
    the primary measure on each claim alone."""

    slices: dict[str, Json] = field(default_factory=dict)
    by_claim: list[Json] = field(default_factory=list)
    unjudged: Unjudged | None = None


def breakdown_of(*, submission: Submission, outcome: Outcome) -> Breakdown:
    """Read gold and predictions once more for what the board shows of a score.

    To be called before the transaction that keeps the score: it reads whole files.
    """
    found, task = outcome.score, submission.phase.benchmark.task
    if found is None:
        return Breakdown()
    request = request_of(submission, with_gold=True)
    slices, by_claim = {}, []
    if found.measure is not None and request.gold is not None:
        members = slices_of(task, request.gold, found.claim_ids)
        slices = score_slices(found.measure, len(found.claim_ids), members)
        primary = submission.phase.benchmark.primary_metric
        by_claim = values_by_claim(found.measure, found.claim_ids, primary)
    return Breakdown(slices, by_claim, count_unjudged(task, request))


def keep_score(
    *, submission: Submission, outcome: Outcome, breakdown: Breakdown
) -> Score:
    """Keep what the scorer found beside whatever it found before.

    The caller is in a transaction. One score for each scorer version and gold.
    """
    found = outcome.score
    if found is None:
        raise ValueError("nothing was scored")
    metrics, unjudged = found.metrics, breakdown.unjudged
    return Score.objects.create(
        submission=submission,
        scorer_version=VERSION,
        gold_sha256=submission.phase.gold_set.gold.sha256,
        signature=outcome.signature,
        primary=value_at(metrics, submission.phase.benchmark.primary_metric),
        metrics=metrics,
        counts=found.counts,
        extra=dict(found.extra),
        intervals=outcome.intervals,
        slices=storable(breakdown.slices),
        by_claim=storable(breakdown.by_claim),
        n_claims=len(found.claim_ids),
        predicted_abstracts=unjudged.predicted if unjudged else None,
        unjudged_abstracts=unjudged.unjudged if unjudged else None,
    )


def value_at(metrics: Any, dotted: str) -> float | None:
    """Return the measure with a dotted name, None where it is undefined or missing."""
    value = metrics
    for part in dotted.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return float(value) if isinstance(value, int | float) else None


def fail_abandoned_submissions() -> int:
    """Fail what nobody works on any more, and give its quota back.

    A submission whose job failed, was cancelled, vanished, or runs for too long is
    failed; the job of one that hangs is taken from its worker first. Returns how
    many were failed. Run by the clock; harmless when it runs twice.
    """
    under_way = Submission.objects.filter(
        Q(state__in=[State.QUEUED, State.SCORING])
        | Q(state=State.RECEIVED, is_checked=False)
    )
    found = list(under_way.select_related("job", "phase").exclude(job=None))
    return sum(_fail_if_abandoned(submission) for submission in found)


def _fail_if_abandoned(submission: Submission) -> bool:
    job = submission.job
    if job is None or not (_has_failed(job) or _take_from_worker(job)):
        return False
    try:
        fail_submission(submission=submission, failure=_why(job))
    except StaleStateError:
        return False
    return True


def _why(job: Job) -> str:
    """Say why a job ended, as it was when it was found."""
    if job.state == Job.State.CANCELLED:
        return CANCELLED
    if job.state == Job.State.RUNNING:
        return TOO_LONG
    return f"{job.error} {OUR_FAULT}".strip()


def _has_failed(job: Job) -> bool:
    return job.state in {Job.State.FAILED, Job.State.CANCELLED}


def _take_from_worker(job: Job) -> bool:
    """End a job that hangs, so that its worker can write nothing more."""
    started = timezone.now() - SCORING_LIMIT
    return end_hanging_job(job, started_before=started, error=TOO_LONG)


@transaction.atomic
def fail_submission(*, submission: Submission, failure: str) -> None:
    """Say that it could not be scored through no fault of the submitter's."""
    give_back(submission=submission)
    _change(
        submission,
        submission.state,
        State.FAILED,
        verb="fail",
        failure=failure,
        ended_at=timezone.now(),
    )


def _make_invalid(
    submission: Submission, from_state: str, findings: dict[str, Any]
) -> None:
    """Keep the errors; an invalid file costs nothing of the quota."""
    give_back(submission=submission)
    _change(
        submission,
        from_state,
        State.INVALID,
        verb="refuse",
        is_checked=True,
        ended_at=timezone.now(),
        **findings,
    )


def _change(
    submission: Submission, from_state: str, to_state: str, *, verb: str, **also: Any
) -> None:
    change_state(submission, from_states={from_state}, to_state=to_state, **also)
    plain = {name: value for name, value in also.items() if name != "ended_at"}
    record_event(
        noun="submission",
        obj=submission,
        verb=verb,
        actor=None,
        from_state=from_state,
        to_state=to_state,
        fields=plain | _iso(also),
    )


def _iso(values: dict[str, Any]) -> dict[str, str]:
    ended = values.get("ended_at")
    return {"ended_at": ended.isoformat()} if ended else {}


def _findings(outcome: Outcome) -> dict[str, Any]:
    warnings = [found for found in outcome.warnings if found.file != GOLD_NAME]
    return {
        "errors": _listed(outcome.errors),
        "n_errors": len(outcome.errors),
        "warnings": _listed(warnings),
        "n_warnings": len(warnings),
    }


def _listed(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = storable(
        [asdict(finding) for finding in findings[:KEPT_FINDINGS]]
    )
    return listed


def _submission(run: JobRun) -> Submission:
    return load_submission(run.payload["submission"])


def load_submission(key: int) -> Submission:
    """Return a submission with all that its scoring needs."""
    found = (
        Submission.objects.select_related(
            "phase__benchmark",
            "phase__gold_set__gold",
            "phase__gold_set__claims",
            "phase__gold_set__corpus",
            "file",
            "submitter",
            "team",
        )
        .filter(pk=key)
        .first()
    )
    if found is None:
        raise DomainError("This submission does not exist any more.")
    return found


def gold_files(gold_set: GoldSet) -> list[StoredFile]:
    """Return the files of a gold set, those that may be downloaded first."""
    public = [gold_set.claims, *([gold_set.corpus] if gold_set.corpus else [])]
    return public if gold_set.is_hidden else [*public, gold_set.gold]
