"""Vectors of texts, for dense retrieval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from verification.pipeline.encoders.base import (
    BASE_SHA256,
    BATCH_TOKENS,
    Batcher,
    Encoded,
    Runtime,
    by_length,
    checked_base,
    in_halves,
    load_encoder,
)
from verification.pipeline.stages import Array

DENSE_TOKENS = 128
"""How much of a text is read; the encoder was trained on texts of this length."""
SLICE = 8192
"""How many texts are encoded at a time."""


@dataclass(slots=True)
class Embedder:
    """MiniLM's vectors of texts: the mean of their tokens, at length one."""

    encoder: nn.Module
    batcher: Batcher
    runtime: Runtime = field(default_factory=Runtime)

    @property
    def name(self) -> str:
        """What tells these vectors from others: weights, length and precision."""
        precision = self.runtime.precision
        return f"minilm-l6-{BASE_SHA256[:8]}-{self.batcher.max_tokens}-{precision}"

    @classmethod
    def load(cls, runtime: Runtime) -> Embedder:
        """Return the packaged encoder."""
        folder = checked_base()
        batcher = Batcher.of_folder(folder, DENSE_TOKENS)
        return cls(load_encoder(folder), batcher, runtime)

    def __post_init__(self) -> None:
        self.encoder.eval()
        self.encoder.to(self.runtime.device)

    def vectors(self, texts: Iterable[str]) -> Array:
        """Return one vector for each text, in the order of the texts.

        Texts are read in slices, so that memory holds the words of one slice only.
        """
        width = int(self.encoder.config.hidden_size)  # type: ignore[arg-type, union-attr]
        found = [self._vectors(part, width) for part in _slices(texts)]
        return np.concatenate([np.zeros((0, width), dtype=np.float32), *found])

    def _vectors(self, texts: list[str], width: int) -> Array:
        rows = self.batcher.encode(texts)
        found = np.zeros((len(rows), width), dtype=np.float32)
        for numbers in by_length([len(row.ids) for row in rows], BATCH_TOKENS):
            found[numbers] = in_halves(self._forward, [rows[n] for n in numbers])
        return found

    def _forward(self, rows: list[Encoded]) -> Array:
        batch = self.batcher.tensors(rows, self.runtime.device)
        with torch.inference_mode(), self.runtime.autocast():
            hidden = self.encoder(**batch).last_hidden_state
        mask = batch["attention_mask"][..., None].float()
        mean = (hidden.float() * mask).sum(1) / mask.sum(1)
        values: Array = F.normalize(mean, dim=-1).cpu().numpy()
        return values


def _slices(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while part := list(islice(rest, SLICE)):
        yield part
