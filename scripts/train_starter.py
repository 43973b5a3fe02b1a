"""Train the starter system: two adapters on MiniLM-L6, tuned on training claims only.

Usage: ``python -m scripts.train_starter OUT [--base FOLDER] [--quick]``, with the
public data sets in ``../shared/data`` (or ``CLAIMDESK_SHARED``). OUT gets a folder for
each run and ``system/`` with ``system.json``, both adapters, the model card, and
``training.json``, digests of all training claims; nothing in the repository is changed.
A killed run goes on where it was. On two idle CPU cores a whole run takes an hour, on a
GPU minutes. ``--base`` takes MiniLM-L6 from a folder, for machines without its package.
``--training-list`` trains nothing: it writes ``training.json`` into the folder OUT.

Only sets whose licence lets shipped weights be trained on them are read.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from verification.pipeline.__main__ import main as pipeline
from verification.pipeline.encoders.adapted import PairModel, read_adapter
from verification.pipeline.encoders.base import (
    Batcher,
    Runtime,
    checked_base,
    load_encoder,
)
from verification.pipeline.encoders.models import TorchClassifier
from verification.pipeline.files import read_claims, read_corpus
from verification.pipeline.rationale import TransformerSelector
from verification.pipeline.trained_on import TrainedOn
from verification.pipeline.training import Plan
from verification.pipeline.training_data import Example, Source, examples
from verification.pipeline.tuning import Tuned, tune_selection

REPO = Path(__file__).resolve().parent.parent
LIMIT_BYTES = 6_000_000

RECIPE: dict[str, list[tuple[int, dict[str, str]]]] = {
    "rationale": [
        (1, {"fm2": "nli/fm2:6000", "check-covid": "check-covid"}),
        (8, {"scifact": "scifact"}),
    ],
    "label": [
        (
            1,
            {
                "snli": "nli/snli:8000",
                "snli-counterfactual": "nli/snli-counterfactual",
                "mnli-taxinli": "nli/mnli-taxinli",
                "negation-nli": "nli/negation-nli",
                "conjnli": "nli/conjnli:2000",
            },
        ),
        (
            1,
            {
                "fever": "fever/fever_dev_pairs.jsonl:10000",
                "fever-symmetric": "nli/fever-symmetric",
                "sufficient-facts": "nli/sufficient-facts",
                "fm2": "nli/fm2",
                "pubmedqa": "nli/pubmedqa",
                "evidence-inference": "nli/evidence-inference-v2",
                "clinifact": "nli/clinifact",
            },
        ),
        (8, {"scifact": "scifact", "check-covid": "check-covid"}),
    ],
}
WITH_IDS = frozenset({"scifact", "check-covid"})
"""The sources whose groups are the ids of abstracts."""
PRECISION = "bf16"
"""Of the multiplications; weights and their updates are kept in fp32."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--base", help="a folder with MiniLM-L6")
    parser.add_argument("--quick", action="store_true", help="a tenth, to try it out")
    parser.add_argument("--training-list", action="store_true")
    options = parser.parse_args()
    shared = Path(os.environ.get("CLAIMDESK_SHARED", REPO.parent / "shared")) / "data"
    if options.training_list:
        trained_on(shared, is_quick=options.quick).write(options.out)
        return 0
    for task in RECIPE:
        code = pipeline(_arguments(task, shared, options))
        if code:
            return code
    system = options.out / "system"
    _assemble(options.out, system, shared, options.base)
    trained_on(shared, is_quick=options.quick).write(system)
    size = sum(path.stat().st_size for path in system.iterdir())
    sys.stdout.write(f"{system}: {size:,} bytes, at most {LIMIT_BYTES:,} are wanted\n")
    return 0 if size <= LIMIT_BYTES else 1


def _arguments(task: str, shared: Path, options: argparse.Namespace) -> list[str]:
    arguments = ["train", task, "--out", str(options.out / task), "--epochs"]
    arguments += [str(1 if options.quick else epochs) for epochs, _ in RECIPE[task]]
    arguments += ["--precision", PRECISION]
    if options.base:
        arguments += ["--base", options.base]
    for stage in _sources(task, shared, is_quick=options.quick):
        arguments += ["--data", *stage]
    return arguments


