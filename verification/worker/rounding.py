"""How exactly the figures of models are kept."""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = 4


def rounded(values: Sequence[float]) -> list[float]:
    """Return probabilities and scores as answers and suggestions keep them."""
    return [round(value, DIGITS) for value in values]
