"""Writing small files and running the scorer on them, for these tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from corpus.records import Json
from verification.scoring.reading import Source
from verification.scoring.service import Outcome, as_json, score, validate
from verification.scoring.tasks import LEADERBOARD, Request


def source(name: str, data: bytes | Iterable[object]) -> Source:
    """Return a source in memory: bytes as they are, objects as JSON Lines."""
    if not isinstance(data, bytes):
        data = "".join(json.dumps(line) + "\n" for line in data).encode()
    return Source(name, partial(BytesIO, data))


def request(
    gold: bytes | Iterable[object] | None,
    predictions: bytes | Iterable[object],
    *,
    corpus: bytes | Iterable[object] | None = None,
    labels: bytes | Iterable[object] | None = None,
    profile: str = LEADERBOARD,
    merged_output: Path | None = None,
) -> Request:
    """Return a request over files in memory, with short names."""
    return Request(
        predictions=source("predictions", predictions),
        gold=None if gold is None else source("gold", gold),
        label_predictions=None if labels is None else source("labels", labels),
        corpus=None if corpus is None else source("corpus", corpus),
        profile=profile,
        merged_output=merged_output,
    )


def scored(task: str, wanted: Request) -> dict[str, Any]:
    """Return the result of a score that must succeed."""
    outcome = score(task, wanted)
    assert not outcome.errors, outcome.errors
    return as_json(outcome)


def errors_of(outcome: Outcome) -> list[tuple[str, int | None, Json, str]]:
    """Return each error as (file, line, claim, message)."""
    return [(e.file, e.line, e.claim_id, e.message) for e in outcome.errors]


def refused(task: str, wanted: Request) -> list[tuple[str, int | None, Json, str]]:
    """Return the errors of a score that must fail."""
    outcome = score(task, wanted)
    assert outcome.errors
    assert outcome.score is None
    return errors_of(outcome)


def checked(task: str, wanted: Request) -> Outcome:
    """Return what validation finds."""
    return validate(task, wanted)


def claim(claim_id: object, **documents: list[tuple[list[int], str]]) -> dict[str, Any]:
    """Return a gold line; ``d11=[([0], "SUPPORT")]`` is evidence of document 11."""
    evidence = {
        name.removeprefix("d"): [
            {"sentences": sentences, "label": label} for sentences, label in rationales
        ]
        for name, rationales in documents.items()
    }
    cited = [int(name) for name in evidence]
    return {"id": claim_id, "claim": "…", "evidence": evidence, "cited_doc_ids": cited}


def prediction(claim_id: object, **documents: tuple[list[Any], str]) -> dict[str, Any]:
    """Return a line of a merged prediction; ``d11=([0], "SUPPORT")``."""
    evidence = {
        name.removeprefix("d"): {"sentences": sentences, "label": label}
        for name, (sentences, label) in documents.items()
    }
    return {"id": claim_id, "evidence": evidence}
