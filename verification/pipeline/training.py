"""Training of the two models: low-rank corrections of MiniLM-L6 and a head.

A run goes through stages (general pairs first, the task last). One fold of the
last stage's examples, whole abstracts at a time, is held out: it decides which
epoch is kept and, afterwards, thresholds and temperatures. Runs are seeded, save
themselves and go on after a kill where they were, with the same batches.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from verification.pipeline.calibration import best_threshold, macro_f1
from verification.pipeline.encoders.adapted import (
    AdapterInfo,
    PairModel,
    adapter_bytes,
    read_adapter,
)
from verification.pipeline.encoders.base import (
    Batcher,
    Encoded,
    Runtime,
    by_length,
    checked_base,
    fingerprint,
    load_encoder,
)
from verification.pipeline.encoders.models import TorchClassifier
from verification.pipeline.stages import Array
from verification.pipeline.training_data import (
    LABELS,
    LEFT,
    SELECTED,
    Example,
    split_folds,
)

TARGETS = {"label": tuple(map(str, LABELS)), "rationale": (LEFT, SELECTED)}


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a run; the same plan and data give the same batches."""

    task: str
    epochs: tuple[int, ...]
    seed: int = 0
    rank: int = 32
    rate: float = 1e-3
    head_rate: float = 2e-4
    batch: int = 16
    max_tokens: int = 160
    folds: int = 5
    held_out: int = 0
    patience: int = 2
    negatives: float = 3.0
    save_every: int = 200


@dataclass(slots=True)
class Progress:
    """Where a run stands, as its checkpoint keeps it."""

    stage: int = 0
    epoch: int = 0
    step: int = 0
    best: float = -1.0
    best_epoch: int = -1
    history: list[dict[str, Any]] = field(default_factory=list)


