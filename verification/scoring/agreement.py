"""Agreement of a file of annotations, through ``annotation.agreement``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from annotation import agreement
from annotation.agreement import Coefficient, Tally
from corpus.formats import check_covid, fever, scifact
from corpus.formats.problems import kind_of, shown
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.reading import Values, read_objects
from verification.scoring.tasks import Request, Score, in_order
from verification.scoring.validate import claim_id, indices

if TYPE_CHECKING:
    from verification.scoring.metrics import Array, Measures

SHAPE = '{"claim_id": 1, "annotator": "a", "label": "SUPPORT", "sentences": [0], …}'

NEI_WORDS = frozenset(
    module.FORMAT.labels[Label.NOT_ENOUGH_INFO]
    for module in (scifact, check_covid, fever)
)

ALPHA = "krippendorff_alpha_nominal"
PAIRWISE = "pairwise_cohen_kappa."
MAX_ANNOTATORS = 200
"""Every two are compared, so their number is limited."""

MAX_SENTENCES = 1_000_000
"""The longest document that is believed."""

Pair: TypeAlias = tuple[ClaimId, str]


@dataclass(slots=True)
class _Annotations:
    """Labels and marked sentences by annotator and pair; sizes by pair."""

    labels: dict[str, dict[Pair, str]] = field(default_factory=dict)
    sentences: dict[str, dict[Pair, set[int]]] = field(default_factory=dict)
    sizes: dict[Pair, int] = field(default_factory=dict)

    def pairs(self) -> set[Pair]:
        """Return every pair that anybody judged."""
        return set().union(*self.labels.values())


@dataclass(frozen=True, slots=True)
class AgreementTask:
    """A file with one line for each annotator's judgement of each pair."""

    name: str = "agreement"
    profiles: Sequence[str] = ("nominal",)
    needs_gold: bool = False

    def score(self, request: Request, findings: Findings) -> Score | None:
        """Return every coefficient; one that is undefined is ``None`` and explained."""
        annotations = _read(request, findings)
        if findings.has_errors:
            return None
        measures = [*_label_measures(annotations), *_sentence_measures(annotations)]
        for measure in measures:
            coefficient = measure.value()
            if coefficient.value is None:
                message = f"{measure.name} is undefined: {coefficient.reason}"
                findings.warn(request.predictions.name, None, None, message)
        claims = in_order({claim for claim, _ in annotations.pairs()})
        return Score(
            _metrics(annotations, measures),
            {},
            claims,
            lambda weights: _resampled(measures, claims, weights),
        )

    def validate(self, request: Request, findings: Findings) -> None:
        """Check the file of annotations."""
        _read(request, findings)


@dataclass(frozen=True, slots=True)
class _Measure:
    """A coefficient and what it is computed from, by claim."""

    name: str
    coefficient: Callable[[Tally], Coefficient]
    by_claim: Mapping[ClaimId, Tally]

    def value(self) -> Coefficient:
        """Return the coefficient over all claims."""
        return self.coefficient(_added(self.by_claim.values()))


def _added(tallies: Iterable[Tally]) -> Tally:
    total: Counter[tuple[Hashable, ...]] = Counter()
    for tallied in tallies:
        total.update(tallied)
    return total


def _label_measures(annotations: _Annotations) -> Iterator[_Measure]:
    """Yield the measures of all annotators, of each two, and of the only two."""
    labels = annotations.labels
    # The order of annotators means nothing to these three.
    items = {
        pair: tuple(sorted(map(str, ratings)))
        for pair, ratings in agreement.ratings_by_item(labels).items()
    }
    ratings = _by_claim((pair, agreement.tally([item])) for pair, item in items.items())
    yield _Measure("fleiss_kappa", agreement.fleiss_kappa, ratings)
    yield _Measure(ALPHA, agreement.krippendorff_alpha, ratings)
    # The scheme stays the same in a resample that lacks one of its labels.
    scheme = {label for by_pair in labels.values() for label in by_pair.values()}
    ac1 = partial(agreement.gwet_ac1, n_categories=len(scheme))
    yield _Measure("gwet_ac1", ac1, ratings)
    for first, second in combinations(sorted(labels), 2):
        common = _common(labels[first], labels[second])
        yield _Measure(f"{PAIRWISE}{first}-{second}", agreement.cohen_kappa, common)
    if len(labels) == 2:
        common = _common(*labels.values())
        yield _Measure("label_cohen_kappa", agreement.cohen_kappa, common)
        yield _Measure("label_percent_agreement", agreement.percent_agreement, common)


