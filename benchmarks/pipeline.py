"""Measure the verification pipeline: against a plain one, for users, and in search.

Run from the repository root: ``python -m benchmarks.pipeline``. Needs SciFact in
``../shared/data``. ``--system`` is a folder, ``starter``, or ``random``: weights of the
starter's shape that know nothing, for what does not depend on them. ``--quick`` takes
ten claims and a smaller corpus, to try it out.

* Claims per second on SciFact dev, open setting, against ``pipeline_reference`` with
  the same weights in the same process, turn by turn (aims: 2 times in fp32 at equal
  labels, 6 times in bf16, whose changed labels and F1 are printed), and again with
  all pairs known.
* What one person who checks claims waits for, and eight at once (aim: 95 % within
  1 s for one). Models and indexes are loaded, the claims are new.
* Retrieval: see ``benchmarks.retrieval``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import numpy as np
import torch

from benchmarks.pipeline_figures import scored
from benchmarks.pipeline_reference import Answer, Reference
from benchmarks.retrieval import measure_search, measure_synthetic
from corpus.records import Claim, Document
from tests.paths import SHARED
from verification.pipeline import together
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
from verification.pipeline.files import read_claims, read_corpus
from verification.pipeline.predict import prediction_line
from verification.pipeline.stages import LABELS, Judged, Pipeline
from verification.pipeline.systems import System

Entry = TypeVar("Entry")
SCIFACT = SHARED / "data" / "scifact"
TURN = 10
"""Claims that one implementation answers before it is the other's turn."""
WARM = 50
"""Claims that are asked twice, and that people wait for."""
MEASURES = ("abstract_label_only_f1", "sentence_label_f1")


@dataclass(slots=True)
class Ours:
    """The pipeline in one precision, and what it has answered."""

    system: System
    pipeline: Pipeline
    seconds: float = 0.0
    judged: dict[str, list[Judged]] = field(default_factory=dict)

    def answer(self, claims: Sequence[Claim]) -> None:
        """Judge claims as ``predict`` does: each by itself, with nothing known."""
        started = time.perf_counter()
        for claim in claims:
            self.system.forget()
            self.judged[claim.id.text] = self.pipeline.judge(claim)
        self.seconds += time.perf_counter() - started

    def answers(self) -> dict[str, Answer]:
        """Return sentences and labels, to be compared."""
        return {
            claim: {j.document.id.text: (j.sentences, str(j.label)) for j in judged}
            for claim, judged in self.judged.items()
        }


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="starter", help="FOLDER, starter, random")
    parser.add_argument("--indexes", type=Path, default=Path("data/indexes"))
    parser.add_argument("--quick", action="store_true", help="to try it out")
    parser.add_argument("--limit", type=int, help="of the claims")
    parser.add_argument("--skip-synthetic", action="store_true")
    options = parser.parse_args()
    documents = read_corpus(SCIFACT / "corpus.jsonl")
    claims = read_claims(SCIFACT / "claims_dev.jsonl")
    claims = claims[: TURN if options.quick else options.limit]
    with tempfile.TemporaryDirectory() as name:
        folder = options.system
        if folder == "random":
            folder = str(random_system(Path(name)))
        systems = {
            precision: System.load(folder, device="cpu", precision=precision)
            for precision in ("fp32", "bf16")
        }
        print(f"system {systems['fp32'].name}, {torch.get_num_threads()} threads")
        ours = {
            precision: Ours(system, system.pipeline(documents, options.indexes))
            for precision, system in systems.items()
        }
        compare(ours, documents, claims, options.indexes)
        measure_waiting(ours["bf16"], claims[:WARM])
        measure_search(documents, claims, options.indexes)
        if not options.skip_synthetic:
            size = 20_000 if options.quick else 500_000
            measure_synthetic(list(documents.values()), claims, size, Path(name))


# Against the reference ------------------------------------------------------------


