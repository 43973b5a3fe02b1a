"""Measure the scorer: the bootstrap as a ratio, the command, and a huge file.

Run from the repository root: ``python -m benchmarks.scoring``. Needs the SciFact
claims in ``../shared/data``; predictions are made from the gold by a seed.

* 10,000 resamples of SciFact dev (300 claims) in matrix products, against scoring
  resampled claims one by one in a loop, extrapolated from 200 (aim: 100 times
  faster, under 0.5 s).
* Validating and scoring 300 claims as a command, best of five (aim: under 0.5 s).
* Validating 100 MB of predictions for 100,000 claims as a command (aim: 20 MB/s or
  more in under 300 MB of memory).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.paths import REPO, SHARED
from verification.scoring import scifact
from verification.scoring.bootstrap import bootstrap
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.tasks import Rules

DEV = SHARED / "data" / "scifact" / "claims_dev.jsonl"
RESAMPLES = 10_000
LOOPED = 200
CLAIMS = 100_000
BYTES_PER_LINE = 1000
# Runs a command and prints the peak of its memory in kilobytes.
MEASURED = """
import resource, sys
from verification.scoring.__main__ import main
code = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def perturbed(gold: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a prediction that is right here and wrong there."""
    evidence: dict[str, Any] = {}
    for document, rationales in gold["evidence"].items():
        if rng.random() < 0.8:
            sentences = rationales[0]["sentences"] + [rng.randrange(12)]
            label = rng.choice([rationales[0]["label"], "SUPPORT"])
            evidence[document] = {"sentences": sentences, "label": label}
    if rng.random() < 0.3:
        document = str(rng.randrange(10**6))
        evidence[document] = {"sentences": [0, 1], "label": "SUPPORT"}
    return {"id": gold["id"], "evidence": evidence}


def timed(run: Callable[[], object]) -> float:
    """Return the seconds of one run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare_bootstrap(gold: list[Any], predictions: list[Any]) -> None:
    """Print both ways of resampling and their ratio."""
    rules, place = Rules(), Place(Findings(), "", None)
    pairs = [
        (
            scifact.parse_gold(truth, place, rules) or {},
            scifact.parse_prediction(prediction, place, rules) or {},
        )
        for truth, prediction in zip(gold, predictions, strict=True)
    ]
    rows: dict[ClaimId, Sequence[float]] = {
        n: scifact.pipeline_counts(truth, prediction, scifact.cap_of_shortest)
        for n, (truth, prediction) in enumerate(pairs)
    }
    score = scifact.TASK.score_rows(rows)
    measure = score.measure
    assert measure is not None
    fast = min(
        timed(lambda: bootstrap(measure, len(pairs), resamples=RESAMPLES))
        for _ in range(3)
    )
    rng = random.Random(0)

    def loop() -> None:
        for _ in range(LOOPED):
            drawn = rng.choices(pairs, k=len(pairs))
            counts = [
                scifact.pipeline_counts(truth, prediction, scifact.cap_of_shortest)
                for truth, prediction in drawn
            ]
            scifact.aggregate(np.array(counts, dtype=float).sum(axis=0))

    each = timed(loop) / LOOPED
    print(f"bootstrap: {RESAMPLES} resamples of {len(pairs)} claims in {fast:.3f} s")
    print(f"loop: {each * 1000:.2f} ms for each of {LOOPED} runs")
    print(f"ratio: {each * RESAMPLES / fast:.0f} (aim 100)")


def measure_command(folder: Path, gold: Path, predictions: list[Any]) -> None:
    """Print the time of scoring as a command."""
    path = folder / "predictions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in predictions))
    command = [sys.executable, "-m", "verification.scoring", "score", "--json"]
    command += ["--task", "scifact_pipeline"]
    command += ["--gold", str(gold), "--predictions", str(path)]

    def run() -> None:
        subprocess.run(command, cwd=REPO, check=True, capture_output=True)

    before = os.times()
    best = min(timed(run) for _ in range(5))
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    print(f"command, {len(predictions)} claims: best of 5 {best:.2f} s", end="; ")
    print(f"processor time {spent / 5:.2f} s (aim 0.5)")


def measure_huge_file(folder: Path) -> None:
    """Print speed and memory of validating a file of 100 MB."""
    rng = random.Random(0)
    claims, predictions = folder / "claims.jsonl", folder / "huge.jsonl"
    with claims.open("w") as claims_file, predictions.open("w") as file:
        for n in range(CLAIMS):
            claims_file.write(json.dumps({"id": n, "claim": "…"}) + "\n")
            file.write(json.dumps(long_prediction(n, rng)) + "\n")
    size = predictions.stat().st_size / 1e6
    command = [sys.executable, "-c", MEASURED, "validate", "--json"]
    command += ["--task", "scifact_pipeline", "--claims", str(claims)]
    command += ["--predictions", str(predictions)]
    before = os.times()
    start = time.perf_counter()
    result = subprocess.run(
        command, cwd=REPO, check=True, capture_output=True, text=True
    )
    wall = time.perf_counter() - start
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    peak = int(result.stderr.split()[-1]) / 1024
    print(f"{size:.0f} MB, {CLAIMS} claims: {size / wall:.0f} MB/s", end="; ")
    print(f"{size / spent:.0f} MB per second of processor time (aim 20)", end="; ")
    print(f"peak {peak:.0f} MB (aim 300)")


def long_prediction(claim: int, rng: random.Random) -> dict[str, Any]:
    """Return a prediction of about ``BYTES_PER_LINE`` bytes."""
    evidence: dict[str, Any] = {}
    length = 0
    while length < BYTES_PER_LINE:
        sentences = sorted(rng.sample(range(20), 3))
        entry = {"sentences": sentences, "label": "SUPPORT"}
        evidence[str(rng.randrange(10**6))] = entry
        length += 57
    return {"id": claim, "evidence": evidence}


def main() -> None:
    """Run all three."""
    gold = [json.loads(line) for line in DEV.read_text().splitlines()]
    rng = random.Random(0)
    predictions = [perturbed(truth, rng) for truth in gold]
    compare_bootstrap(gold, predictions)
    with tempfile.TemporaryDirectory() as name:
        measure_command(Path(name), DEV, predictions)
        measure_huge_file(Path(name))


if __name__ == "__main__":
    main()
