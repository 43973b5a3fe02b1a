# ruff: noqa: E402  # Django must be set up before its models are imported
"""Measure how long somebody waits who asks for evidence, on a real worker.

Run from the repository root: ``python -m benchmarks.evidence``. It makes a test
database, imports the SciFact corpus from ``../shared/data``, starts a broker and a
worker with models as ``make run`` does, and asks claims of SciFact's development set:

* one after another, until each stage is there (aim: the whole answer within 1 second
  at the 95th percentile);
* sixteen at once, against the same one after another;
* one after another while the worker is busy with a batch.

The starter is used if its weights are there; else random weights on the same base,
which take the same time and say nothing true.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")

import django

django.setup()

import numpy as np
from django.conf import settings
from django.db import connection

from annotation.services.import_documents import import_documents
from annotation.services.importing import incoming
from annotation.services.projects import create_corpus
from config import settings as production
from config.broker import is_own_broker, own_broker
from config.celery import app
from corpus.formats.scifact import read_documents
from corpus.jobs import start_job
from corpus.live import ML_QUEUE
from corpus.models import Corpus, User
from corpus.models.library import Visibility
from tests.paths import SHARED
from tests.processes import start_worker, wait_until
from verification.installed_systems import installed_systems, systems_folder
from verification.models import ClaimBatch, FactCheck
from verification.pipeline.files import read_claims
from verification.services.check_leases import BATCH_JOB, TOGETHER
from verification.services.evidence import ask_for_evidence

SCIFACT = SHARED / "data" / "scifact"
SINGLE = 60
IN_BATCH = 240
WARM_SECONDS = 1200
STATES = ("retrieved", "selected", "done")


def main() -> None:
    """Print the measurements for the current kind of database."""
    connection.creation.create_test_db(verbosity=0)
    try:
        with _worker():
            measure()
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], 0)


def measure() -> None:
    """Ask in all three ways, once the corpus is indexed."""
    corpus, system = scifact(), a_system()
    claims = [claim.text for claim in read_claims(SCIFACT / "claims_dev.jsonl")]
    started = time.perf_counter()
    answer(corpus, system, claims[-1:], timeout=WARM_SECONDS)
    print(f"{connection.vendor}, system {system}, load {os.getloadavg()[0]:.1f}")
    print(f"the first answer, index of {corpus.documents.count()} abstracts included:")
    print(f"  {time.perf_counter() - started:.0f} s")
    alone = one_by_one(corpus, system, claims[:SINGLE])
    print_times(f"{SINGLE} claims, one after another", alone)
    compare_together(corpus, system, claims[SINGLE : SINGLE + 2 * TOGETHER])
    start_batch(corpus, system, claims[:IN_BATCH])
    busy = one_by_one(corpus, system, claims[-SINGLE // 2 :])
    left = FactCheck.objects.exclude(batch=None).exclude(state="done").count()
    print_times(f"{len(busy['done'])} claims beside a batch, {left} left of it", busy)


def one_by_one(
    corpus: Corpus, system: str, claims: Sequence[str]
) -> dict[str, list[float]]:
    """Return the seconds until each stage of each claim was there."""
    times: dict[str, list[float]] = {state: [] for state in STATES}
    for claim in claims:
        for state, taken in answer(corpus, system, [claim]).items():
            times[state].append(taken)
    return times


def compare_together(corpus: Corpus, system: str, claims: Sequence[str]) -> None:
    """Ask half of the claims at once, the others one after another."""
    together = answer(corpus, system, claims[:TOGETHER])["done"]
    alone = sum(one_by_one(corpus, system, claims[TOGETHER:])["done"])
    print(
        f"{TOGETHER} claims at once: {together:.2f} s until the last; one after "
        f"another {alone:.2f} s: {alone / together:.1f} times as fast"
    )


def answer(
    corpus: Corpus, system: str, claims: Sequence[str], timeout: float = 120
) -> dict[str, float]:
    """Ask, look every few milliseconds; return when all were in each state."""
    started = time.perf_counter()
    keys = [
        ask_for_evidence(claim=claim, corpus=corpus, system=system).pk
        for claim in claims
    ]
    checks = FactCheck.objects.filter(pk__in=keys)
    times: dict[str, float] = {}

    def look() -> bool:
        seen = set(checks.values_list("state", flat=True))
        assert "failed" not in seen, checks.values_list("error", flat=True)
        reached = min(STATES.index(s) if s in STATES else -1 for s in seen)
        for state in STATES[: reached + 1]:
            times.setdefault(state, time.perf_counter() - started)
        return seen == {"done"}

    wait_until(look, "the answers", timeout=timeout)
    return times


def print_times(what: str, times: dict[str, list[float]]) -> None:
    """Print median and 95th percentile of each stage."""
    print(f"{what}:")
    for state, values in times.items():
        p50, p95 = np.percentile(values, [50, 95])
        print(f"  {state}: p50 {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms")


def scifact() -> Corpus:
    """Import the corpus, public."""
    corpus = create_corpus(name="SciFact", owner=None, visibility=Visibility.PUBLIC)
    path = SCIFACT / "corpus.jsonl"
    with path.open("rb") as file:
        source = incoming(file, read_documents, name=path.name)
        import_documents(source=source, corpus=corpus, actor=None)
    corpus.refresh_from_db()
    return corpus


def start_batch(corpus: Corpus, system: str, claims: Sequence[str]) -> None:
    """Let the worker be busy."""
    owner = User.objects.create(username="somebody")
    batch = ClaimBatch.objects.create(
        name="Batch", owner=owner, corpus=corpus, system=system
    )
    FactCheck.objects.bulk_create(
        FactCheck(
            claim=claim, corpus=corpus, system=system, batch=batch, position=position
        )
        for position, claim in enumerate(claims)
    )
    start_job(kind=BATCH_JOB, owner=owner, payload={"batch": batch.pk})
    checks = batch.checks.filter(state="done")
    wait_until(checks.exists, "the batch to begin", timeout=120)


def a_system() -> str:
    """Return the starter, or a system of its shape with random weights."""
    found = [system.name for system in installed_systems()]
    if found:
        return found[0]
    folder = systems_folder() / "random"
    folder.mkdir(parents=True)
    parts = {
        "rationale": ("0", "1"),
        "label": ("CONTRADICT", "NOT_ENOUGH_INFO", "SUPPORT"),
    }
    values = {
        name: {
            "kind": "transformer",
            "model": f"{name}.safetensors",
            "sha256": random_adapter(folder / f"{name}.safetensors", labels),
        }
        for name, labels in parts.items()
    }
    retrieval = {"parts": ["bm25", "dense"], "rerank": 10}
    about = {
        "name": "random",
        "retrieval": retrieval,
        "settings": {"at_least_one": True},
    }
    (folder / "system.json").write_text(json.dumps(about | values), encoding="utf-8")
    return folder.name


def random_adapter(path: Path, labels: tuple[str, ...]) -> str:
    """Write an untrained adapter; return its checksum."""
    from verification.pipeline.encoders.adapted import (
        AdapterInfo,
        PairModel,
        adapter_bytes,
    )
    from verification.pipeline.encoders.base import (
        BASE_FINGERPRINT,
        checked_base,
        load_encoder,
    )

    model = PairModel(load_encoder(checked_base()), len(labels))
    model.adapt(32)
    data = adapter_bytes(model, AdapterInfo(labels, BASE_FINGERPRINT, 160, 32))
    path.write_bytes(data)
    return sha256(data).hexdigest()


@contextmanager
def _worker() -> Iterator[None]:
    """Run a broker and a worker with models for the length of the block."""
    settings.CACHES = production.CACHES
    app.conf.task_always_eager = False
    a_system()
    with tempfile.TemporaryDirectory() as folder, _broker():
        worker = start_worker(Path(folder) / "log", queues=ML_QUEUE, pool="solo")
        try:
            yield
        finally:
            worker.kill()
            sys.stderr.write(worker.log.read_text()[-1000:])


@contextmanager
def _broker() -> Iterator[None]:
    if not is_own_broker():
        yield
        return
    with own_broker(Path(settings.DATA_DIR)):
        yield


if __name__ == "__main__":
    main()
