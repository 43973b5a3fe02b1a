"""Training further: one part of a system, on examples of one's own.

The new part and the current one are measured on the same held-out fold, whole
abstracts at a time, from which nothing is learned. Temperature and thresholds of the
new part are chosen there, as always.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.pipeline.encoders.adapted import read_adapter
from verification.pipeline.encoders.base import Runtime
from verification.pipeline.trained_on import TrainedOn, read_trained_on
from verification.pipeline.training import Plan, Trainer
from verification.pipeline.training_data import Example, Source, split_folds
from verification.pipeline.training_run import finish, held_out_figures

NEEDED = 20
"""The fewest claims that anything is learned from."""
MEASURE = {"label": "macro_f1", "rationale": "f1"}
OTHER = {"label": "rationale", "rationale": "label"}
GENTLE = {"rate": 3e-4, "head_rate": 1e-4}
"""Learning rates for weights that have learned already."""


class TooLittleError(ValueError):
    """Examples that nothing can be learned from, or measured on."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be trained: ``base`` and ``values`` are the current system.

    ``source`` says in the model card what it learns from.
    """

    task: str
    name: str
    base: Path
    values: Mapping[str, Any]
    source: str
    runtime: Runtime
    from_scratch: bool = False
    epochs: int = 4
    seed: int = 0

    @property
    def part(self) -> Mapping[str, Any]:
        """The part of the current system that is to be replaced."""
        part: Mapping[str, Any] = self.values[self.task]
        return part

    @property
    def adapter(self) -> Path | None:
        """Its weights, if they are an adapter of ours."""
        return self.base / str(self.part["model"]) if "sha256" in self.part else None

    def plan(self) -> Plan:
        """The settings of the run: the shape is that of the current adapter."""
        shape: dict[str, Any] = {}
        if self.adapter is not None:
            _, info = read_adapter(self.adapter)
            shape = {"rank": info.rank, "max_tokens": info.max_tokens}
            shape |= {} if self.from_scratch else GENTLE
        return Plan(task=self.task, epochs=(self.epochs,), seed=self.seed, **shape)


@dataclass(frozen=True, slots=True)
class Compared:
    """Both parts on the held-out examples; ``current`` only if it is of ours."""

    current: float | None
    new: float
    n_examples: int
    n_held_out: int


def require_enough(found: Sequence[Example], plan: Plan) -> None:
    """Raise ``TooLittleError`` unless a model can learn from the examples."""
    claims = len({example.claim for example in found})
    if claims < NEEDED:
        raise TooLittleError(
            f"{claims} claims to learn from are too few; at least {NEEDED} are needed."
        )
    kept, held = split_folds(found, plan.held_out, plan.folds)
    for part, name in ((kept, "to learn from"), (held, "to measure on")):
        if len({example.target for example in part}) < 2:
            raise TooLittleError(
                f"What there is {name} has one answer only. More abstracts are needed, "
                "with more than one label."
            )


def train_further(wanted: Wanted, found: Sequence[Example], folder: Path) -> Compared:
    """Write a system with a new part into ``folder``, where there is nothing yet.

    The folder appears when it is complete.
    """
    plan = wanted.plan()
    require_enough(found, plan)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        compared = _train(wanted, plan, found, draft)
        os.rename(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return compared


def _train(
    wanted: Wanted, plan: Plan, found: Sequence[Example], draft: Path
) -> Compared:
    current = _current(wanted, plan, found, draft)
    trainer = Trainer(plan, [found], draft, wanted.runtime)
    if wanted.adapter is not None and not wanted.from_scratch:
        trainer.start_from(wanted.adapter)
    adapter = trainer.run()
    trainer.load_kept()
    command = f"manage.py train {wanted.task}"
    finish(trainer, [[Source(wanted.source, draft)]], [found], adapter, command)
    metrics = json.loads((draft / "metrics.json").read_text(encoding="utf-8"))
    _write_system(wanted, metrics, found, draft)
    new = float(metrics["held_out"][MEASURE[wanted.task]])
    return Compared(current, new, len(found), len(trainer.held))


def _current(
    wanted: Wanted, plan: Plan, found: Sequence[Example], draft: Path
) -> float | None:
    """Return the figure of the current part, measured as the new one's is."""
    if wanted.adapter is None:
        return None
    trainer = Trainer(plan, [found], draft, wanted.runtime)
    trainer.start_from(wanted.adapter)
    return float(held_out_figures(trainer)[MEASURE[wanted.task]])


# The folder of the system ---------------------------------------------------------


def _write_system(
    wanted: Wanted, metrics: Mapping[str, Any], found: Sequence[Example], draft: Path
) -> None:
    weights = f"{wanted.task}.safetensors"
    os.rename(draft / "adapter.safetensors", draft / weights)
    values = dict(wanted.values) | {"name": wanted.name, "title": wanted.name}
    values[OTHER[wanted.task]] = _other_part(wanted, draft)
    part = {"kind": "transformer", "model": weights, "sha256": metrics["sha256"]}
    chosen = metrics["held_out"]
    if wanted.task == "label":
        names = ("temperature", "abstain_below")
        part |= {name: chosen[name] for name in names}
    else:
        values["settings"] = {
            **wanted.values.get("settings", {}),
            "threshold": chosen["threshold"],
        }
    values[wanted.task] = part
    text = json.dumps(values, indent=1) + "\n"
    (draft / "system.json").write_text(text, encoding="utf-8")
    before = read_trained_on(wanted.base, wanted.values) or TrainedOn()
    own = TrainedOn.of((e.claim for e in found), (e.group for e in found))
    before.with_also(own).write(draft)


def _other_part(wanted: Wanted, draft: Path) -> Mapping[str, Any]:
    """Copy the files of the part that stays, and return what it says."""
    part: Mapping[str, Any] = wanted.values[OTHER[wanted.task]]
    local = wanted.base / str(part.get("model", ""))
    if "model" not in part:
        return part
    if local.is_file():
        name = f"{OTHER[wanted.task]}.safetensors"
        shutil.copyfile(local, draft / name)
        return {**part, "model": name}
    if local.is_dir():
        shutil.copytree(local, draft / local.name)
    return part
