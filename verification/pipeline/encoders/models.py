"""Models over (claim, text) pairs, ready to run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from verification.pipeline.encoders.adapted import PairModel, read_adapter
from verification.pipeline.encoders.base import (
    BASE_FINGERPRINT,
    BATCH_TOKENS,
    MAX_TOKENS,
    Batcher,
    Encoded,
    Runtime,
    TextPair,
    by_length,
    check_file,
    checked_base,
    in_halves,
    load_encoder,
    quiet,
)
from verification.pipeline.stages import Array, ModelFileError


@dataclass(slots=True)
class TorchClassifier:
    """Runs a module over pairs: batches by length, results in order, cached."""

    module: nn.Module
    batcher: Batcher
    labels: tuple[str, ...]
    runtime: Runtime = field(default_factory=Runtime)
    batch_tokens: int = BATCH_TOKENS
    cache_size: int = 200_000
    _cache: dict[TextPair, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.module.eval()
        self.module.to(self.runtime.device)

    def logits(self, pairs: Sequence[TextPair]) -> Array:
        """Return one row of logits for each pair, in the order of the pairs."""
        if not pairs:
            return np.zeros((0, len(self.labels)), dtype=np.float32)
        missing = list(dict.fromkeys(p for p in pairs if p not in self._cache))
        if len(self._cache) + len(missing) > self.cache_size:
            self._cache.clear()
            missing = list(dict.fromkeys(pairs))
        rows = self.batcher.encode(missing)
        for batch in by_length([len(row.ids) for row in rows], self.batch_tokens):
            found = in_halves(self._forward, [rows[n] for n in batch])
            for number, values in zip(batch, found, strict=True):
                self._cache[missing[number]] = values
        return np.stack([self._cache[pair] for pair in pairs])

    def forget(self) -> None:
        """Drop the known pairs, so that the next result depends on its pairs alone.

        Sums in another order differ in their last bits.
        """
        self._cache.clear()

    def _forward(self, rows: list[Encoded]) -> Array:
        batch = self.batcher.tensors(rows, self.runtime.device)
        with torch.inference_mode(), self.runtime.autocast():
            found = self.module(batch)
        values: Array = found.float().cpu().numpy()
        return values


def load_adapted(path: Path, digest: str, runtime: Runtime) -> TorchClassifier:
    """Return the model of an adapter's file, refusing altered files."""
    check_file(path, digest)
    tensors, info = read_adapter(path)
    if info.base != BASE_FINGERPRINT:
        raise ModelFileError(f"{path} was trained on another base model.")
    folder = checked_base()
    model = PairModel(load_encoder(folder), len(info.labels))
    model.load_adapter(tensors, merge=True)
    batcher = Batcher.of_folder(folder, info.max_tokens)
    return TorchClassifier(model, batcher, info.labels, runtime)


class _Logits(nn.Module):
    """A Hugging Face model that returns its logits only."""

    def __init__(self, model: nn.Module, takes_types: bool) -> None:
        super().__init__()
        self.model = model
        self.takes_types = takes_types

    def forward(self, batch: Mapping[str, Tensor]) -> Tensor:
        inputs = dict(batch)
        if not self.takes_types:
            inputs.pop("token_type_ids")
        logits: Tensor = self.model(**inputs).logits
        return logits


def load_sequence_classifier(
    name: str, runtime: Runtime, max_tokens: int = MAX_TOKENS
) -> TorchClassifier:
    """Return any sequence-classification model, by id or folder.

    The labels are those of its configuration; a label map in the system's settings
    says what they mean.
    """
    quiet()
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    is_local = os.path.isdir(name)
    model = AutoModelForSequenceClassification.from_pretrained(
        name, dtype=torch.float32, local_files_only=is_local
    )
    fast = AutoTokenizer.from_pretrained(name, local_files_only=is_local)
    tokenizer = fast.backend_tokenizer
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    labels = tuple(model.config.id2label[n] for n in range(model.config.num_labels))
    takes_types = getattr(model.config, "type_vocab_size", 1) > 1
    batcher = Batcher(tokenizer, max_tokens, fast.pad_token_id or 0)
    return TorchClassifier(_Logits(model, takes_types), batcher, labels, runtime)
