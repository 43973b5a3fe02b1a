"""Jobs on real workers that are killed, frozen, raced and asked to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from corpus import live
from corpus.jobs import cancel_job, job_progress, workers_alive
from corpus.models import Corpus, Job
from corpus.tasks import requeue_stalled_jobs, run_job
from tests.corpus.conftest import StartJob
from tests.paths import REPO
from tests.processes import Worker, child_environment, start_worker, wait_until

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("queued_tasks", "shared_cache"),
]

StartWorker = Callable[[], Worker]
# Prints the numbers of the jobs that this process could claim.
CLAIM_ALL = """
import sys, time, django
django.setup()
from corpus.job_runner import claim_job
first, last, start = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
time.sleep(max(0, start - time.time()))
print(*[pk for pk in range(first, last + 1) if claim_job(pk)])
"""


@pytest.fixture
def new_worker(tmp_path: Path) -> Iterator[StartWorker]:
    """Start workers that know the handlers of these tests; end them afterwards."""
    with ExitStack() as stack:
        numbers = iter(range(9))

        def start() -> Worker:
            worker = start_worker(
                tmp_path / f"worker-{next(numbers)}.log",
                settings_module="tests.corpus.worker_settings",
            )
            stack.callback(lambda: worker.kill() if worker.is_running else None)
            return worker

        yield start


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """The file whose existence lets a waiting handler go on."""
    return tmp_path / "gate"


def state_of(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def wait_at_gate(gate: Path, attempt: int) -> None:
    reached = gate.with_suffix(f".reached-{attempt}")
    wait_until(reached.exists, f"attempt {attempt} to reach the gate")


def counted(counter: Corpus) -> int:
    counter.refresh_from_db()
    return counter.version


@pytest.mark.slow
def test_a_killed_worker_s_job_is_done_once_by_another_within_a_minute(
    start: StartJob, counter: Corpus, gate: Path, new_worker: StartWorker
) -> None:
    first = new_worker()
    job = start("count_then_wait", gate=str(gate))
    wait_at_gate(gate, 1)
    first.kill()
    killed = time.monotonic()
    gate.touch()
    new_worker()

    def is_done() -> bool:
        # Beat sends the watchdog round every ten seconds; here it is more often.
        requeue_stalled_jobs.apply_async(expires=10)
        time.sleep(1)
        return state_of(job) == Job.State.DONE

    wait_until(is_done, "another worker to do the job", timeout=60)
    assert time.monotonic() - killed < 60
    assert (counted(counter), job.attempts) == (1, 2)


def test_a_worker_that_was_taken_for_dead_commits_nothing(
    start: StartJob, counter: Corpus, gate: Path, new_worker: StartWorker
) -> None:
    frozen = new_worker()
    job = start("wait_then_count", gate=str(gate))
    wait_at_gate(gate, 1)
    os.killpg(frozen.process.pid, signal.SIGSTOP)
    live.forget_job(job.pk)
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(lease_expires_at=past)
    new_worker()
    requeue_stalled_jobs()
    wait_at_gate(gate, 2)
    gate.touch()
    wait_until(lambda: state_of(job) == Job.State.DONE, "the second worker to finish")
    os.killpg(frozen.process.pid, signal.SIGCONT)
    wait_until(
        lambda: (
            b"belongs to another worker now" in frozen.log.read_bytes()
            or counted(counter) > 1
        ),
        "the first worker to notice",
    )
    assert (counted(counter), job.attempts, state_of(job)) == (1, 2, Job.State.DONE)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("wait_then_count", id="between transactions"),
        pytest.param("count_then_wait", id="in a long transaction"),
    ],
)
def test_a_running_job_shows_its_progress_and_is_cancelled_while_it_runs(
    start: StartJob, counter: Corpus, gate: Path, new_worker: StartWorker, kind: str
) -> None:
    new_worker()
    job = start(kind, gate=str(gate))
    wait_at_gate(gate, 1)
    job.refresh_from_db()
    wait_until(lambda: job_progress(job).done > 0, "progress", timeout=15)
    assert job_progress(job).phase == "waiting"
    cancel_job(job=job)
    wait_until(lambda: state_of(job) == Job.State.CANCELLED, "the end", timeout=15)
    assert counted(counter) == 0


def test_a_job_that_is_queued_twice_is_done_once(
    start: StartJob, counter: Corpus, gate: Path, new_worker: StartWorker
) -> None:
    new_worker()
    new_worker()
    job = start("wait_then_count", gate=str(gate))
    wait_at_gate(gate, 1)
    for _ in range(4):
        run_job.delay(job.pk)
    time.sleep(1)
    gate.touch()
    wait_until(lambda: state_of(job) == Job.State.DONE, "the job")
    time.sleep(1)
    assert (counted(counter), job.attempts) == (1, 1)


def test_of_processes_that_claim_the_same_jobs_one_gets_each(
    start: StartJob,
) -> None:
    jobs = [start("count") for _ in range(40)]
    begin = str(time.time() + 4)
    arguments = [str(jobs[0].pk), str(jobs[-1].pk), begin]
    claimants = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIM_ALL, *arguments],
            cwd=REPO,
            env={**child_environment(), "LOG_LEVEL": "ERROR"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    won = [pk for c in claimants for pk in c.communicate(timeout=60)[0].split()]
    assert sorted(map(int, won)) == [job.pk for job in jobs]
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}


def test_a_worker_s_pulse_is_seen_and_missed_within_seconds(
    new_worker: StartWorker,
) -> None:
    # A worker of the test before may have been killed a moment ago.
    wait_until(lambda: not workers_alive(), "silence", timeout=live.PULSE_TIMEOUT + 15)
    worker = new_worker()
    wait_until(workers_alive, "the pulse", timeout=15)
    time.sleep(live.PULSE_TIMEOUT + 1)
    assert workers_alive()
    worker.kill()
    wait_until(lambda: not workers_alive(), "silence", timeout=live.PULSE_TIMEOUT + 15)
