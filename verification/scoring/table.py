"""A result or errors as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corpus.records import Json
from verification.scoring.findings import Finding
from verification.scoring.service import Outcome


def as_text(outcome: Outcome) -> str:
    """Return the readable form of what the command prints as JSON."""
    lines = list(_lines(outcome))
    return "\n".join(lines) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    if outcome.errors:
        yield f"Not scored: {_counted(len(outcome.errors), 'error')}."
        yield from (_finding(error) for error in outcome.errors)
        return
    if outcome.score is None:
        yield "No error was found."
    else:
        yield from _table(_flat(outcome.score.metrics), outcome.intervals)
        yield from _table(_flat({**outcome.score.counts}), {})
        yield from _table(_flat({**outcome.score.extra}), {})
    if outcome.warnings:
        yield ""
        yield f"{_counted(len(outcome.warnings), 'warning')}:"
        yield from (_finding(warning) for warning in outcome.warnings)
    if outcome.signature:
        yield ""
        yield outcome.signature


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _finding(finding: Finding) -> str:
    at = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
    claim = "" if finding.claim_id is None else f" (claim {finding.claim_id})"
    return f"{at}{claim}: {finding.message}"


def _flat(value: Json, name: str = "") -> dict[str, Json]:
    """Return leaves by dotted name; lists stay whole, but those of objects do not."""
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        value = {str(n): item for n, item in enumerate(value)}
    if not isinstance(value, dict):
        return {name: value}
    leaves: dict[str, Json] = {}
    for key, item in value.items():
        leaves |= _flat(item, f"{name}.{key}" if name else key)
    return leaves


def _table(values: Mapping[str, Json], intervals: Mapping[str, Json]) -> Iterator[str]:
    width = max(map(len, values), default=0)
    for name, value in values.items():
        yield f"{name:<{width}}  {_shown(value)}{_interval(intervals.get(name))}"


def _interval(interval: Json) -> str:
    if not isinstance(interval, dict):
        return ""
    low, high = _shown(interval["low"]), _shown(interval["high"])
    return f"  ({low} to {high}, std {_shown(interval['std'])})"


def _shown(value: Json) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)
