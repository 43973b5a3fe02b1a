"""``train``: from sources to a folder with an adapter, figures and a model card.

The folder gets ``adapter.safetensors``, ``metrics.json``, ``curve.svg`` and
``README.md``. Everything that is chosen (the epoch, the threshold, the temperature)
is chosen on the held-out fold of the training claims.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from corpus.records import Label
from verification.pipeline.calibration import (
    best_threshold,
    fit_temperature,
    macro_f1,
    precision_threshold,
    sigmoid,
    softmax,
)
from verification.pipeline.curves import learning_curve
from verification.pipeline.encoders.base import Runtime
from verification.pipeline.stages import LABELS, Array
from verification.pipeline.training import Plan, Trainer
from verification.pipeline.training_data import Example, Source, examples

PRECISION = 0.85
"""The precision that a shown label is to have on held-out claims."""

SETS = {
    "snli": "SNLI (dev and test), CC BY-SA 4.0",
    "snli-counterfactual": "Counterfactually-augmented SNLI, Apache-2.0 / CC BY-SA 4.0",
    "mnli-taxinli": "TaxiNLI on MultiNLI, C-UDA 1.0",
    "conjnli": "ConjNLI, MIT; Wikipedia text CC BY-SA",
    "negation-nli": "Negation NLI (SNLI and MNLI parts), MIT",
    "breaking-nli": "Breaking NLI, CC BY-SA 4.0",
    "fever": "FEVER (development pairs), CC BY-SA 3.0",
    "fever-symmetric": "FEVER Symmetric v0.2, CC BY-SA 3.0",
    "sufficient-facts": "SufficientFacts, MIT; Wikipedia text CC BY-SA",
    "fm2": "FoolMeTwice (dev and test), Apache-2.0; Wikipedia text CC BY-SA",
    "pubmedqa": "PubMedQA (expert-labelled), MIT",
    "evidence-inference": "Evidence Inference 2.0 (additions), MIT",
    "clinifact": "CliniFact (train and validation), MIT",
    "scifact": "SciFact (train), CC BY 4.0; abstracts ODC-By 1.0",
    "check-covid": "Check-COVID (train), MIT",
    "healthver": "HealthVer, no licence stated",
    "covidfact": "COVID-Fact, no licence stated",
    "climate-fever": "Climate-FEVER, no licence stated",
}


def train(options: argparse.Namespace) -> None:
    """Run the command with its parsed options."""
    sources = [[Source.parse(text) for text in stage] for stage in options.data]
    epochs = options.epochs or [1] * (len(sources) - 1) + [4]
    if len(epochs) != len(sources):
        raise ValueError("--epochs: give a number for each --data.")
    plan = Plan(
        task=options.task,
        epochs=tuple(epochs),
        seed=options.seed,
        rank=options.rank,
        rate=options.rate,
        batch=options.batch,
        max_tokens=options.max_tokens,
    )
    stages = [
        [e for source in stage for e in examples(source, plan.task, plan.seed)]
        for stage in sources
    ]
    runtime = Runtime.choose(options.device, options.precision)
    base = None if options.base == "minilm-l6" else Path(options.base)
    trainer = Trainer(plan, stages, options.out, runtime, base)
    adapter = trainer.run()
    trainer.load_kept()
    command = f"python -m verification.pipeline train {plan.task}"
    finish(trainer, sources, stages, adapter, command)


def finish(
    trainer: Trainer,
    sources: Sequence[Sequence[Source]],
    stages: Sequence[Sequence[Example]],
    adapter: Path,
    command: str,
) -> None:
    """Choose thresholds on the held-out fold; write figures, curve and card."""
    path = trainer.out / "metrics.json"
    metrics = json.loads(path.read_text(encoding="utf-8"))
    metrics |= {
        "held_out": held_out_figures(trainer) if trainer.held else {},
        "examples": [len(stage) for stage in stages],
        "sha256": sha256(adapter.read_bytes()).hexdigest(),
        "command": command,
        "commit": _commit(),
        "data": [[source.kind for source in stage] for stage in sources],
    }
    path.write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    title = f"Training of the {trainer.plan.task} model"
    curve = learning_curve(metrics["progress"]["history"], title)
    (trainer.out / "curve.svg").write_text(curve, encoding="utf-8")
    (trainer.out / "README.md").write_text(card(metrics, stages), encoding="utf-8")


def held_out_figures(trainer: Trainer) -> dict[str, Any]:
    """Return what is chosen and measured on the held-out fold, as the model stands."""
    truth = np.array(
        [trainer.targets.index(str(e.target)) for e in trainer.held], dtype=np.int64
    )
    judge = label_figures if trainer.plan.task == "label" else rationale_figures
    return judge(trainer.held_out_logits(), truth)


def label_figures(logits: Array, truth: Array) -> dict[str, Any]:
    """Return temperature, abstention threshold and figures of held-out labels.

    A label is shown if it is SUPPORT or CONTRADICT and its probability reaches the
    threshold, the lowest at which at least ``PRECISION`` of the shown are right.
    """
    temperature = fit_temperature(logits, truth)
    rows = softmax(logits, temperature)
    found = rows.argmax(axis=1)
    is_shown = found != LABELS.index(Label.NOT_ENOUGH_INFO)
    threshold, coverage = precision_threshold(
        rows.max(axis=1)[is_shown], (found == truth)[is_shown], PRECISION
    )
    return {
        "temperature": temperature,
        "abstain_below": threshold,
        "coverage_of_suggestions": coverage,
        "accuracy": float((found == truth).mean()),
        "macro_f1": macro_f1(truth, found, len(LABELS)),
        "examples": len(truth),
    }


def rationale_figures(logits: Array, truth: Array) -> dict[str, Any]:
    """Return the threshold with the best F1 on held-out sentences, and the F1."""
    margin, f1 = best_threshold(logits[:, 1] - logits[:, 0], truth)
    threshold = float(sigmoid(np.asarray(margin)))
    return {"threshold": threshold, "f1": f1, "examples": len(truth)}


def _commit() -> str:
    git = ["git", "rev-parse", "--short=12", "HEAD"]
    try:
        found = subprocess.run(git, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def card(metrics: Mapping[str, Any], stages: Sequence[Sequence[Example]]) -> str:
    """Return the model card of a run."""
    plan, held = metrics["plan"], metrics["held_out"]
    lines = [
        f"# A {plan['task']} model on MiniLM-L6",
        "",
        f"Low-rank corrections (rank {plan['rank']}) of all layers of the packaged "
        f"MiniLM-L6 and a comparing head, trained with `{metrics['command']}` at "
        f"commit {metrics['commit']}, seed {plan['seed']}.",
        "",
        f"Weights: `adapter.safetensors`, sha256 `{metrics['sha256']}`.",
        "",
        "| stage | data | examples | epochs |",
        "| --- | --- | --- | --- |",
    ]
    for number, (kinds, stage) in enumerate(
        zip(metrics["data"], stages, strict=True), 1
    ):
        names = "; ".join(dict.fromkeys(SETS.get(kind, kind) for kind in kinds))
        epochs = plan["epochs"][number - 1]
        lines.append(f"| {number} | {names} | {len(stage)} | {epochs} |")
    counts = Counter(str(example.target) for example in stages[-1])
    shares = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    lines += ["", f"Targets of the last stage: {shares}.", ""]
    lines.append(
        "Chosen and measured on one fold of the training claims (whole abstracts), "
        "which was held out:"
    )
    lines += ["", "| figure | value |", "| --- | --- |"]
    lines += [f"| {name} | {_shown(value)} |" for name, value in held.items()]
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
