"""Benchmarks, their phases and gold sets, and what was submitted to them;
and claims that were checked."""

from __future__ import annotations

from verification.models.benchmarks import (
    Announcement,
    Benchmark,
    GoldSet,
    Phase,
    Team,
)
from verification.models.evidence import (
    UNKEPT_FOR,
    ClaimBatch,
    FactCheck,
    Plausibility,
)
from verification.models.submissions import (
    ClaimTag,
    Comparison,
    QuotaSlot,
    Score,
    Submission,
)

__all__ = [
    "UNKEPT_FOR",
    "Announcement",
    "Benchmark",
    "ClaimBatch",
    "ClaimTag",
    "Comparison",
    "FactCheck",
    "GoldSet",
    "Phase",
    "Plausibility",
    "QuotaSlot",
    "Score",
    "Submission",
    "Team",
]
