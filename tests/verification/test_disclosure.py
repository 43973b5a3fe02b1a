"""What is shown of a score, to whom and when: the whole table by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from corpus.records import Json
from verification.disclosure import (
    Detail,
    detail_of,
    disclosed_fractions,
    disclosed_metrics,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class _Phase:
    shows: str
    closes_at: datetime | None

    def is_closed(self, now: datetime) -> bool:
        return self.closes_at is not None and self.closes_at <= now


@pytest.mark.parametrize(
    ("shows", "closes_in", "is_organiser", "expected"),
    [
        ("nothing", 1, False, Detail.NOTHING),
        ("nothing", None, False, Detail.NOTHING),
        ("nothing", 0, False, Detail.EVERYTHING),
        ("nothing", -1, False, Detail.EVERYTHING),
        ("nothing", 1, True, Detail.EVERYTHING),
        ("overall", 1, False, Detail.OVERALL),
        ("overall", None, False, Detail.OVERALL),
        ("overall", -1, False, Detail.EVERYTHING),
        ("everything", 1, False, Detail.EVERYTHING),
    ],
)
def test_the_phase_and_the_clock_decide(
    shows: str, closes_in: int | None, is_organiser: bool, expected: Detail
) -> None:
    closes_at = None if closes_in is None else NOW + timedelta(minutes=closes_in)
    phase = _Phase(shows, closes_at)
    assert detail_of(phase, now=NOW, is_organiser=is_organiser) is expected


def test_measures_are_rounded_and_shapes_kept() -> None:
    metrics: Json = {
        "f1": 0.66666,
        "per_class": {"a": 0.12345, "b": None},
        "list": [0.5, 1.0],
        "n_correct": 17,
    }
    assert disclosed_metrics(metrics, Detail.OVERALL) == {
        "f1": 66.7,
        "per_class": {"a": 12.3, "b": None},
        "list": [50.0, 100.0],
        "n_correct": None,
    }
    assert disclosed_fractions(metrics, Detail.OVERALL) == {
        "f1": 0.667,
        "per_class": {"a": 0.123, "b": None},
        "list": [0.5, 1.0],
        "n_correct": None,
    }
    assert disclosed_metrics(metrics, Detail.NOTHING) is None
    assert disclosed_metrics(metrics, Detail.EVERYTHING) == metrics
