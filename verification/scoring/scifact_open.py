"""SciFact-Open: label-only precision, recall and F1, and average precision.

As script/run_eval.py of dwadden/scifact-open: gold and predicted (claim, document)
pairs are joined, a pair without a label counting as NEI. Precision, recall and F1
use the predicted label. The curve orders the predicted pairs by their given rank,
takes the larger of the two probabilities as the score and its label as the answer
(SUPPORT on a tie), and treats consecutive equal scores as one step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corpus.formats.problems import kind_of, shown
from corpus.formats.scifact import FORMAT
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.reading import (
    Documents,
    Values,
    read_documents,
    read_objects,
)
from verification.scoring.tasks import (
    Request,
    Score,
    in_order,
    nested,
    read_claim_ids,
    warn_no_corpus,
)
from verification.scoring.validate import (
    claim_id,
    label_word,
    mapping,
    warn_about_document,
    without_nei,
)

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

SUPPORT = FORMAT.labels[Label.SUPPORT]
CONTRADICT = FORMAT.labels[Label.CONTRADICT]
GOLD_WORDS = without_nei(FORMAT.labels)
NEI_WORDS = ("NEI", FORMAT.labels[Label.NOT_ENOUGH_INFO])
WORDS = {**GOLD_WORDS, **dict.fromkeys(NEI_WORDS, Label.NOT_ENOUGH_INFO)}
SHAPE = (
    '{"claim_id": 1, "doc_id": 11, "p_support": 0.9, "p_contradict": 0.1, '
    '"predicted_label": "SUPPORT", "rank": 1}'
)


class PredictedPair(NamedTuple):
    """One line of a prediction file."""

    claim: ClaimId
    document: str
    label: str
    score: float
    best: str
    rank: float


Pair = tuple[ClaimId, str]
GoldPairs = dict[ClaimId, dict[str, str]]


@dataclass(frozen=True, slots=True)
class _Table:
    """Counts per claim and, per ranked pair, its claim, hit and step.

    ``counts`` holds correct, retrieved and relevant. ``step_ends`` marks the last
    pair of each run of equal scores.
    """

    counts: Array
    claim_of_pair: Sequence[int]
    is_hit: Array
    step_ends: Sequence[int]

    def measure(self, weights: Array) -> Measures:
        """Return the four measures under claim weights (resamples, claims).

        Unlike SciFact's evaluators this one has no value where it would divide by
        zero.
        """
        import numpy as np

        from verification.scoring.metrics import UNDEFINED, f1_of, ratio

        sums = weights @ self.counts
        correct, retrieved, relevant = (sums[..., n] for n in range(3))
        precision = ratio(correct, retrieved, empty=UNDEFINED)
        recall = ratio(correct, relevant, empty=UNDEFINED)
        pair_weights = weights[..., self.claim_of_pair]
        ends = self.step_ends
        seen = np.cumsum(pair_weights, axis=-1)[..., ends]
        hits = np.cumsum(pair_weights * self.is_hit, axis=-1)[..., ends]
        gained = np.diff(hits, axis=-1, prepend=0.0)
        area = (gained * ratio(hits, seen)).sum(axis=-1)
        return {
            "P": precision,
            "R": recall,
            "F1": f1_of(precision, recall, empty=UNDEFINED),
            "avg_precision": ratio(area, relevant, empty=UNDEFINED),
        }


@dataclass(frozen=True, slots=True)
class ScifactOpenTask:
    """Claims with gold pairs, and a ranked list of predicted pairs."""

    name: str = "scifact_open"
    profiles: Sequence[str] = ("scifact-open",)
    needs_gold: bool = True

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return the score, or ``None`` if there are errors."""
        import numpy as np

        documents = _documents(request, findings)
        gold = _gold_pairs(request, findings)
        pairs = _predicted_pairs(request, findings, gold, documents)
        if findings.has_errors:
            return None
        table = _table(gold, pairs)
        measured = table.measure(np.ones((1, len(gold))))
        values = {name: float(value[0]) for name, value in measured.items()}
        return Score(nested(values), {}, in_order(gold), table.measure)

    def validate(self, request: Request, findings: Findings) -> None:
        """Check pairs against the ids of a file of claims."""
        if request.gold is None:
            raise ValueError(f"{self.name} needs a file of claims")
        documents = _documents(request, findings)
        claims = read_claim_ids(request.gold, findings)
        _predicted_pairs(request, findings, claims, documents)


