"""Everything that a project says about agreement, from its doubly judged pairs.

Pairs are read one by one and folded into tallies for each abstract; nothing else of
them is kept but the keys of those that disagree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

from annotation.agreement import (
    Category,
    Coefficient,
    Tally,
    cohen_kappa,
    percent_agreement,
    prevalence,
)
from annotation.agreement_intervals import (
    RESAMPLES,
    Interval,
    Measure,
    Sample,
    estimates,
    intervals,
)

NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
CHOSEN, NOT_CHOSEN = "a sentence", "no sentence"
WEEKLY_RESAMPLES = 1_000


class Part(StrEnum):
    """What people may agree on."""

    LABELS = "labels"
    SENTENCES = "sentences"
    EVIDENCE_SENTENCES = "sentences_without_not_enough_info"


class Kind(StrEnum):
    """On what a pair's judgements disagree; label first."""

    LABEL = "label"
    SENTENCES = "sentences"


class Shown(StrEnum):
    """Whether anybody who judged a pair was shown a model's suggestion."""

    YES = "yes"
    NO = "no"

    @property
    def was_shown(self) -> bool:
        """As a yes or no."""
        return self is Shown.YES


@dataclass(frozen=True, slots=True)
class Rating:
    """What one annotator said of a pair, and when it was first submitted.

    ``arm``, ``was_shown`` and ``taken`` say how they stood to a model's suggestion.
    """

    annotator: int
    label: str
    sentences: frozenset[int]
    at: datetime
    arm: str = "none"
    was_shown: bool = False
    taken: str = "none"


@dataclass(frozen=True, slots=True)
class RatedPair:
    """A pair that was judged at least twice; ratings in the order of submission."""

    pair: int
    document: int
    origin: str
    n_sentences: int
    ratings: tuple[Rating, ...]
    claim_id: str = ""
    document_id: str = ""

    @property
    def day(self) -> date:
        """The day, in UTC, on which the second judgement came."""
        return self.ratings[1].at.astimezone(UTC).date()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the order of submission."""
        return tuple(rating.label for rating in self.ratings)

    @property
    def had_suggestion(self) -> bool:
        """Whether anybody who judged it was shown a model's suggestion."""
        return any(rating.was_shown for rating in self.ratings)

    @property
    def has_only_evidence(self) -> bool:
        """Whether nobody said NOT ENOUGH INFO."""
        return NOT_ENOUGH_INFO not in self.labels

    @property
    def disagreement(self) -> Kind | None:
        """On what these judgements disagree, if they do."""
        if len(set(self.labels)) > 1:
            return Kind.LABEL
        if len({rating.sentences for rating in self.ratings}) > 1:
            return Kind.SENTENCES
        return None

    def sentence_tally(self) -> Tally:
        """Return how often each combination of yes and no occurs over sentences."""
        chosen = [rating.sentences for rating in self.ratings]
        named = frozenset[int]().union(*chosen)
        found: dict[tuple[Category, ...], int] = {}
        for n in named:
            said = tuple(CHOSEN if n in own else NOT_CHOSEN for own in chosen)
            found[said] = found.get(said, 0) + 1
        if rest := self.n_sentences - len(named):
            found[(NOT_CHOSEN,) * len(chosen)] = rest
        return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pairs count. Days are those of UTC; an empty filter takes everything.

    ``sample`` is the key of a sample for re-annotation: whoever reads the pairs reads
    only those of it.
    """

    since: date | None = None
    until: date | None = None
    annotator: int | None = None
    origin: str = ""
    sample: int | None = None
    suggestion: Shown | None = None

    def takes(self, rated: RatedPair) -> bool:
        """Whether a pair counts: its second judgement, people, origin, suggestion."""
        if self.since and rated.day < self.since:
            return False
        if self.until and rated.day > self.until:
            return False
        if self.origin and rated.origin != self.origin:
            return False
        if self.suggestion and rated.had_suggestion is not self.suggestion.was_shown:
            return False
        people = {rating.annotator for rating in rated.ratings}
        return self.annotator is None or self.annotator in people


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient with its interval."""

    coefficient: Coefficient
    interval: Interval


@dataclass(frozen=True, slots=True)
class Figures:
    """All coefficients of one part, with what they rest on."""

    n_items: int
    n_clusters: int
    n_ratings: int
    by_measure: Mapping[Measure, Figure]
    prevalence: Mapping[Category, float]


@dataclass(frozen=True, slots=True)
class Two:
    """How two annotators agree on the labels of their common pairs."""

    first: int
    second: int
    kappa: Coefficient
    percent: Coefficient


@dataclass(frozen=True, slots=True)
class Week:
    """Cohen's kappa of the pairs whose second judgement came in a week."""

    monday: date
    figure: Figure


@dataclass(frozen=True, slots=True)
class Report:
    """A project's agreement, before any review and after it."""

    n_pairs: int
    first: Mapping[Part, Figures]
    after: Mapping[Part, Figures]
    confusion: Tally
    people: Sequence[Two]
    weeks: Sequence[Week]
    disagreeing: Sequence[tuple[int, Kind]]


