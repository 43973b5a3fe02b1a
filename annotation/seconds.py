"""How long one piece of work took. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long the annotator worked: active, and from first sight to submit."""

    active: int | None = None
    elapsed: int | None = None