def _documents(request: Request, findings: Findings) -> Documents | None:
    if request.corpus is None:
        warn_no_corpus(request, findings)
        return None
    return read_documents(request.corpus, findings)


def _table(gold: GoldPairs, pairs: Sequence[PredictedPair]) -> _Table:
    import numpy as np

    place_of = {claim: n for n, claim in enumerate(in_order(gold))}
    counts = np.zeros((len(gold), 3))
    for claim, documents in gold.items():
        counts[place_of[claim], 2] = len(documents)
    for pair in pairs:
        if pair.label not in NEI_WORDS:
            truth = gold[pair.claim].get(pair.document)
            counts[place_of[pair.claim], :2] += (truth == pair.label, 1)
    # Beyond the rank there is no order but the file's, which must not matter.
    ranked = sorted(
        pairs, key=lambda p: (p.rank, -p.score, place_of[p.claim], p.document)
    )
    hits = [gold[pair.claim].get(pair.document) == pair.best for pair in ranked]
    ends = [
        n
        for n, pair in enumerate(ranked)
        if n + 1 == len(ranked) or ranked[n + 1].score != pair.score
    ]
    claim_of_pair = [place_of[pair.claim] for pair in ranked]
    return _Table(counts, claim_of_pair, np.array(hits, dtype=np.float64), ends)


def _gold_pairs(request: Request, findings: Findings) -> GoldPairs:
    if request.gold is None:
        raise ValueError("scifact_open needs a gold file")
    gold: GoldPairs = {}
    for values, place in read_objects(request.gold, findings):
        claim = claim_id(values, "id", '{"id": 1, "evidence": {…}}', place)
        if claim is not None and claim in gold:
            place.error(f"The gold claim {shown(claim)} occurs twice.")
        labels = _gold_labels(values, place)
        if claim is not None:
            gold[claim] = labels
    return gold


def _gold_labels(values: Values, place: Place) -> dict[str, str]:
    shape = '{"id": 1, "evidence": {"11": {"label": "SUPPORT", …}}}'
    evidence = mapping(values, "evidence", shape, place) or {}
    labels: dict[str, str] = {}
    for document, entry in evidence.items():
        field = f"evidence.{document[:100]}"
        if not isinstance(entry, dict):
            place.error(f"{field}: expected an object, found {kind_of(entry)}.")
            continue
        label = label_word(entry.get("label"), f"{field}.label", GOLD_WORDS, place)
        if label is not None:
            labels[document] = label
    return labels


def _predicted_pairs(
    request: Request,
    findings: Findings,
    claims: Mapping[ClaimId, object],
    documents: Documents | None,
) -> list[PredictedPair]:
    pairs: list[PredictedPair] = []
    lines: dict[Pair, int | None] = {}
    for values, place in read_objects(request.predictions, findings):
        pair = _parse(values, place)
        if place.claim_id is not None and place.claim_id not in claims:
            place.error(f"The claim {shown(place.claim_id)} is not in the gold file.")
        if pair is None:
            continue
        key = (pair.claim, pair.document)
        if key in lines:
            place.error(f"This claim and document are on line {lines[key]} already.")
        lines.setdefault(key, place.line)
        warn_about_document(pair.document, documents, place)
        pairs.append(pair)
    return pairs


def _parse(values: Values, place: Place) -> PredictedPair | None:
    claim = claim_id(values, "claim_id", SHAPE, place)
    document = values.get("doc_id")
    if type(document) is not int and not (isinstance(document, str) and document):
        place.error(f"doc_id: expected an id, found {kind_of(document)}.")
    label = label_word(values.get("predicted_label"), "predicted_label", WORDS, place)
    support = _number(values, "p_support", place)
    contradict = _number(values, "p_contradict", place)
    rank = _number(values, "rank", place)
    if claim is None or label is None or place.has_errors:
        return None
    best = SUPPORT if support >= contradict else CONTRADICT
    score = max(support, contradict)
    return PredictedPair(claim, str(document), label, score, best, rank)


def _number(values: Values, key: str, place: Place) -> float:
    value: Json = values.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    place.error(f"{key}: expected a number, found {kind_of(value)}.")
    return 0.0


TASK = ScifactOpenTask()
