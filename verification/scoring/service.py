"""One run: a request in, the result or all errors out, as the command prints them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, field

from corpus.records import Json
from verification.scoring.findings import Finding, Findings
from verification.scoring.registry import get_task
from verification.scoring.signature import Signature
from verification.scoring.tasks import Request, Score, profile_of


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How to resample: how often, with which seed, and in which clusters.

    ``units`` gives the cluster of each claim in the order of ``Score.claim_ids``
    and ``resampled_by`` its name; without them claims are drawn.
    """

    resamples: int
    seed: int = 0
    resampled_by: str = "claim"
    units: Sequence[Hashable] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found: a score and its signature, or errors."""

    score: Score | None
    signature: str = ""
    intervals: dict[str, Json] = field(default_factory=dict)
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)


def score(
    task_name: str,
    request: Request,
    *,
    bootstrap: Bootstrap | None = None,
    release: str = "",
    split: str = "-",
) -> Outcome:
    """Score a request. ``release`` names the gold in place of its checksum."""
    task, findings = get_task(task_name), Findings()
    result = task.score(request, findings)
    if result is None:
        return Outcome(None, errors=findings.errors)
    gold = release or _gold_name(request)
    how = bootstrap if result.measure else None
    signature = Signature(
        task=task_name,
        profile=profile_of(task, request),
        gold=gold,
        split=split,
        claims=len(result.claim_ids),
        options="corpus" if request.corpus else "-",
        resamples=how.resamples if how else 0,
        resampled_by=how.resampled_by if how else "claim",
        seed=how.seed if how else 0,
    )
    intervals = _intervals(result, how) if how else {}
    return Outcome(result, str(signature), intervals, warnings=findings.warnings)


def validate(task_name: str, request: Request) -> Outcome:
    """Check predictions without gold."""
    findings = Findings()
    get_task(task_name).validate(request, findings)
    return Outcome(None, errors=findings.errors, warnings=findings.warnings)


def as_json(outcome: Outcome) -> dict[str, Json]:
    """Return the object that the command prints."""
    if outcome.errors:
        return {"errors": [asdict(error) for error in outcome.errors]}
    warnings: list[Json] = [
        {"file": warning.file, "line": warning.line, "message": warning.message}
        for warning in outcome.warnings
    ]
    if outcome.score is None:
        return {"errors": [], "warnings": warnings}
    result: dict[str, Json] = {
        "metrics": outcome.score.metrics,
        "counts": {**outcome.score.counts},
        **outcome.score.extra,
        "warnings": warnings,
        "signature": outcome.signature,
    }
    if outcome.intervals:
        result["bootstrap"] = {**outcome.intervals}
    return result


def _gold_name(request: Request) -> str:
    source = request.gold or request.predictions
    return f"sha256-{source.sha256()[:16]}"


def _intervals(result: Score, how: Bootstrap) -> dict[str, Json]:
    from verification.scoring import bootstrap

    if result.measure is None or not result.claim_ids:
        return {}
    intervals = bootstrap.bootstrap(
        result.measure,
        len(result.claim_ids),
        resamples=how.resamples,
        seed=how.seed,
        units=how.units,
    )
    return {
        name: asdict(interval) if interval else None
        for name, interval in intervals.items()
    }
