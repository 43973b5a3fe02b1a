"""What a system was trained on: ``training.json`` beside its ``system.json``.

It holds digests of the training claims' texts, not the texts, and the ids of the
abstracts. Two texts that read the same have one digest. So one can say how many claims
of a benchmark a system has seen.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.text import text_key
from verification.pipeline.stages import ModelFileError

FILE = "training.json"
SIZE = 6
"""Bytes of a digest: by chance two of a million texts share one in 300 such lists."""


def claim_digest(text: str) -> bytes:
    """Return the digest of a claim's normal form."""
    return bytes.fromhex(text_key(text))[:SIZE]


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """Digests of the claims that models have learned from, and their abstracts."""

    claims: frozenset[bytes] = frozenset()
    documents: frozenset[str] = frozenset()

    @classmethod
    def of(cls, claims: Iterable[str], documents: Iterable[str] = ()) -> TrainedOn:
        """Return the list of some texts."""
        return cls(frozenset(map(claim_digest, claims)), frozenset(documents))

    def with_also(self, other: TrainedOn) -> TrainedOn:
        """Return both lists as one."""
        return TrainedOn(self.claims | other.claims, self.documents | other.documents)

    def count(self, texts: Iterable[str]) -> int:
        """Return how many of the texts were learned from."""
        return sum(claim_digest(text) in self.claims for text in texts)

    def write(self, folder: Path) -> None:
        """Write the file of a system's folder."""
        values = {
            "bytes_of_a_digest": SIZE,
            "claims": b64encode(b"".join(sorted(self.claims))).decode("ascii"),
            "documents": sorted(self.documents),
        }
        text = json.dumps(values, indent=1) + "\n"
        (folder / FILE).write_text(text, encoding="utf-8")


def read_trained_on(folder: Path, system: Mapping[str, Any]) -> TrainedOn | None:
    """Return what the system in a folder was trained on, ``None`` if it does not say.

    ``system`` is what ``system.json`` holds. A system none of whose parts are models
    has learned from nothing. Weights of ours come with the file: without it, or with
    one that is cut off, the system is refused.
    """
    parts = [system.get("rationale", {}), system.get("label", {})]
    if not any(part.get("kind") == "transformer" for part in parts):
        return TrainedOn()
    path = folder / FILE
    if not path.is_file() and not any("sha256" in part for part in parts):
        return None
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        size, data = int(values["bytes_of_a_digest"]), b64decode(values["claims"])
        if size != SIZE or len(data) % SIZE:
            raise ValueError("digests of another size")
        claims = (data[n : n + SIZE] for n in range(0, len(data), SIZE))
        return TrainedOn(frozenset(claims), frozenset(map(str, values["documents"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(
            f"{path} does not say what the system was trained on: {error}"
        ) from error