def compare(
    ours: Mapping[str, Ours],
    documents: Mapping[str, Document],
    claims: Sequence[Claim],
    indexes: Path,
) -> None:
    """Print claims per second, ratios, and how far the answers differ."""
    reference = reference_of(ours["fp32"].system, documents, indexes)
    warm_up(ours, reference, claims[0])
    said: dict[str, Answer] = {}
    for start in range(0, len(claims), TURN):
        part = claims[start : start + TURN]
        said |= {claim.id.text: reference.judge(claim) for claim in part}
        for one in ours.values():
            one.answer(part)
    print_reference(reference, len(claims))
    seconds = sum(reference.seconds.values())
    for precision, one in ours.items():
        labels, sentences = changed(said, one.answers())
        print_row(precision, len(claims), one.seconds, seconds, labels, sentences)
    known = claims[:WARM]
    for precision, one in ours.items():
        warm = warm_seconds(one, known) * len(claims) / len(known)
        print_row(f"{precision}, pairs known", len(claims), warm, seconds)
    print_f1(ours, claims)


def print_reference(reference: Reference, n_claims: int) -> None:
    """Print the reference's absolute times, and its row."""
    seconds = sum(reference.seconds.values())
    twice = reference.seconds["select"] if reference.depth else 0.0
    stages = ", ".join(f"{n} {s:.1f} s" for n, s in reference.seconds.items())
    print(f"\nreference: {n_claims} claims in {seconds:.1f} s ({stages})")
    print(f"without the sentences that it scores twice: {seconds - twice:.1f} s\n")
    print("| run | claims per s | ratio | changed labels | changed sentences |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print_row("reference, fp32", n_claims, seconds, seconds)


def print_row(
    name: str,
    n_claims: int,
    seconds: float,
    reference: float,
    labels: str = "",
    sentences: str = "",
) -> None:
    """Print one run."""
    figures = f"{n_claims / seconds:.2f} | {reference / seconds:.2f}"
    print(f"| {name} | {figures} | {labels} | {sentences} |", flush=True)


def reference_of(
    system: System, documents: Mapping[str, Document], indexes: Path
) -> Reference:
    """Return the reference with the system's weights and its first ranking."""
    values = {**system.values["retrieval"], "rerank": 0}
    plain = System(
        system.name,
        system.folder,
        {**system.values, "retrieval": values},
        system.device,
        system.precision,
    )
    retriever = plain.retriever(list(documents.values()), indexes)
    depth = int(system.values["retrieval"].get("rerank") or 0)
    return Reference(system, retriever, depth)


def warm_up(ours: Mapping[str, Ours], reference: Reference, claim: Claim) -> None:
    """Let everybody answer once, so that nothing is loaded while we measure."""
    reference.judge(claim)
    reference.seconds = dict.fromkeys(reference.seconds, 0.0)
    for one in ours.values():
        one.answer([claim])
        one.seconds = 0.0


def changed(
    before: Mapping[str, Answer], after: Mapping[str, Answer]
) -> tuple[str, str]:
    """Return how many labels and sentences of abstracts are not the same."""
    pairs = [
        (found, after[claim].get(name))
        for claim, answer in before.items()
        for name, found in answer.items()
    ]
    labels = sum(b is None or a[1] != b[1] for a, b in pairs)
    sentences = sum(b is None or a[0] != b[0] for a, b in pairs)
    return f"{labels} of {len(pairs)}", f"{sentences} of {len(pairs)}"


def warm_seconds(one: Ours, claims: Sequence[Claim]) -> float:
    """Return how long the claims take when each pair has been asked before."""
    for claim in claims:
        one.pipeline.judge(claim)
    started = time.perf_counter()
    for claim in claims:
        one.pipeline.judge(claim)
    return time.perf_counter() - started


def print_f1(ours: Mapping[str, Ours], claims: Sequence[Claim]) -> None:
    """Print F1 in both precisions."""
    print(
        "\n| SciFact dev, open | fp32 | bf16 | change |\n| --- | ---: | ---: | ---: |"
    )
    gold = SCIFACT / "claims_dev.jsonl"
    for measure in MEASURES:
        values = []
        for one in ours.values():
            lines = [prediction_line(c, one.judged[c.id.text]) for c in claims]
            row = scored(measure, "scifact_pipeline", measure, lines, gold, claims)
            values.append(row[1])
        before, after = values
        print(f"| {measure} | {before:.4f} | {after:.4f} | {after - before:+.4f} |")


# People who wait ------------------------------------------------------------------


def measure_waiting(one: Ours, claims: Sequence[Claim]) -> None:
    """Print what people wait for who check a claim as soon as the last is answered."""
    print(
        "\n| people at once | claims | p50 s | p95 s |\n| ---: | ---: | ---: | ---: |"
    )
    for people in (1, 8):
        waited = waiting(one, claims, people)
        p50, p95 = np.percentile(waited, (50, 95))
        print(f"| {people} | {len(waited)} | {p50:.2f} | {p95:.2f} |", flush=True)


def waiting(one: Ours, claims: Sequence[Claim], people: int) -> list[float]:
    """Return what each claim waited for; one worker takes all that wait together."""
    left: SimpleQueue[Claim] = SimpleQueue()
    asked: SimpleQueue[tuple[Claim, threading.Event]] = SimpleQueue()
    for claim in claims:
        left.put(claim)
    waited: list[float] = []

    def check_claims() -> None:
        with suppress(Empty):
            while True:
                claim, is_answered = left.get_nowait(), threading.Event()
                started = time.perf_counter()
                asked.put((claim, is_answered))
                is_answered.wait()
                waited.append(time.perf_counter() - started)

    crowd = [threading.Thread(target=check_claims, daemon=True) for _ in range(people)]
    for person in crowd:
        person.start()
    while any(person.is_alive() for person in crowd):
        entries = taken(asked)
        together.judge_all(one.pipeline, [claim for claim, _ in entries])
        one.system.forget()
        for _, is_answered in entries:
            is_answered.set()
    return waited


def taken(asked: SimpleQueue[Entry]) -> list[Entry]:
    """Return what waits; nothing if nobody has asked for a moment."""
    entries: list[Entry] = []
    with suppress(Empty):
        entries.append(asked.get(timeout=0.01))
        while True:
            entries.append(asked.get_nowait())
    return entries


# Weights that know nothing --------------------------------------------------------


def random_system(folder: Path) -> Path:
    """Write a system of the starter's shape with random adapters."""
    parts = {"rationale": ("0", "1"), "label": tuple(map(str, LABELS))}
    values = {
        "name": "random",
        "retrieval": {"parts": ["bm25", "dense"], "rerank": 10},
        "settings": {"k": 3, "threshold": 0.5},
    }
    for name, labels in parts.items():
        data = random_adapter(labels)
        (folder / f"{name}.safetensors").write_bytes(data)
        values[name] = {
            "kind": "transformer",
            "model": f"{name}.safetensors",
            "sha256": sha256(data).hexdigest(),
        }
    (folder / "system.json").write_text(json.dumps(values), encoding="utf-8")
    return folder


def random_adapter(labels: tuple[str, ...]) -> bytes:
    """Return an adapter with random numbers of about the size of learned ones."""
    torch.manual_seed(len(labels))
    model = PairModel(load_encoder(checked_base()), len(labels))
    model.adapt(32)
    for name, parameter in model.named_parameters():
        if name.endswith(".up"):
            torch.nn.init.normal_(parameter, std=0.01)
    torch.nn.init.normal_(model.head.weight, std=0.05)
    return adapter_bytes(model, AdapterInfo(labels, BASE_FINGERPRINT, 160, 32))


if __name__ == "__main__":
    main()