def _common(
    first: Mapping[Pair, str], second: Mapping[Pair, str]
) -> dict[ClaimId, Tally]:
    return _by_claim(
        (pair, agreement.tally([(label, second[pair])]))
        for pair, label in first.items()
        if pair in second
    )


def _sentence_measures(annotations: _Annotations) -> Iterator[_Measure]:
    """Yield the sentence measures of two annotators; none for other numbers."""
    if len(annotations.labels) != 2 or not annotations.sizes:
        return
    every = _by_claim(_sentence_tallies(annotations, with_nei=True))
    evidence = _by_claim(_sentence_tallies(annotations, with_nei=False))
    kappa, percent = agreement.cohen_kappa, agreement.percent_agreement
    alpha = agreement.krippendorff_alpha
    yield _Measure("sentence_cohen_kappa_all_pairs", kappa, every)
    yield _Measure("sentence_percent_agreement_all_pairs", percent, every)
    yield _Measure("sentence_cohen_kappa_pairs_both_evidence", kappa, evidence)
    yield _Measure("sentence_krippendorff_alpha_all_pairs", alpha, every)


def _by_claim(tallies: Iterable[tuple[Pair, Tally]]) -> dict[ClaimId, Tally]:
    claims: dict[ClaimId, Counter[tuple[Hashable, ...]]] = {}
    for (claim, _), tallied in tallies:
        claims.setdefault(claim, Counter()).update(tallied)
    return {**claims}


def _sentence_tallies(
    annotations: _Annotations, *, with_nei: bool
) -> Iterator[tuple[Pair, Tally]]:
    """Yield how often each, both or none of two annotators marked a sentence."""
    first, second = annotations.labels
    marked, labels = annotations.sentences, annotations.labels
    for pair, size in annotations.sizes.items():
        if pair not in marked[first] or pair not in marked[second]:
            continue
        if not with_nei and NEI_WORDS & {labels[first][pair], labels[second][pair]}:
            continue
        one, other = marked[first][pair], marked[second][pair]
        tallied = {
            (True, True): len(one & other),
            (True, False): len(one - other),
            (False, True): len(other - one),
            (False, False): size - len(one | other),
        }
        yield pair, {marks: count for marks, count in tallied.items() if count}


def _metrics(
    annotations: _Annotations, measures: Sequence[_Measure]
) -> dict[str, Json]:
    found = {measure.name: measure.value() for measure in measures}
    pairwise = {
        name.removeprefix(PAIRWISE): kappa
        for name, kappa in found.items()
        if name.startswith(PAIRWISE)
    }
    table: dict[str, Json] = {
        name: {"n_common_items": kappa.n_items, "kappa": kappa.value}
        for name, kappa in pairwise.items()
    }
    metrics: dict[str, Json] = {
        name: coefficient.value
        for name, coefficient in found.items()
        if not name.startswith(PAIRWISE)
    }
    metrics["n_items_with_two_or_more_labels"] = found[ALPHA].n_items
    metrics["pairwise_cohen_kappa"] = table
    mean = agreement.mean_of_defined(pairwise.values())
    metrics["mean_pairwise_cohen_kappa"] = mean.value
    for pairs in ("all_pairs", "pairs_both_evidence"):
        kappa = found.get(f"sentence_cohen_kappa_{pairs}")
        if kappa is not None:
            metrics[f"n_sentences_{pairs}"] = kappa.n_items
    return metrics