class Trainer:
    """One run in one folder."""

    def __init__(
        self,
        plan: Plan,
        stages: Sequence[Sequence[Example]],
        out: Path,
        runtime: Runtime,
        base: Path | None = None,
    ) -> None:
        if len(plan.epochs) != len(stages):
            raise ValueError("Each stage needs its number of epochs.")
        self.plan, self.out, self.runtime = plan, out, runtime
        self.targets = TARGETS[plan.task]
        self.base = base or checked_base()
        kept, self.held = split_folds(stages[-1], plan.held_out, plan.folds)
        held_texts = {(e.claim, e.text) for e in self.held}
        self.stages = [
            [e for e in stage if (e.claim, e.text) not in held_texts]
            for stage in (*stages[:-1], kept)
        ]
        self.progress = Progress()
        torch.manual_seed(plan.seed)
        self.batcher = Batcher.of_folder(self.base, plan.max_tokens)
        encoder = load_encoder(self.base)
        self.fingerprint = fingerprint(encoder)
        self.model = PairModel(encoder, len(self.targets))
        self.model.adapt(plan.rank)
        self.model.to(runtime.device)
        self.optimizer = self._optimizer()

    def _optimizer(self) -> torch.optim.Optimizer:
        head = list(self.model.head.parameters())
        low_rank = [p for p in self.model.encoder.parameters() if p.requires_grad]
        return torch.optim.AdamW(
            [
                {"params": low_rank, "base": self.plan.rate},
                {"params": head, "base": self.plan.head_rate},
            ],
            lr=self.plan.rate,
            weight_decay=0.01,
        )

    def start_from(self, path: Path) -> None:
        """Begin with an adapter that was trained before, of the same shape."""
        tensors, info = read_adapter(path)
        shape = (self.targets, self.fingerprint, self.plan.rank)
        if (info.labels, info.base, info.rank) != shape:
            raise ValueError(
                f"{path} has other labels, another base or another rank, so this run "
                "cannot go on from it."
            )
        self.model.load_adapter(tensors, merge=False)

    def run(self) -> Path:
        """Train to the end and return the file of the kept adapter."""
        self.out.mkdir(parents=True, exist_ok=True)
        self._resume()
        place = self.progress
        while place.stage < len(self.stages):
            is_last = place.stage == len(self.stages) - 1
            encoded = self._encoded(self.stages[place.stage])
            while place.epoch < self.plan.epochs[place.stage]:
                self._epoch(encoded)
                self._judge(is_last)
                place.epoch, place.step = place.epoch + 1, 0
                self._save()
                if is_last and self._has_stalled():
                    break
            place.stage, place.epoch, place.step = place.stage + 1, 0, 0
            if place.stage < len(self.stages):
                self.optimizer = self._optimizer()
                self._save()
        (self.out / "checkpoint.pt").unlink(missing_ok=True)
        return self.out / "adapter.safetensors"

    def _has_stalled(self) -> bool:
        place = self.progress
        return bool(self.held) and place.epoch - place.best_epoch > self.plan.patience

    def _encoded(self, found: Sequence[Example]) -> list[tuple[Encoded, int]]:
        rows = self.batcher.encode([(e.claim, e.text) for e in found])
        return [
            (row, self.targets.index(str(e.target)))
            for row, e in zip(rows, found, strict=True)
        ]

    # One epoch -----------------------------------------------------------------

    def _epoch(self, data: Sequence[tuple[Encoded, int]]) -> None:
        plan, place = self.plan, self.progress
        batches = list(self._batches(data))
        counts = Counter(data[n][1] for batch in batches for n in batch)
        weights = torch.tensor(
            [
                (counts.total() / max(1, counts[n]) / len(self.targets)) ** 0.5
                for n in range(len(self.targets))
            ]
        ).to(self.runtime.device)
        total = plan.epochs[place.stage] * len(batches)
        started, losses = time.monotonic(), []
        self.model.train()
        for number in range(place.step, len(batches)):
            # The dropout of a step depends on the step alone: a run that goes on
            # after a kill is the run that was not killed.
            torch.manual_seed(
                ((plan.seed * 97 + place.stage) * 97 + place.epoch) * 1_000_003 + number
            )
            share = (place.epoch * len(batches) + number) / total
            self._set_rate(min(share / 0.06, 1.0 - share))
            losses.append(self._step([data[n] for n in batches[number]], weights))
            place.step = number + 1
            if place.step % plan.save_every == 0:
                self._save()
            if place.step % 20 == 0 or place.step == len(batches):
                self._tell(len(batches), losses, started)
        place.history.append(
            {
                "stage": place.stage,
                "epoch": place.epoch,
                "loss": float(np.mean(losses)) if losses else None,
            }
        )

    def _batches(self, data: Sequence[tuple[Encoded, int]]) -> Iterator[list[int]]:
        """Yield batches of similar length; the same for the same plan and place."""
        plan, place = self.plan, self.progress
        lengths = [len(row.ids) for row, _ in data]
        chance = random.Random(f"{plan.seed} {place.stage} {place.epoch}")  # noqa: S311
        order = self._drawn(data, chance)
        chance.shuffle(order)
        pool = plan.batch * 32
        batches = []
        for start in range(0, len(order), pool):
            part = sorted(order[start : start + pool], key=lambda n: lengths[n])
            batches += [
                part[n : n + plan.batch] for n in range(0, len(part), plan.batch)
            ]
        chance.shuffle(batches)
        yield from batches

    def _drawn(
        self, data: Sequence[tuple[Encoded, int]], chance: random.Random
    ) -> list[int]:
        """Return the examples of an epoch: of sentences not all negatives."""
        if self.plan.task == "label":
            return list(range(len(data)))
        chosen = [n for n, (_, target) in enumerate(data) if target]
        others = [n for n, (_, target) in enumerate(data) if not target]
        count = min(len(others), round(self.plan.negatives * len(chosen)))
        return chosen + chance.sample(others, count)

    def _set_rate(self, factor: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * max(factor, 0.02)

    def _step(self, rows: list[tuple[Encoded, int]], weights: torch.Tensor) -> float:
        batch = self.batcher.tensors([row for row, _ in rows], self.runtime.device)
        targets = torch.tensor([target for _, target in rows])
        with self.runtime.autocast():
            logits = self.model(batch)
        loss = F.cross_entropy(
            logits, targets.to(logits.device), weight=weights, label_smoothing=0.05
        )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(loss.detach())

    def _tell(self, steps: int, losses: Sequence[float], started: float) -> None:
        place = self.progress
        rate = len(losses) / max(time.monotonic() - started, 1e-9)
        end = "\n" if place.step == steps or not sys.stderr.isatty() else "\r"
        sys.stderr.write(
            f"stage {place.stage + 1}/{len(self.stages)} epoch {place.epoch + 1} "
            f"step {place.step}/{steps} loss {np.mean(losses[-50:]):.4f} "
            f"{rate:.1f} steps/s{end}"
        )
        sys.stderr.flush()

    # Judging and keeping -------------------------------------------------------

    def _judge(self, is_last: bool) -> None:
        if not self.held:
            self._keep()
            return
        logits = self.held_out_logits()
        truth = np.array([self.targets.index(str(e.target)) for e in self.held])
        if self.plan.task == "label":
            value = macro_f1(truth, logits.argmax(1), len(self.targets))
        else:
            value = best_threshold(logits[:, 1] - logits[:, 0], truth)[1]
        self.progress.history[-1]["held_out"] = value
        sys.stderr.write(f"held out: {value:.4f}\n")
        if not is_last or value > self.progress.best:
            if is_last:
                self.progress.best = value
                self.progress.best_epoch = self.progress.epoch
            self._keep()

    def held_out_logits(self) -> Array:
        """Return the logits of the held-out examples."""
        self.model.eval()
        rows = self.batcher.encode([(e.claim, e.text) for e in self.held])
        found = np.zeros((len(rows), len(self.targets)), dtype=np.float32)
        for numbers in by_length([len(row.ids) for row in rows], 4096):
            batch = self.batcher.tensors(
                [rows[n] for n in numbers], self.runtime.device
            )
            with torch.inference_mode(), self.runtime.autocast():
                found[numbers] = self.model(batch).float().cpu().numpy()
        return found

    def _keep(self) -> None:
        info = AdapterInfo(
            self.targets, self.fingerprint, self.plan.max_tokens, self.plan.rank
        )
        path = self.out / "adapter.safetensors"
        _replace(path, adapter_bytes(self.model, info))
        metrics = {"plan": asdict(self.plan), "progress": asdict(self.progress)}
        text = json.dumps(metrics, indent=1) + "\n"
        _replace(self.out / "metrics.json", text.encode())

    def _save(self) -> None:
        state = {
            "learned": {
                name: parameter.detach()
                for name, parameter in self.model.named_parameters()
                if parameter.requires_grad
            },
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
            "plan": asdict(self.plan),
        }
        path = self.out / "checkpoint.pt"
        torch.save(state, path.with_suffix(".new"))
        os.replace(path.with_suffix(".new"), path)

    def _resume(self) -> None:
        path = self.out / "checkpoint.pt"
        if not path.is_file():
            return
        state = torch.load(path, map_location=self.runtime.device, weights_only=True)
        if state["plan"] != asdict(self.plan):
            raise ValueError(f"{path} belongs to a run with other settings.")
        self.model.load_state_dict(state["learned"], strict=False)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        sys.stderr.write(f"going on at step {self.progress.step}\n")

    def load_kept(self) -> None:
        """Go back to the epoch that was kept."""
        tensors, _ = read_adapter(self.out / "adapter.safetensors")
        self.model.load_adapter(tensors, merge=False)

    def classifier(self) -> TorchClassifier:
        """Return the model as it stands, for scoring."""
        return TorchClassifier(self.model, self.batcher, self.targets, self.runtime)


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)
