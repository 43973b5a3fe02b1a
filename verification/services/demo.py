"""A public demo benchmark on the demo's invented claims and abstracts.

Made by the services of the site and scored by its jobs, which are done here and now:
no worker has to run.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.db.models import ManyToOneRel, Model, Q, QuerySet
from django.utils import timezone

from annotation.services.demo import FOLDER, demo_people
from corpus.exceptions import DomainError
from corpus.files import store_path
from corpus.job_runner import execute_job
from corpus.models import Event, Job, StoredFile, User
from corpus.models.library import Visibility
from verification.demo_answers import SYSTEMS, Line, System, answers_of, gold_of
from verification.models import (
    Benchmark,
    ClaimBatch,
    FactCheck,
    GoldSet,
    Phase,
    Submission,
)
from verification.services.benchmarks import announce, create_benchmark
from verification.services.gold import GoldFiles, Scoring, create_gold_set
from verification.services.phases import add_phase
from verification.services.submissions import Metadata, publish, receive, submit

NAME = "Cell and clinic benchmark (demo)"
DESCRIPTION = (
    "Invented claims on invented biomedical abstracts: find the abstracts that support "
    "or contradict each claim, and the sentences that show it. Nothing here is "
    "evidence, and no system here exists."
)
SCORING = Scoring("scifact_pipeline", "leaderboard", "open", "abstract_rationalized_f1")
WRITTEN, IMPORTED = "claims_scifact.jsonl", "import_scifact_claims.jsonl"
ABSTRACTS = "documents_biomedicine.jsonl"
ORGANISER = "admin"
SUBMITTERS = ("annotator_1", "annotator_2", "reviewer")
NOUNS: dict[type[Model], str] = {
    ClaimBatch: "claim_batch",
    FactCheck: "fact_check",
    GoldSet: "gold_set",
}
BLIND_EVERY = 3
BLIND_DAYS = 365
JOB_SECONDS = 60


def is_demo_benchmark_loaded() -> bool:
    """Whether the demo benchmark is there."""
    return Benchmark.objects.filter(is_demo=True).exists()


def load_demo_benchmark() -> None:
    """Make the demo benchmark, all of it or nothing.

    Not to be called inside a transaction: files are stored.
    """
    try:
        _load()
    except BaseException:
        remove_demo_benchmark()
        raise


def _load() -> None:
    people = demo_people()
    organiser = people[ORGANISER]
    gold = _lines(IMPORTED) + gold_of(_lines(WRITTEN))
    blind = gold[::BLIND_EVERY]
    dev = [line for number, line in enumerate(gold) if number % BLIND_EVERY]
    benchmark = create_benchmark(
        name=NAME,
        description=DESCRIPTION,
        scoring=SCORING,
        visibility=Visibility.PUBLIC,
        organiser=organiser,
        is_demo=True,
    )
    dev_phase = _phase(benchmark, organiser, "dev", dev)
    blind_phase = _phase(benchmark, organiser, "blind", blind)
    announce(
        benchmark=benchmark,
        organiser=organiser,
        text="The demo benchmark is open. Every text and every system is invented.",
    )
    for system, key in zip(SYSTEMS, SUBMITTERS, strict=True):
        _enter(dev_phase, system, dev, people[key])
    _enter(blind_phase, SYSTEMS[0], blind, people[SUBMITTERS[0]])
    for phase in (dev_phase, blind_phase):
        _finish_waiting_jobs(phase)


def _lines(name: str) -> list[Line]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def _phase(
    benchmark: Benchmark, organiser: User, kind: str, gold: Sequence[Line]
) -> Phase:
    is_blind = kind == Phase.Kind.BLIND
    now = timezone.now()
    return add_phase(
        benchmark=benchmark,
        gold_set=_gold_set(benchmark, organiser, kind, gold),
        organiser=organiser,
        kind=kind,
        name="Test" if is_blind else "Development",
        shows=Phase.Shows.NOTHING if is_blind else Phase.Shows.EVERYTHING,
        opens_at=now,
        closes_at=now + timedelta(days=BLIND_DAYS) if is_blind else None,
    )


def _gold_set(
    benchmark: Benchmark, organiser: User, kind: str, gold: Sequence[Line]
) -> GoldSet:
    split = "test" if kind == Phase.Kind.BLIND else "dev"
    with tempfile.TemporaryDirectory(prefix="claimdesk-demo-") as folder:
        path = Path(folder) / f"demo_{split}.jsonl"
        path.write_bytes(_encoded(gold))
        stored = store_path(path=path, name=path.name, owner=organiser)
    abstracts = FOLDER / ABSTRACTS
    return create_gold_set(
        files=GoldFiles(
            gold=stored,
            corpus=store_path(path=abstracts, name=abstracts.name, owner=organiser),
        ),
        scoring=SCORING,
        owner=organiser,
        name=f"Demo, {split}",
        split=split,
        is_hidden=kind == Phase.Kind.BLIND,
        benchmark=benchmark,
    )


def _encoded(lines: Iterable[Line]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _enter(phase: Phase, system: System, gold: Sequence[Line], person: User) -> None:
    """Upload, submit, score and publish as a person would."""
    content = _encoded(answers_of(system, gold))
    upload = SimpleUploadedFile("predictions.jsonl", content)
    received = receive(phase=phase, submitter=person, upload=upload)
    checked = _after_its_job(received)
    about = Metadata(
        system=system.name,
        description=system.description,
        model_size=system.model_size,
    )
    queued = submit(submission=checked, actor=person, metadata=about)
    scored = _after_its_job(queued)
    publish(submission=scored, actor=person, is_anonymous=False)


def _after_its_job(submission: Submission) -> Submission:
    """Do the job of a submission, or wait for the worker that was faster."""
    assert submission.job is not None  # noqa: S101
    _finish(submission.job)
    return Submission.objects.get(pk=submission.pk)


def _finish(job: Job) -> None:
    for wait in (0, *[1] * JOB_SECONDS):
        time.sleep(wait)
        execute_job(job.pk)
        job.refresh_from_db()
        if job.is_finished:
            return
    raise DomainError("The demo is not scored: a worker holds on to it.")


def _finish_waiting_jobs(phase: Phase) -> None:
    """Do what publishing has begun: entries are compared with first place."""
    for job in Job.objects.filter(payload={"phase": phase.pk}).order_by("pk"):
        _finish(job)


@transaction.atomic
def remove_demo_benchmark() -> None:
    """Delete the demo benchmark with everything that anybody submitted to it."""
    benchmarks = Benchmark.objects.filter(is_demo=True)
    gold_sets = GoldSet.objects.filter(benchmark__in=benchmarks)
    submissions = Submission.objects.filter(phase__benchmark__in=benchmarks)
    files = {
        *submissions.values_list("file", flat=True),
        *gold_sets.values_list("gold", flat=True),
        *gold_sets.values_list("claims", flat=True),
        *gold_sets.values_list("corpus", flat=True),
    }
    jobs = [
        *_jobs_about("submission", submissions),
        *_jobs_about("phase", Phase.objects.filter(benchmark__in=benchmarks)),
    ]
    _delete(Benchmark, benchmarks.values_list("pk", flat=True))
    Job.objects.filter(pk__in=jobs).delete()
    for stored in StoredFile.objects.filter(pk__in=files - {None}):
        stored.delete()
        transaction.on_commit(
            partial(stored.file.storage.delete, str(stored.file.name))
        )


@transaction.atomic
def remove_demo_checks() -> None:
    """Delete what anybody has checked against demo corpora, kept or not.

    The corpora go with the demo, and the answers with them.
    """
    on_demo = {"corpus__is_demo": True}
    batches = ClaimBatch.objects.filter(**on_demo)
    jobs = _jobs_about("batch", batches)
    _delete(FactCheck, FactCheck.objects.filter(**on_demo).values_list("pk", flat=True))
    _delete(ClaimBatch, batches.values_list("pk", flat=True))
    Job.objects.filter(pk__in=jobs).delete()


def _jobs_about(what: str, rows: QuerySet[Any]) -> list[int]:
    """Return the jobs that name one of these rows in their payload."""
    payloads = [{what: pk} for pk in rows.values_list("pk", flat=True)]
    if not payloads:
        return []
    about = reduce(or_, (Q(payload=payload) for payload in payloads))
    return list(Job.objects.filter(about).values_list("pk", flat=True))


def _delete(model: type[Model], keys: Iterable[int]) -> None:
    """Delete rows with their events, and first whatever points to them."""
    keys = list(keys)
    if not keys:
        return
    for relation in model._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel):
            pointing = relation.related_model
            about = {f"{relation.field.name}__in": keys}
            rows = pointing._default_manager.filter(**about)
            _delete(pointing, rows.values_list("pk", flat=True))
    noun = NOUNS.get(model, model.__name__.lower())
    Event.objects.filter(noun=noun, object_id__in=keys).delete()
    model._default_manager.filter(pk__in=keys).delete()