def _sources(task: str, shared: Path, *, is_quick: bool) -> list[list[str]]:
    """Return the sources of each stage, as ``train`` reads them."""
    return [
        [
            f"{kind}:{shared}/{path.split(':')[0]}:200"
            if is_quick
            else f"{kind}:{shared}/{path}"
            for kind, path in sources.items()
        ]
        for _, sources in RECIPE[task]
    ]


def trained_on(shared: Path, *, is_quick: bool = False) -> TrainedOn:
    """Return what the recipe learns from: its claims, and abstracts that have ids."""
    found = TrainedOn()
    for task in RECIPE:
        for stage in _sources(task, shared, is_quick=is_quick):
            for text in stage:
                source = Source.parse(text)
                read = examples(source, task, seed=0)
                with_ids = read if source.kind in WITH_IDS else []
                found = found.with_also(
                    TrainedOn.of((e.claim for e in read), (e.group for e in with_ids))
                )
    return found


def _assemble(out: Path, system: Path, shared: Path, base: str | None) -> None:
    """Tune the sentence combination on the held-out fold and write the system."""
    system.mkdir(exist_ok=True)
    metrics = {}
    digests = {}
    for task in RECIPE:
        data = (out / task / "adapter.safetensors").read_bytes()
        (system / f"{task}.safetensors").write_bytes(data)
        digests[task] = sha256(data).hexdigest()
        text = (out / task / "metrics.json").read_text(encoding="utf-8")
        metrics[task] = json.loads(text)
    plan = Plan(**metrics["rationale"]["plan"])
    selector = _selector(system / "rationale.safetensors", base)
    documents = read_corpus(shared / "scifact" / "corpus.jsonl")
    # Only claims all of whose abstracts were held out: the model has not seen them.
    claims = [
        claim
        for claim in read_claims(shared / "scifact" / "claims_train.jsonl")
        if claim.evidence
        and all(
            Example(e.document.text, "", "", "").fold(plan.folds) == plan.held_out
            for e in claim.evidence
        )
    ]
    tuned = tune_selection(selector, claims, documents)
    values = _values(tuned, digests, metrics["label"]["held_out"])
    text = json.dumps(values, indent=1) + "\n"
    (system / "system.json").write_text(text, encoding="utf-8")
    cards = [(out / task / "README.md").read_text(encoding="utf-8") for task in RECIPE]
    note = (
        f"\nSentences are chosen by a logistic regression over the model's margin and "
        f"the place in the abstract: F1 {tuned.f1:.4f} on {len(claims)} held-out "
        f"training claims (cross-fitted); {tuned.f1_of_margin:.4f} by the margin.\n"
    )
    (system / "README.md").write_text("\n".join(cards) + note, encoding="utf-8")
    for task in RECIPE:
        shutil.copy(out / task / "curve.svg", system / f"{task}-curve.svg")


def _values(
    tuned: Tuned, digests: dict[str, str], label: dict[str, Any]
) -> dict[str, Any]:
    """Return what ``system.json`` holds."""
    return {
        "name": "starter",
        "retrieval": {"parts": ["bm25", "dense"], "rerank": 10},
        "rationale": {
            "kind": "transformer",
            "model": "rationale.safetensors",
            "sha256": digests["rationale"],
            "combination": {
                "weights": list(tuned.combination.weights),
                "bias": tuned.combination.bias,
            },
        },
        "label": {
            "kind": "transformer",
            "model": "label.safetensors",
            "sha256": digests["label"],
            "temperature": label["temperature"],
            "abstain_below": label["abstain_below"],
        },
        "settings": {"k": 3, "threshold": tuned.threshold},
    }


def _selector(path: Path, base: str | None) -> TransformerSelector:
    folder = Path(base) if base else checked_base()
    tensors, info = read_adapter(path)
    model = PairModel(load_encoder(folder), len(info.labels))
    model.load_adapter(tensors, merge=True)
    batcher = Batcher.of_folder(folder, info.max_tokens)
    runtime = Runtime.choose()
    return TransformerSelector(TorchClassifier(model, batcher, info.labels, runtime))


if __name__ == "__main__":
    sys.exit(main())
