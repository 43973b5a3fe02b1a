"""A worker that is killed while it scores: scored once, or failed with the quota back.

The benchmark is large enough for the bootstrap to take seconds, so that the worker is
met at its work. The clock's rounds, ten seconds apart, are done by the tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pytest_django import Settings

from config import settings as production
from corpus.job_runner import MAX_ATTEMPTS
from corpus.models import Event, Job
from corpus.tasks import requeue_stalled_jobs
from tests.factories import UserFactory
from tests.processes import Worker, start_worker, wait_until
from tests.verification.board import (
    METADATA,
    as_file,
    gold_lines,
    make_benchmark,
    make_gold_set,
    make_phase,
    predictions,
)
from verification.models import Submission
from verification.services.submissions import receive
from verification.tasks import fail_abandoned_submissions

pytestmark = [
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("queued_tasks", "shared_cache"),
]

StartWorker = Callable[[], Worker]
N_CLAIMS = 20_000


@pytest.fixture
def shared_cache(settings: Settings, real_broker: str) -> None:
    """Use the cache that worker processes use too."""
    settings.CACHES = production.CACHES


@pytest.fixture
def new_worker(tmp_path: Path) -> Iterator[StartWorker]:
    """Start real workers; end them afterwards."""
    with ExitStack() as stack:
        numbers = iter(range(9))

        def start() -> Worker:
            worker = start_worker(tmp_path / f"worker-{next(numbers)}.log")
            stack.callback(lambda: worker.kill() if worker.is_running else None)
            return worker

        yield start


@pytest.fixture
def submission() -> Submission:
    """A large file that was uploaded and submitted in one go."""
    benchmark = make_benchmark()
    organiser = benchmark.organisers.get()
    gold_set = make_gold_set(organiser, lines=gold_lines(N_CLAIMS))
    phase = make_phase(benchmark, shows="overall", gold_set=gold_set)
    return receive(
        phase=phase,
        submitter=UserFactory(),
        upload=as_file(predictions(N_CLAIMS, N_CLAIMS)),
        metadata=METADATA,
    )


def _state(submission: Submission) -> str:
    submission.refresh_from_db()
    return submission.state


def _go_rounds() -> None:
    requeue_stalled_jobs()
    fail_abandoned_submissions()
    time.sleep(1)


def _kill_while_scoring(worker: Worker, submission: Submission) -> float:
    """Kill the worker once the submission is being scored; return when."""
    wait_until(lambda: _state(submission) == "scoring", "the scoring", timeout=60)
    worker.kill()
    assert _state(submission) == "scoring", "the worker was too fast to be killed"
    return time.monotonic()


def test_a_submission_whose_worker_is_killed_is_scored_once_within_a_minute(
    submission: Submission, new_worker: StartWorker
) -> None:
    killed = _kill_while_scoring(new_worker(), submission)
    new_worker()

    def is_scored() -> bool:
        _go_rounds()
        return _state(submission) == "scored"

    wait_until(is_scored, "another worker to score it", timeout=60)
    assert time.monotonic() - killed < 60
    assert submission.job is not None
    assert (submission.job.state, submission.job.attempts) == ("done", 2)
    assert submission.scores.get().n_claims == N_CLAIMS
    assert submission.quota_slots.count() == 2
    scored = Event.objects.filter(noun="submission", verb="score")
    assert scored.count() == 1


def test_one_whose_worker_is_killed_too_often_fails_and_gives_its_place_back(
    submission: Submission, new_worker: StartWorker
) -> None:
    worker = new_worker()
    wait_until(lambda: _state(submission) == "scoring", "the scoring", timeout=60)
    # This is the last time that it is taken up.
    Job.objects.filter(kind="score_submission").update(attempts=MAX_ATTEMPTS)
    killed = _kill_while_scoring(worker, submission)

    def is_failed() -> bool:
        _go_rounds()
        return _state(submission) == "failed"

    wait_until(is_failed, "the watchdog", timeout=60)
    assert time.monotonic() - killed < 60
    assert "given back" in submission.failure
    assert submission.quota_slots.count() == 0
    assert submission.scores.count() == 0
