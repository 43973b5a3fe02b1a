"""Imports in processes of their own: exit codes, races, and power cuts."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Claim, Project
from annotation.selectors.records import claim_records
from annotation.services.projects import create_project
from corpus import live, records
from corpus.files import store_path
from corpus.jobs import start_job
from corpus.models import Corpus, Document, Event, Job
from corpus.tasks import requeue_stalled_jobs
from tests.annotation import transfers
from tests.annotation.transfers import claim, document, entry, write_lines
from tests.factories import UserFactory
from tests.paths import REPO
from tests.processes import (
    Worker,
    child_environment,
    manage,
    running_worker,
    wait_until,
)

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

CLAIMS = 3000
NAMES = ("--corpus", "Library", "--create")


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    lines = [document(n, f"Bee {n} flies.", f"Bee {n} rests.") for n in range(20)]
    return write_lines(tmp_path / "corpus.jsonl", *lines)


@pytest.fixture
def claims_file(tmp_path: Path, corpus_file: Path) -> Path:
    """Claims enough that writing them takes seconds; their abstracts are imported."""
    transfers.import_corpus(corpus_file)
    lines = []
    for n in range(CLAIMS):
        first, second = n % 20, (n + 7) % 20
        evidence = {str(first): [entry(0), entry(1)]}
        lines.append(claim(n, f"Bee claim {n}.", evidence, [first, second]))
    return write_lines(tmp_path / "claims.jsonl", *lines)


def import_process(project: str, file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "manage.py", "import_claims", "--format", "scifact"]
    return subprocess.Popen(
        [*command, *NAMES, "--project", project, str(file)],
        cwd=REPO,
        env=child_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_of(process: subprocess.Popen[str]) -> int:
    """Wait for a process and return its exit code."""
    process.communicate(timeout=120)
    return process.returncode


def somebody_writes() -> bool:
    """Whether another process is in the middle of a long write transaction."""
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        with closing(sqlite3.connect(str(name), timeout=0)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
            other.rollback()
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL"
        )
        return bool(cursor.fetchone()[0])


def claims_of(project: str) -> list[records.Claim]:
    return list(claim_records(Claim.objects.filter(project__name=project)))


@pytest.mark.slow
def test_a_killed_import_leaves_nothing_and_can_be_run_again(
    claims_file: Path,
) -> None:
    started = time.monotonic()
    assert end_of(import_process("Undisturbed", claims_file)) == 0
    usual = time.monotonic() - started
    before = transfers.row_counts()

    victim = import_process("Killed", claims_file)
    wait_until(somebody_writes, "the import to write")
    time.sleep(usual / 10)  # well within the writing, which takes about half
    victim.kill()
    assert end_of(victim) == -signal.SIGKILL

    assert transfers.row_counts() == before
    assert not Project.objects.filter(name="Killed").exists()
    assert end_of(import_process("Killed", claims_file)) == 0
    assert claims_of("Killed") == claims_of("Undisturbed")
    added = {
        name: count - before[name]
        for name, count in transfers.row_counts().items()
        if name != "Corpus"
    }
    # What one import adds, the other added.
    assert added["Claim"] == before["Claim"] == CLAIMS
    assert added["Judgement"] == before["Judgement"] == 2 * CLAIMS
    assert added["Rationale"] == before["Rationale"] == 2 * CLAIMS


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [False, True], ids=["new", "existing"])
def test_of_two_imports_of_one_file_at_once_one_writes_and_the_other_finds_it_done(
    is_there: bool, claims_file: Path
) -> None:
    if is_there:
        library = Corpus.objects.get()
        create_project(name="Raced", protocol="scifact", corpus=library, actor=None)
    racers = [import_process("Raced", claims_file) for _ in range(2)]
    outputs = [racer.communicate(timeout=180) for racer in racers]

    assert [racer.returncode for racer in racers] == [0, 0], outputs
    counts = [json.loads(out.splitlines()[-1]) for out, _ in outputs]
    assert sorted(c["new"] for c in counts) == [0, CLAIMS]
    assert sorted(c["identical"] for c in counts) == [0, CLAIMS]
    assert Claim.objects.count() == CLAIMS
    positions = Claim.objects.order_by("position").values_list("position", flat=True)
    assert list(positions) == list(range(1, CLAIMS + 1))
    assert Event.objects.filter(noun="claim").count() == CLAIMS
    assert Event.objects.filter(verb="import_claims").count() == 1


def test_two_imports_of_one_corpus_at_once_make_one_corpus(corpus_file: Path) -> None:
    command = [sys.executable, "manage.py", "import_corpus", "--format", "scifact"]
    racers = [
        subprocess.Popen(
            [*command, "--corpus", "Raced", str(corpus_file)],
            cwd=REPO,
            env=child_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    outputs = [racer.communicate(timeout=120) for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0], outputs
    assert Document.objects.count() == 20
    assert Corpus.objects.get().version == 1


@pytest.fixture
def shared_cache(settings: Settings, real_broker: str) -> None:
    """Use the cache that worker processes use too."""
    from config import settings as production

    settings.CACHES = production.CACHES


@pytest.fixture
def start_import(claims_file: Path) -> Callable[[], Job]:
    owner = UserFactory()
    library = Corpus.objects.get(name="Library")
    project = create_project(
        name="By a worker", protocol="scifact", corpus=library, actor=owner
    )
    stored = store_path(path=claims_file, name="claims.jsonl", owner=owner)

    def start() -> Job:
        payload = {"file": stored.pk, "format": "scifact", "project": project.pk}
        return start_job(kind="import_claims", owner=owner, payload=payload)

    return start


@pytest.fixture
def workers(queued_tasks: None, shared_cache: None, tmp_path: Path) -> Iterator[Any]:
    with ExitStack() as stack:
        numbers = iter(range(9))

        def start() -> Worker:
            log = tmp_path / f"worker-{next(numbers)}.log"
            return stack.enter_context(running_worker(log))

        yield start


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_an_import_does_no_harm(
    workers: Callable[[], Worker],
    start_import: Callable[[], Job],
    claims_file: Path,
) -> None:
    first = workers()
    job = start_import()
    wait_until(somebody_writes, "the worker to write")
    wait_until(somebody_writes_claims, "the worker to write claims", timeout=60)
    first.kill()
    assert not Claim.objects.exists()

    live.forget_job(job.pk)
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(lease_expires_at=past)
    workers()

    def is_done() -> bool:
        requeue_stalled_jobs.apply_async(expires=10)
        time.sleep(1)
        job.refresh_from_db()
        return job.is_finished

    wait_until(is_done, "another worker to import the claims", timeout=120)
    assert (job.state, job.error, job.attempts) == (Job.State.DONE, "", 2)
    assert job.result["report"]["new"] == CLAIMS
    assert end_of(import_process("Undisturbed", claims_file)) == 0
    assert claims_of("By a worker") == claims_of("Undisturbed")


def somebody_writes_claims() -> bool:
    """Whether the write has lasted: the claim of a job is over in no time."""
    if not somebody_writes():
        return False
    time.sleep(0.5)
    return somebody_writes()


def test_who_waits_in_vain_for_another_import_is_told_so(corpus_file: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL lets others write")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    name = str(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(name)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcome = transfers.import_corpus(corpus_file)
    assert outcome.code == 1
    assert "try again when it has ended" in outcome.message
    connection.close()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ("import_corpus", "--format", "scifact", "--corpus", "C"),
            2,
            "required: FILE",
        ),
        (
            ("import_corpus", "--format", "scifact", "--corpus", "C", "/no/file"),
            2,
            "No such file",
        ),
        (
            ("export_corpus", "--format", "scifact", "--corpus", "C", "--output", "x"),
            2,
            "no corpus",
        ),
        (
            ("export_claims", "--format", "scifact", "--project", "P", "--output", "x"),
            2,
            "no project",
        ),
    ],
)
def test_a_command_ends_with_the_code_of_what_went_wrong(
    arguments: tuple[str, ...], code: int, words: str
) -> None:
    ended = manage(*arguments)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert words in ended.stderr


def test_bad_input_is_told_line_by_line_on_stderr(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "c.jsonl", document(1), {"doc_id": True}, [3])
    ended = manage("import_corpus", "--format", "scifact", "--corpus", "C", str(file))
    assert (ended.returncode, ended.stdout) == (2, "")
    lines = ended.stderr.splitlines()
    assert [line.removeprefix(f"{file}:").split(":")[0] for line in lines[:-1]] == [
        "2",
        "2",
        "2",
        "3",
    ]


def test_the_database_alone_is_enough(tmp_path: Path, corpus_file: Path) -> None:
    """No broker, no worker, no cache: their addresses lead nowhere."""
    nowhere = {"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}
    out = tmp_path / "out.jsonl"
    for arguments in (
        ("import_corpus", "--format", "scifact", "--corpus", "C", str(corpus_file)),
        ("export_corpus", "--format", "scifact", "--corpus", "C", "--output", str(out)),
    ):
        ended = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=REPO,
            env=child_environment() | nowhere,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        assert json.loads(ended.stdout.splitlines()[-1])
    assert out.read_bytes() == corpus_file.read_bytes()
