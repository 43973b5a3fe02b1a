"""The scores of a submission, as far as their reader may know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from corpus.records import Json
from verification.access import SubmissionAccess
from verification.board_rows import Bar, Value, bar_of
from verification.disclosure import (
    Detail,
    disclosed_fractions,
    disclosed_signature,
)
from verification.models import Score
from verification.scoring.signature import VERSION


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure in words: a percentage, all its digits, and its interval."""

    name: str
    percentage: str
    exact: str
    interval: str
    bar: Bar | None
    is_primary: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """The primary measure on some of the claims."""

    kind: str
    name: str
    n_claims: int
    percentage: str


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """One score: what one version of the scorer found with one gold."""

    version: str
    is_current: bool
    at: datetime
    n_claims: int
    signature: str
    measures: list[Measure]
    counts: list[tuple[str, int]]
    slices: list[Slice]
    is_rounded: bool
    predicted: int | None
    unjudged: int | None


def score_tables(access: SubmissionAccess) -> list[ScoreTable]:
    """Return the scores, the newest first; none where nothing may be shown."""
    detail = access.detail
    if detail is Detail.NOTHING or not access.is_shown:
        return []
    primary = access.benchmark.benchmark.primary_metric
    scores = access.submission.scores.defer("by_claim", "extra").order_by("-pk")
    return [_table(score, detail, primary) for score in scores]


def _table(score: Score, detail: Detail, primary: str) -> ScoreTable:
    is_whole = detail is Detail.EVERYTHING
    metrics = dict(_leaves(disclosed_fractions(score.metrics, detail)))
    measures = [
        _measure(name, value, score, detail, primary)
        for name, value in metrics.items()
        if isinstance(value, float) or (value is None and name in score.intervals)
    ]
    counted = {name: n for name, n in metrics.items() if isinstance(n, int)}
    counts = {**counted, **score.counts} if is_whole else {}
    return ScoreTable(
        version=score.scorer_version,
        is_current=score.is_current(VERSION),
        at=score.created_at,
        n_claims=score.n_claims,
        signature=disclosed_signature(score.signature, detail),
        measures=sorted(measures, key=lambda measure: not measure.is_primary),
        counts=[(words(name), n) for name, n in counts.items()],
        slices=_slices(score, primary) if is_whole else [],
        is_rounded=not is_whole,
        predicted=score.predicted_abstracts if is_whole else None,
        unjudged=score.unjudged_abstracts if is_whole else None,
    )


def _leaves(value: Json, name: str = "") -> Iterator[tuple[str, Json]]:
    """Yield single values by dotted names; lists of them have tables of their own."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    elif not isinstance(value, list):
        yield name, value


def _measure(
    name: str, found: Json, score: Score, detail: Detail, primary: str
) -> Measure:
    ends = score.intervals.get(name) or {}
    number = found if isinstance(found, float) else None
    value = Value(number, ends.get("low"), ends.get("high")).as_detail(detail)
    digits = 2 if detail is Detail.EVERYTHING else 1
    return Measure(
        name=words(name),
        percentage=percentage(value.value, digits),
        exact="" if number is None or digits == 1 else repr(number),
        interval=_interval(value, digits),
        bar=bar_of(value),
        is_primary=name == primary,
    )


def _interval(value: Value, digits: int) -> str:
    if value.low is None or value.high is None:
        return ""
    return f"{percentage(value.low, digits)}–{percentage(value.high, digits)}"


def _slices(score: Score, primary: str) -> list[Slice]:
    found = []
    for key, part in score.slices.items():
        kind, _, name = key.partition(":")
        value = part["metrics"].get(primary)
        found.append(
            Slice(words(kind), name, part["n_claims"], percentage(value, digits=2))
        )
    return found


def percentage(value: float | None, digits: int) -> str:
    """Write a fraction as a percentage without its sign."""
    return "undefined" if value is None else f"{value * 100:.{digits}f}"


def words(name: str) -> str:
    """Write the dotted name of a measure as words."""
    return name.replace("_", " ").replace(".", ": ")
