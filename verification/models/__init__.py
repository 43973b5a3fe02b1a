"""Benchmarks, their phases and gold sets, and what was submitted to them."""

from __future__ import annotations

from verification.models.benchmarks import (
    Announcement,
    Benchmark,
    GoldSet,
    Phase,
    Team,
)
from verification.models.submissions import (
    ClaimTag,
    Comparison,
    QuotaSlot,
    Score,
    Submission,
)

__all__ = [
    "Announcement",
    "Benchmark",
    "ClaimTag",
    "Comparison",
    "GoldSet",
    "Phase",
    "QuotaSlot",
    "Score",
    "Submission",
    "Team",
]
