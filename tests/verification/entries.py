"""Entries of a board, made without scoring where only the board matters."""

from __future__ import annotations

from typing import Any

from django.core.files.base import ContentFile

from corpus.models import StoredFile, User
from tests.factories import UserFactory
from verification.models import Phase, Score, Submission

METRIC = "abstract_rationalized_f1"


def make_entry(
    phase: Phase,
    primary: float | None = 0.5,
    *,
    submitter: User | None = None,
    score: dict[str, Any] | None = None,
    **about: Any,
) -> Submission:
    """Put an entry with this score on the board."""
    person = submitter or UserFactory()
    stored = StoredFile(name="predictions.jsonl", owner=person, sha256="0", size=1)
    stored.file.save("predictions.jsonl", ContentFile(b"{}\n"), save=False)
    stored.save()
    values = {"system": "Moss", "state": "scored", "standing": "published"} | about
    entry = Submission.objects.create(
        phase=phase, submitter=person, file=stored, **values
    )
    add_score(entry, primary, **(score or {}))
    return entry


def add_score(entry: Submission, primary: float | None, **about: Any) -> Score:
    """Keep a score with a recall of a half beside the primary measure."""
    interval = None
    if primary is not None:
        low, high = max(0.0, primary - 0.123456), min(1.0, primary + 0.0987654)
        interval = {"low": low, "high": high, "mean": primary, "std": 0.05}
    half = {"low": 0.25, "high": 0.75, "mean": 0.5, "std": 0.1}
    values: dict[str, Any] = {
        "scorer_version": "1.0",
        "gold_sha256": entry.phase.gold_set.gold.sha256,
        "signature": "task:scifact_pipeline|gold:sha256-0123456789abcdef|claims:12",
        "metrics": {METRIC: primary, "sentence_label_recall": 0.5},
        "intervals": {METRIC: interval, "sentence_label_recall": half},
        "n_claims": 12,
    }
    return Score.objects.create(submission=entry, primary=primary, **(values | about))