def _resampled(
    measures: Sequence[_Measure], claims: Sequence[ClaimId], weights: Array
) -> Measures:
    """Return each coefficient of each resample of claims."""
    import numpy as np

    place_of = {claim: n for n, claim in enumerate(claims)}
    return {
        measure.name: np.array(
            [
                _value_of(measure.coefficient(tallied))
                for tallied in _weighted(measure.by_claim, place_of, weights)
            ]
        )
        for measure in measures
    }


def _value_of(coefficient: Coefficient) -> float:
    return float("nan") if coefficient.value is None else coefficient.value


def _weighted(
    by_claim: Mapping[ClaimId, Tally], place_of: Mapping[ClaimId, int], weights: Array
) -> Iterator[Tally]:
    """Yield the tally of each row of weights."""
    where: dict[tuple[Hashable, ...], tuple[list[int], list[int]]] = {}
    for claim, tallied in by_claim.items():
        for ratings, count in tallied.items():
            places, counts = where.setdefault(ratings, ([], []))
            places.append(place_of[claim])
            counts.append(count)
    columns = [
        (weights[:, places] @ counts).astype(int).tolist()
        for places, counts in where.values()
    ]
    for row in range(len(weights)):
        counts_of_row = [column[row] for column in columns]
        counted = zip(where, counts_of_row, strict=True)
        yield {ratings: count for ratings, count in counted if count}


def _read(request: Request, findings: Findings) -> _Annotations:
    annotations = _Annotations()
    lines: dict[tuple[str, Pair], int | None] = {}
    for values, place in read_objects(request.predictions, findings):
        claim = claim_id(values, "claim_id", SHAPE, place)
        annotator = _text(values, "annotator", place)
        label = _text(values, "label", place)
        sentences = _marked(values, place)
        if claim is None or place.has_errors:
            continue
        pair = (claim, str(values.get("doc_id", "")))
        if (annotator, pair) in lines:
            at = lines[annotator, pair]
            place.error(f"{shown(annotator)} judged this pair on line {at} already.")
            continue
        lines[annotator, pair] = place.line
        if annotator not in annotations.labels:
            _check_number(len(annotations.labels), place)
        annotations.labels.setdefault(annotator, {})[pair] = label
        marked = annotations.sentences.setdefault(annotator, {})
        if sentences is not None:
            marked[pair] = set() if label in NEI_WORDS else set(sentences)
            _keep_size(annotations, pair, values, place)
    return annotations


def _check_number(before: int, place: Place) -> None:
    if before == MAX_ANNOTATORS:
        place.error(f"There are more than {MAX_ANNOTATORS} annotators.")


def _text(values: Values, key: str, place: Place) -> str:
    value = values.get(key)
    if isinstance(value, str) and value:
        return value
    place.error(f"{key}: expected text, found {kind_of(value)}. A line is {SHAPE}.")
    return ""


def _marked(values: Values, place: Place) -> list[int] | None:
    if "sentences" not in values:
        return None
    sentences = indices(values["sentences"], "sentences", place)
    size = values.get("n_sentences")
    if type(size) is not int or not 0 <= size <= MAX_SENTENCES:
        expected = f"expected a whole number up to {MAX_SENTENCES}"
        place.error(f"n_sentences: {expected}, found {shown(size)}.")
    elif sentences and not 0 <= min(sentences) <= max(sentences) < size:
        place.error(f"sentences: an index is out of range; n_sentences is {size}.")
    return sentences


def _keep_size(
    annotations: _Annotations, pair: Pair, values: Values, place: Place
) -> None:
    size = values["n_sentences"]
    assert isinstance(size, int)  # noqa: S101  # checked above
    if annotations.sizes.setdefault(pair, size) != size:
        place.error(
            f"n_sentences is {size} here and {annotations.sizes[pair]} on an earlier "
            "line of the same pair."
        )


TASK = AgreementTask()
