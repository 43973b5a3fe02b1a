"""What produced a score, in one line, so that two numbers can be compared."""

from __future__ import annotations

from dataclasses import dataclass

VERSION = "1.0"
"""Of the scorer. It rises with every change that can change a number."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parts of a signature.

    ``gold`` is the name of a release, or the checksum of the gold file.
    ``resampled_by`` is ``claim`` for the papers' profiles; releases of our own are
    resampled by ``family`` or ``abstract``.
    """

    task: str
    profile: str
    gold: str
    claims: int
    split: str = "-"
    options: str = "-"
    resamples: int = 0
    resampled_by: str = "claim"
    seed: int = 0

    def __str__(self) -> str:
        parts = {
            "task": self.task,
            "profile": self.profile,
            "gold": self.gold,
            "split": self.split,
            "claims": self.claims,
            "options": self.options,
            "scorer": VERSION,
        }
        if self.resamples:
            parts["bootstrap"] = self.resamples
            parts["by"] = self.resampled_by
            parts["seed"] = self.seed
        return "|".join(f"{name}:{value}" for name, value in parts.items())