ByDocument: TypeAlias = defaultdict[int, Counter[tuple[Category, ...]]]


def _by_document() -> ByDocument:
    return defaultdict(Counter)


@dataclass(slots=True)
class _Tallies:
    """The tallies of each abstract."""

    parts: dict[Part, ByDocument]
    n_pairs: int = 0

    @classmethod
    def empty(cls, has_sentences: bool) -> _Tallies:
        parts = Part if has_sentences else (Part.LABELS,)
        return cls({part: _by_document() for part in parts})

    def add(self, rated: RatedPair) -> None:
        self.n_pairs += 1
        self.parts[Part.LABELS][rated.document][rated.labels] += 1
        if Part.SENTENCES not in self.parts:
            return
        parts = [Part.SENTENCES]
        if rated.has_only_evidence:
            parts.append(Part.EVIDENCE_SENTENCES)
        for said, count in rated.sentence_tally().items():
            for part in parts:
                self.parts[part][rated.document][said] += count

    def samples(self, documents: Sequence[int], n_labels: int) -> dict[Part, Sample]:
        """Return each part by abstract, in the order of ``documents``."""
        return {
            part: Sample(
                [found.get(document, {}) for document in documents],
                n_labels if part is Part.LABELS else 2,
            )
            for part, found in self.parts.items()
        }


@dataclass(slots=True)
class _First:
    """What is only said of judgements as first submitted."""

    tallies: _Tallies
    confusion: Counter[tuple[Category, ...]] = field(default_factory=Counter)
    people: dict[tuple[int, int], Counter[tuple[Category, ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    weeks: dict[date, ByDocument] = field(
        default_factory=lambda: defaultdict(_by_document)
    )
    disagreeing: list[tuple[int, Kind]] = field(default_factory=list)

    def add(self, rated: RatedPair) -> None:
        self.tallies.add(rated)
        labels = rated.labels[:2]
        self.confusion[labels] += 1
        monday = rated.day - timedelta(days=rated.day.weekday())
        self.weeks[monday][rated.document][labels] += 1
        by_person = sorted(rated.ratings, key=lambda rating: rating.annotator)
        for one, other in combinations(by_person, 2):
            self.people[one.annotator, other.annotator][one.label, other.label] += 1
        if kind := rated.disagreement:
            self.disagreeing.append((rated.pair, kind))


def build_report(
    first: Iterable[RatedPair],
    after: Iterable[RatedPair],
    *,
    n_labels: int,
    has_sentences: bool = True,
    resamples: int = RESAMPLES,
) -> Report:
    """Return the report on pairs as first submitted, and on them after review.

    ``after`` is read once ``first`` is finished.
    """
    begun = _First(_Tallies.empty(has_sentences))
    for rated in first:
        begun.add(rated)
    reviewed = _Tallies.empty(has_sentences)
    for rated in after:
        reviewed.add(rated)
    documents = sorted(
        begun.tallies.parts[Part.LABELS].keys() | reviewed.parts[Part.LABELS].keys()
    )
    columns = [
        tallies.samples(documents, n_labels) for tallies in (begun.tallies, reviewed)
    ]
    figures = _figures([s for column in columns for s in column.values()], resamples)
    half = len(figures) // 2
    return Report(
        n_pairs=begun.tallies.n_pairs,
        first=dict(zip(columns[0], figures[:half], strict=True)),
        after=dict(zip(columns[1], figures[half:], strict=True)),
        confusion=dict(begun.confusion),
        people=_people(begun.people),
        weeks=_weeks(begun.weeks, n_labels),
        disagreeing=tuple(sorted(begun.disagreeing)),
    )


def _figures(samples: Sequence[Sample], resamples: int) -> list[Figures]:
    return [
        _joined(sample, found)
        for sample, found in zip(
            samples, intervals(samples, resamples=resamples), strict=True
        )
    ]


def _joined(sample: Sample, found: Mapping[Measure, Interval]) -> Figures:
    total = sample.total()
    return Figures(
        n_items=sum(total.values()),
        n_clusters=sum(map(bool, sample.clusters)),
        n_ratings=sum(len(said) * count for said, count in total.items()),
        by_measure={
            measure: Figure(coefficient, found[measure])
            for measure, coefficient in estimates(sample).items()
        },
        prevalence=prevalence(total),
    )


def _people(
    found: Mapping[tuple[int, int], Tally],
) -> tuple[Two, ...]:
    return tuple(
        Two(one, other, cohen_kappa(tally), percent_agreement(tally))
        for (one, other), tally in sorted(found.items())
    )


def _weeks(found: Mapping[date, ByDocument], n_labels: int) -> tuple[Week, ...]:
    """Each week is a sample of its own, with fewer resamples: it is a first look."""
    weeks = []
    for monday, documents in sorted(found.items()):
        sample = Sample(list(documents.values()), n_labels)
        (figures,) = _figures([sample], WEEKLY_RESAMPLES)
        weeks.append(Week(monday, figures.by_measure[Measure.COHEN]))
    return tuple(weeks)
