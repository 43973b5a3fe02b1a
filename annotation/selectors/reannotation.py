"""Which pairs can be judged once more, and how far the samples of a project are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import (
    Judgement,
    Lease,
    Pair,
    Project,
    ReannotationSample,
    SampledPair,
    Stage,
    Verdict,
)
from annotation.sampling import Stratum, allocate, draw
from corpus.models import User

Kind = ReannotationSample.Stratum
DRAWABLE = (Pair.State.JUDGED, Pair.State.APPROVED)
CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that can be drawn, and how many judgements stand for it."""

    pair: int
    state: str
    judgements: int
    label: str
    annotator: int

    def stratum(self, kinds: Sequence[str]) -> Stratum:
        """Where the pair belongs; its first judgement says so."""
        values = {
            Kind.LABEL: self.label,
            Kind.ANNOTATOR: str(self.annotator),
            Kind.STAGE: self.state,
        }
        return tuple(values[Kind(kind)] for kind in kinds)


def candidates(project: Project) -> Iterator[Candidate]:
    """Yield the pairs of which everybody has finished judging, in one query.

    Never imported gold, which has no annotator, nor what was adjudicated: that is
    decided by more than its judgements.
    """
    adjudicated = Verdict.objects.filter(
        pair=OuterRef("pair"), provenance=Verdict.Provenance.ADJUDICATED
    )
    rows = (
        Judgement.objects.filter(
            ~Exists(adjudicated),
            pair__project=project,
            pair__state__in=DRAWABLE,
            origin=Judgement.Origin.ANNOTATOR,
            slot__isnull=False,
        )
        .exclude(pair__origin=Pair.Origin.GENERATED)
        .order_by("pair", "slot")
        .values_list("pair", "pair__state", "label", "annotator")
    )
    for pair, found in groupby(rows.iterator(chunk_size=CHUNK), itemgetter(0)):
        (_, state, label, annotator), *others = found
        yield Candidate(pair, state, 1 + len(others), label, annotator or 0)


@dataclass(frozen=True, slots=True)
class StratumRow:
    """A stratum in words, with what it has and what a sample takes of it."""

    words: tuple[str, ...]
    available: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A sample before it is drawn."""

    pairs: Sequence[Candidate]
    rows: Sequence[StratumRow]


def plan_sample(
    project: Project, *, kinds: Sequence[str], size: int, seed: int
) -> Plan:
    """Return the sample that would be drawn now; ``ValueError`` if it is too large."""
    found = {candidate.pair: candidate for candidate in candidates(project)}
    strata: dict[Stratum, list[int]] = defaultdict(list)
    for candidate in found.values():
        strata[candidate.stratum(kinds)].append(candidate.pair)
    sizes = {stratum: len(keys) for stratum, keys in strata.items()}
    counts = allocate(sizes, size)
    words = _words(project, kinds, strata)
    return Plan(
        [found[key] for key in draw(strata, size, seed)],
        [StratumRow(words[h], sizes[h], counts[h]) for h in sorted(strata)],
    )


def _words(
    project: Project, kinds: Sequence[str], strata: dict[Stratum, list[int]]
) -> dict[Stratum, tuple[str, ...]]:
    """Return each stratum as people read it."""
    words = {choice.label.value: choice.word for choice in project.labels}
    words |= {state.value: state.label for state in DRAWABLE}
    if Kind.ANNOTATOR in kinds:
        at = list(kinds).index(Kind.ANNOTATOR)
        people = User.objects.filter(pk__in={int(stratum[at]) for stratum in strata})
        words |= {str(person.pk): str(person) for person in people}
    return {h: tuple(words.get(value, value) for value in h) for h in strata}


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A sample and how far it is."""

    sample: ReannotationSample
    total: int
    done: int
    in_hand: int

    @property
    def strata_words(self) -> str:
        """By what it was stratified."""
        return ", ".join(Kind(kind).label for kind in self.sample.strata)

    @property
    def can_be_undone(self) -> bool:
        """Whether nobody has begun with it, as far as can be seen without a lock."""
        return not self.done and not self.in_hand


def sample_rows(project: Project) -> list[SampleRow]:
    """Return the samples of a project, newest first."""
    samples = (
        project.reannotation_samples.annotate(total=Count("sampled"))
        .select_related("drawn_by")
        .order_by("-pk")
    )
    done = _per_sample(done_pairs(project))
    in_hand = _per_sample(held_pairs(project))
    return [
        SampleRow(
            sample, sample.total, done.get(sample.pk, 0), in_hand.get(sample.pk, 0)
        )
        for sample in samples
    ]


def _sampled(project: Project) -> QuerySet[SampledPair]:
    return SampledPair.objects.filter(sample__project=project)


def done_pairs(project: Project) -> QuerySet[SampledPair]:
    """The drawn pairs that have the judgement for which they were drawn."""
    standing = Count("pair__judgements", filter=Q(pair__judgements__slot__isnull=False))
    return _sampled(project).annotate(n=standing).filter(n__gte=F("judgements"))


def held_pairs(project: Project) -> QuerySet[SampledPair]:
    """The drawn pairs that somebody has in front of them."""
    held = Lease.objects.filter(
        stage=Stage.VERIFY, item_id=OuterRef("pair"), expires_at__gt=timezone.now()
    )
    return _sampled(project).filter(Exists(held))


def _per_sample(rows: QuerySet[SampledPair]) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for sample in rows.values_list("sample", flat=True):
        found[sample] += 1
    return dict(found)
