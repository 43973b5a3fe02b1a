"""What a task is, and the common path of tasks with one line per claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from corpus.formats.problems import shown
from corpus.records import Json
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.reading import (
    Documents,
    Source,
    Values,
    read_documents,
    read_objects,
)
from verification.scoring.validate import Roll, claim_id

if TYPE_CHECKING:  # numpy is loaded when numbers are made, not for validation
    from verification.scoring.metrics import Array, Measures

Gold = TypeVar("Gold")
Prediction = TypeVar("Prediction")

LEADERBOARD = "leaderboard"
VERISCI = "verisci"
PROFILES = (LEADERBOARD, VERISCI)


@dataclass(frozen=True, slots=True)
class Request:
    """What to score, or to validate: then ``gold`` is any file of claims."""

    predictions: Source
    gold: Source | None = None
    label_predictions: Source | None = None
    corpus: Source | None = None
    profile: str = LEADERBOARD
    merged_output: Path | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What the checks and counts of one run depend on besides the line."""

    profile: str = LEADERBOARD
    documents: Documents | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The measures of one run, and what a bootstrap needs to repeat them.

    ``measure`` takes weights of shape (resamples, claims), the claims in the order
    of ``claim_ids``, and returns each scalar measure of each resample.
    """

    metrics: Json
    counts: dict[str, int] = field(default_factory=dict)
    claim_ids: tuple[ClaimId, ...] = ()
    measure: Callable[[Array], Measures] | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)


class Task(Protocol):
    """A way of scoring, named by its evaluator's job.

    ``profiles`` names the evaluators to choose from, or is the one there is.
    """

    @property
    def name(self) -> str: ...
    @property
    def profiles(self) -> Sequence[str]: ...
    @property
    def needs_gold(self) -> bool: ...

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return the score, or ``None`` if there are errors."""
        ...

    def validate(self, request: Request, findings: Findings) -> None:
        """Record what is wrong with predictions as far as it shows without gold."""
        ...


@dataclass(frozen=True, slots=True)
class ClaimTask(Generic[Gold, Prediction]):
    """A task whose files have one JSON line for each claim.

    ``count`` returns the claim's own numbers, ``aggregate`` turns their sums into
    scalar measures by dotted names, and ``present`` lays these out as the metrics
    and counts of the result.
    """

    name: str
    profiles: Sequence[str]
    id_key: str
    shape: str
    parse_gold: Callable[[Values, Place, Rules], Gold | None]
    parse_prediction: Callable[[Values, Place, Rules], Prediction | None]
    count: Callable[[Gold, Prediction, Rules], Sequence[float]]
    aggregate: Callable[[Array], Measures]
    present: Callable[
        [Mapping[str, float], Sequence[float]], tuple[Json, dict[str, int]]
    ]
    read_corpus: Callable[[Source, Findings, Rules], Documents] | None = None
    needs_gold: bool = True

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return the score, or ``None`` if there are errors."""
        if request.gold is None:
            raise ValueError(f"{self.name} needs a gold file")
        rules = self._rules(request, findings)
        gold = self.gold_of(request.gold, findings, rules)
        rows: dict[ClaimId, Sequence[float]] = {}
        roll = Roll(gold, request.predictions.name)
        for claim, prediction in self._predictions(request, findings, rules, roll):
            known = gold.get(claim)
            if known is not None:
                rows[claim] = self.count(known, prediction, rules)
        roll.finish(findings)
        return None if findings.has_errors else self.score_rows(rows)

    def validate(self, request: Request, findings: Findings) -> None:
        """Check predictions against the ids of a file of claims."""
        if request.gold is None:
            raise ValueError(f"{self.name} needs a file of claims")
        rules = self._rules(request, findings)
        claims = read_claim_ids(request.gold, findings)
        roll = Roll(claims, request.predictions.name)
        for _ in self._predictions(request, findings, rules, roll):
            pass
        roll.finish(findings)

    def gold_of(
        self, source: Source, findings: Findings, rules: Rules
    ) -> dict[ClaimId, Gold | None]:
        """Return each claim's gold, ``None`` for a line with an error."""
        gold: dict[ClaimId, Gold | None] = {}
        for values, place in read_objects(source, findings):
            claim = claim_id(values, "id", '{"id": …, …}', place)
            if claim is not None and claim in gold:
                place.error(f"The gold claim {shown(claim)} occurs twice.")
            parsed = self.parse_gold(values, place, rules)
            if claim is not None:
                gold[claim] = parsed
        return gold

    def score_rows(self, rows: Mapping[ClaimId, Sequence[float]]) -> Score:
        """Return the score of all claims' numbers."""
        import numpy as np

        claims = in_order(rows)
        table = np.array([rows[claim] for claim in claims], dtype=np.float64)
        sums = table.sum(axis=0)
        values = {name: float(value) for name, value in self.aggregate(sums).items()}
        metrics, counts = self.present(values, [float(value) for value in sums])
        return Score(
            metrics, counts, claims, lambda weights: self.aggregate(weights @ table)
        )

    def _rules(self, request: Request, findings: Findings) -> Rules:
        rules = Rules(profile_of(self, request))
        if self.read_corpus is None:
            return rules
        if request.corpus is None:
            warn_no_corpus(request, findings)
            return rules
        documents = self.read_corpus(request.corpus, findings, rules)
        return Rules(rules.profile, documents)

    def _predictions(
        self, request: Request, findings: Findings, rules: Rules, roll: Roll
    ) -> Iterable[tuple[ClaimId, Prediction]]:
        for values, place in read_objects(request.predictions, findings):
            claim = claim_id(values, self.id_key, self.shape, place)
            is_due = claim is not None and roll.check(claim, place)
            prediction = self.parse_prediction(values, place, rules)
            if claim is not None and is_due and prediction is not None:
                yield claim, prediction


def profile_of(task: Task, request: Request) -> str:
    """Return the profile that applies: the asked one, or the only one there is."""
    return request.profile if request.profile in task.profiles else task.profiles[0]


def in_order(claims: Iterable[ClaimId]) -> tuple[ClaimId, ...]:
    """Return claims in an order of their own, so that no file's order matters."""
    return tuple(sorted(claims, key=lambda claim: (isinstance(claim, str), claim)))


def read_claim_ids(source: Source, findings: Findings) -> dict[ClaimId, None]:
    """Return the ids of a file of claims, which may be unlabelled."""
    claims: dict[ClaimId, None] = {}
    for values, place in read_objects(source, findings):
        claim = claim_id(values, "id", '{"id": …, "claim": "…"}', place)
        if claim is not None and claim in claims:
            place.error(f"The claim {shown(claim)} occurs twice.")
        if claim is not None:
            claims[claim] = None
    return claims


def warn_no_corpus(request: Request, findings: Findings) -> None:
    """Say that nothing was compared with a corpus."""
    findings.warn(
        request.predictions.name,
        None,
        None,
        "No corpus was given: documents and indices were not compared with it.",
    )


def read_scifact_corpus(source: Source, findings: Findings, rules: Rules) -> Documents:
    """Return the sizes of SciFact's documents; verisci wants each once."""
    return read_documents(source, findings, once=rules.profile == VERISCI)


def nested(values: Mapping[str, float]) -> dict[str, Json]:
    """Return dotted names as objects in objects, undefined values as ``None``."""
    result: dict[str, Json] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        level = result
        for part in path:
            inner = level.setdefault(part, {})
            assert isinstance(inner, dict)  # noqa: S101  # names do not clash
            level = inner
        level[last] = None if value != value else value
    return result
