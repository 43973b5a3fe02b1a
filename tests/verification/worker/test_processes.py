"""Claims on real workers with models' own queue: killed, shared, seen from outside."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from config.broker import own_broker
from config.celery import app
from corpus import caching
from corpus.live import ML_QUEUE, workers_alive
from corpus.models import Corpus
from tests.paths import REPO
from tests.processes import Worker, child_environment, start_worker, wait_until
from tests.verification.systems import installed
from verification.evidence import Answer
from verification.models import FactCheck
from verification.services.evidence import ask_for_evidence
from verification.tasks import (
    find_evidence,
    requeue_stalled_checks,
    send_find_evidence,
)

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("queued_tasks", "shared_cache", "plain"),
]

StartWorker = Callable[[], Worker]
# Where tests/verification/worker/gate.py looks; loaded here it would hold this process.
GATES = "CLAIMDESK_TEST_GATES"
# Prints the checks that this process takes, group after group.
CLAIM_ALL = """
import sys, time, django
django.setup()
from verification.services.check_leases import claim_checks
time.sleep(max(0, float(sys.argv[1]) - time.time()))
while checks := claim_checks():
    print(*[check.pk for check in checks])
"""


@pytest.fixture
def shared_cache(settings: Settings, real_broker: str) -> None:
    """Use the cache that worker processes use too."""
    from config import settings as production

    settings.CACHES = production.CACHES


@pytest.fixture
def plain() -> Iterator[None]:
    """A system in the folder that worker processes see."""
    with installed():
        yield


@pytest.fixture
def new_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StartWorker]:
    """Start workers with models that wait after each stage; end them afterwards."""
    monkeypatch.setenv(GATES, str(tmp_path))
    with ExitStack() as stack:
        numbers = iter(range(9))

        def start() -> Worker:
            worker = start_worker(
                tmp_path / f"worker-{next(numbers)}.log",
                queues=ML_QUEUE,
                pool="solo",
                settings_module="tests.verification.worker.gated_settings",
            )
            stack.callback(lambda: worker.kill() if worker.is_running else None)
            return worker

        yield start


def reach(folder: Path, state: str) -> None:
    reached = folder / f"{state}.reached"
    wait_until(reached.exists, f"a worker to reach {state}")


def open_gates(folder: Path) -> None:
    for state in FactCheck.State:
        (folder / state).touch()


def all_done() -> bool:
    return not FactCheck.objects.exclude(state=FactCheck.State.DONE).exists()


@pytest.mark.slow
def test_a_killed_worker_s_claim_is_answered_by_another(
    corpus: Corpus, tmp_path: Path, new_worker: StartWorker
) -> None:
    first = new_worker()
    # A pool that blocks its loop while it works gives signs of life all the same.
    wait_until(lambda: workers_alive(ML_QUEUE), "the pulse", timeout=15)
    asked = ask_for_evidence(
        claim="Tea makes sleep shorter.", corpus=corpus, system="plain"
    )
    (tmp_path / "retrieved").touch()
    reach(tmp_path, "selected")
    time.sleep(7)
    assert workers_alive(ML_QUEUE)
    first.kill()
    asked.refresh_from_db()
    # What is there so far can be read while nobody works on it.
    assert asked.state == "selected"
    assert Answer.from_json(asked.result).abstracts[0].chosen == (1,)
    past = timezone.now() - timedelta(seconds=1)
    FactCheck.objects.update(lease_expires_at=past)
    caching.drop([f"job-beat-{asked.lease_owner}"])
    open_gates(tmp_path)
    new_worker()
    requeue_stalled_checks()
    wait_until(all_done, "the other worker to answer")
    asked.refresh_from_db()
    (best, _) = Answer.from_json(asked.result).abstracts
    assert (asked.attempts, best.document, best.label) == (2, "1", "SUPPORT")


def test_two_workers_share_what_waits(
    corpus: Corpus, tmp_path: Path, new_worker: StartWorker
) -> None:
    with installed("other"):
        for system in ("plain", "other"):
            ask_for_evidence(claim="Bees like iron.", corpus=corpus, system=system)
        new_worker()
        new_worker()
        send_find_evidence()
        send_find_evidence()

        def both_are_held() -> bool:
            held = FactCheck.objects.filter(state="retrieved")
            return held.values("lease_owner").distinct().count() == 2

        # Each stops at the first gate, so neither can have taken both.
        wait_until(both_are_held, "each worker to take one")
        open_gates(tmp_path)
        wait_until(all_done, "the answers")
    assert set(FactCheck.objects.values_list("attempts", flat=True)) == {1}


def test_a_claim_outlasts_a_restart_of_the_broker(
    corpus: Corpus,
    tmp_path: Path,
    new_worker: StartWorker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ask(url: str) -> None:
        FactCheck.objects.create(corpus=corpus, system="plain", claim="Bees like iron.")
        with app.connection_for_write(url) as connection:
            app.send_task(find_evidence.name, queue=ML_QUEUE, connection=connection)

    with own_broker(tmp_path) as url:
        monkeypatch.setenv("CELERY_BROKER_URL", url)
        new_worker()
        ask(url)
        reach(tmp_path, "retrieved")
    with own_broker(tmp_path) as url:
        open_gates(tmp_path)
        wait_until(all_done, "the answer to what was asked before")
        ask(url)
        wait_until(all_done, "the answer to what was asked after")
    assert list(FactCheck.objects.values_list("attempts", flat=True)) == [1, 1]


def test_of_processes_that_take_the_same_claims_one_gets_each(corpus: Corpus) -> None:
    rows = [FactCheck(corpus=corpus, system="plain", claim="Tea.") for _ in range(90)]
    FactCheck.objects.bulk_create(rows)
    begin = str(time.time() + 4)
    claimants = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIM_ALL, begin],
            cwd=REPO,
            env={**child_environment(), "LOG_LEVEL": "ERROR"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    won = [pk for c in claimants for pk in c.communicate(timeout=60)[0].split()]
    every = FactCheck.objects.order_by("pk").values_list("pk", "attempts")
    assert sorted(map(int, won)) == [pk for pk, _ in every]
    assert {attempts for _, attempts in every} == {1}
