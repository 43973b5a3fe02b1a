"""Models of a few megabytes on MiniLM-L6: low-rank corrections and a head."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.nn import functional as F

from verification.pipeline.stages import ModelFileError

_ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class LowRank(nn.Module):
    """A linear layer that is kept, plus a low-rank correction that is learned."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.normal_(self.down, std=linear.in_features**-0.5)

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the layer's output with the correction."""
        result: Tensor = self.linear(hidden) + (hidden @ self.down.T) @ self.up.T
        return result


class PairModel(nn.Module):
    """An encoder over ``[CLS] claim [SEP] text [SEP]`` and a comparing head.

    The head reads the mean vectors of both parts, their difference and their
    product: the product alone is the cosine that the base was trained for.
    """

    def __init__(self, encoder: nn.Module, n_labels: int) -> None:
        super().__init__()
        self.encoder = encoder
        width = int(encoder.config.hidden_size)  # type: ignore[arg-type, union-attr]
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(4 * width, n_labels)
        nn.init.normal_(self.head.weight, std=0.01)
        nn.init.zeros_(self.head.bias)

    def forward(self, batch: Mapping[str, Tensor]) -> Tensor:
        """Return the logits of a batch, in fp32."""
        hidden = self.encoder(**batch).last_hidden_state.float()
        mask = batch["attention_mask"].float()
        second = mask * batch["token_type_ids"].float()
        first = mask - second
        u, v = (self._mean(hidden, part) for part in (first, second))
        features = torch.cat([u, v, (u - v).abs(), u * v], dim=-1)
        with torch.autocast(features.device.type, enabled=False):
            logits: Tensor = self.head(self.dropout(features))
        return logits

    @staticmethod
    def _mean(hidden: Tensor, part: Tensor) -> Tensor:
        total = (hidden * part[..., None]).sum(1)
        mean = total / part.sum(1, keepdim=True).clamp(min=1)
        scaled: Tensor = F.normalize(mean, dim=-1) * mean.shape[-1] ** 0.5
        return scaled

    def adapt(self, rank: int) -> None:
        """Keep the encoder as it is and add corrections of this rank to it."""
        for parameter in self.encoder.parameters():
            parameter.requires_grad_(False)
        for name, module in list(self.encoder.named_modules()):
            if isinstance(module, nn.Linear) and name.endswith(_ADAPTED):
                parent, _, own = name.rpartition(".")
                setattr(self.encoder.get_submodule(parent), own, LowRank(module, rank))

    def adapter(self) -> dict[str, Tensor]:
        """Return the learned tensors, corrections and head, in fp16."""
        found = {
            f"{name}.{part}": getattr(module, part)
            for name, module in self.encoder.named_modules()
            if isinstance(module, LowRank)
            for part in ("down", "up")
        }
        found |= {"head.weight": self.head.weight, "head.bias": self.head.bias}
        return {
            name: tensor.detach().to("cpu", torch.float16).contiguous()
            for name, tensor in found.items()
        }

    def load_adapter(self, tensors: Mapping[str, Tensor], *, merge: bool) -> None:
        """Take over learned tensors; ``merge`` adds them to the encoder's weights."""
        for name in {key.rpartition(".")[0] for key in tensors} - {"head"}:
            down = tensors[f"{name}.down"].float()
            up = tensors[f"{name}.up"].float()
            module = self.encoder.get_submodule(name)
            with torch.no_grad():
                if merge:
                    module.weight += up @ down  # type: ignore[operator]
                else:
                    module.down.copy_(down)  # type: ignore[operator]
                    module.up.copy_(up)  # type: ignore[operator]
        with torch.no_grad():
            self.head.weight.copy_(tensors["head.weight"].float())
            self.head.bias.copy_(tensors["head.bias"].float())


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """What an adapter's file says about itself."""

    labels: tuple[str, ...]
    base: str
    max_tokens: int
    rank: int


def adapter_bytes(model: PairModel, info: AdapterInfo) -> bytes:
    """Return the bytes of an adapter's file."""
    # One key: safetensors writes several in no fixed order.
    metadata = {"adapter": json.dumps(asdict(info), sort_keys=True)}
    return save(model.adapter(), metadata=metadata)


def read_adapter(path: Path) -> tuple[dict[str, Tensor], AdapterInfo]:
    """Return the tensors of an adapter's file and what it says about itself."""
    try:
        with safe_open(str(path), framework="pt") as file:
            values = json.loads((file.metadata() or {})["adapter"])
            info = AdapterInfo(**{**values, "labels": tuple(values["labels"])})
            return {name: file.get_tensor(name) for name in file.keys()}, info  # noqa: SIM118
    except (OSError, KeyError, TypeError, ValueError, SafetensorError) as error:
        raise ModelFileError(f"{path} is no adapter: {error}") from error
