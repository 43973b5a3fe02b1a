"""The doubly judged pairs of a project, and what they say of its agreement.

Rows are read once, in the order of pairs; the number of queries depends on nothing.
Imported gold has no annotator and generated pairs no judgement of their own: neither
counts. Nor do answers that were taken back, and retired pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, QuerySet

from annotation.agreement_report import (
    Kind,
    RatedPair,
    Rating,
    Report,
    Wanted,
    build_report,
)
from annotation.models import (
    Judgement,
    JudgementVersion,
    Pair,
    Project,
    SampledPair,
)
from corpus import caching
from corpus.models import Document, Event, User
from corpus.text import row_key

CHUNK = 2_000
KEPT_SECONDS = 7 * 24 * 3600
PAGE_SIZE = 50
# Raised when the same rows give another report.
VERSION = 2


class _Row(NamedTuple):
    """One version of a judgement, as it is read; the columns follow in ``COLUMNS``."""

    pair: int
    judgement: int
    document: int
    origin: str
    claim_id: str
    document_id: str
    annotator: int
    slot: int | None
    label: str
    rationales: list[dict[str, Any]]
    at: datetime
    arm: str
    was_shown: bool
    taken: str

    def rating(self) -> Rating:
        sentences = frozenset(n for r in self.rationales for n in r["sentences"])
        return Rating(
            self.annotator,
            self.label,
            sentences,
            self.at,
            self.arm,
            self.was_shown,
            self.taken,
        )


COLUMNS = (
    "judgement__pair",
    "judgement",
    "judgement__pair__document",
    "judgement__pair__origin",
    "judgement__pair__claim__external_id",
    "judgement__pair__document__external_id",
    "judgement__annotator",
    "judgement__slot",
    "label",
    "rationales",
    "created_at",
    "judgement__suggestion_arm",
    "judgement__suggestion_shown",
    "judgement__suggestion_taken",
)
Choose = Callable[[Sequence[_Row]], Sequence[_Row]]


@dataclass(frozen=True, slots=True)
class RatedPairs:
    """The pairs of a project that a filter takes, before review and after it.

    ``first`` is read before ``after``, which has the same pairs.
    """

    project: Project
    wanted: Wanted

    def first(self, taken: set[int]) -> Iterator[RatedPair]:
        """Yield the pairs with their answers as first submitted.

        A judgement that took the place of a rejected one is not independent of the
        review: only the first one in each slot counts.
        """
        slots = _slots_left(_judgements(self.project, self.wanted.sample))

        def choose(rows: Sequence[_Row]) -> Sequence[_Row]:
            held = [(row.judgement, row.slot) for row in rows]
            chosen = _first_in_each_slot(held, slots)
            return [row for row in rows if row.judgement in chosen]

        for rated in self._pairs(
            _standing(self.project, self.wanted.sample).filter(number=1), choose
        ):
            if self.wanted.takes(rated):
                taken.add(rated.pair)
                yield rated

    def after(self, taken: set[int]) -> Iterator[RatedPair]:
        """Yield the same pairs with the answers that reviewers have approved."""
        approved = _standing(self.project, self.wanted.sample).filter(
            judgement__state=Judgement.State.APPROVED,
            number=F("judgement__version"),
        )
        for rated in self._pairs(approved, list):
            if rated.pair in taken:
                yield rated

    def _pairs(
        self, versions: QuerySet[JudgementVersion], choose: Choose
    ) -> Iterator[RatedPair]:
        counts = self._sentence_counts()
        found = versions.order_by("judgement__pair", "judgement").values_list(*COLUMNS)
        rows = map(_Row._make, found.iterator(chunk_size=CHUNK))
        for pair, of_pair in groupby(rows, attrgetter("pair")):
            chosen = choose(list(of_pair))
            # A pair that was judged again since the counts were read comes next time.
            if len(chosen) > 1 and chosen[0].document in counts:
                one = chosen[0]
                yield RatedPair(
                    pair=pair,
                    document=one.document,
                    origin=one.origin,
                    n_sentences=counts[one.document],
                    ratings=tuple(row.rating() for row in chosen),
                    claim_id=one.claim_id,
                    document_id=one.document_id,
                )

    def _sentence_counts(self) -> dict[int, int]:
        documents = _twice_judged(self.project, self.wanted.sample).values(
            "pair__document"
        )
        found = Document.objects.filter(pk__in=documents).values_list("pk", "sentences")
        return {pk: len(sentences) for pk, sentences in found.iterator(CHUNK)}


def _judgements(project: Project, sample: int | None = None) -> QuerySet[Judgement]:
    """The judgements of a project, or of the pairs of a sample, that may count."""
    rows = Judgement.objects.filter(pair__project=project)
    if sample is not None:
        drawn = SampledPair.objects.filter(sample=sample).values("pair")
        rows = rows.filter(pair__in=drawn)
    return _that_count(rows)


def _that_count(judgements: QuerySet[Judgement]) -> QuerySet[Judgement]:
    return (
        judgements.filter(origin=Judgement.Origin.ANNOTATOR)
        .exclude(state=Judgement.State.WITHDRAWN)
        .exclude(pair__state=Pair.State.RETIRED)
        .exclude(pair__origin=Pair.Origin.GENERATED)
    )


def _twice_judged(project: Project, sample: int | None) -> QuerySet[Judgement, Any]:
    """The pairs with at least two such judgements, grouped."""
    return (
        _judgements(project, sample)
        .order_by()
        .values("pair", "pair__document")
        .annotate(n=Count("pk"))
        .filter(n__gte=2)
    )


def _slots_left(judgements: QuerySet[Judgement]) -> dict[int, int]:
    """Return the slot in which each judgement was given that holds none any more."""
    freed = judgements.filter(slot=None).values("pk")
    submits = Event.objects.filter(noun="judgement", verb="submit", object_id__in=freed)
    return {
        judgement: payload["set"]["slot"]
        for judgement, payload in submits.values_list("object_id", "payload")
    }


def _first_in_each_slot(
    held: Iterable[tuple[int, int | None]], left: Mapping[int, int]
) -> set[int]:
    """Return the first judgement in each slot of a pair.

    ``held`` has judgements in their order, each with its slot now; ``left`` has the
    slot of those that have none.
    """
    firsts: dict[int, int] = {}
    for judgement, slot in held:
        # One whose submission left no event has a place of its own.
        place = left.get(judgement, -judgement) if slot is None else slot
        firsts.setdefault(place, judgement)
    return set(firsts.values())


def _standing(project: Project, sample: int | None) -> QuerySet[JudgementVersion]:
    """The versions of the judgements of these pairs."""
    return JudgementVersion.objects.filter(
        judgement__in=_judgements(project, sample),
        judgement__pair__in=_twice_judged(project, sample).values("pair"),
    )


def agreement_of(project: Project, wanted: Wanted) -> Report:
    """Return the report; a computed one is kept until something is judged or decided.

    Where the cache cannot be reached, it is computed each time.
    """
    key = _key(project, wanted)
    kept = caching.get(key)
    if isinstance(kept, Report):
        return kept
    pairs, taken = RatedPairs(project, wanted), set[int]()
    report = build_report(
        pairs.first(taken),
        pairs.after(taken),
        n_labels=len(project.labels),
        has_sentences=project.rules.has_rationales,
    )
    caching.put(key, report, KEPT_SECONDS)
    return report


def _key(project: Project, wanted: Wanted) -> str:
    """Return what changes with whatever changes the report.

    Everything that happens to a judgement or a pair leaves an event.
    """
    events = Event.objects.filter(
        project_id=project.pk, noun__in=("judgement", "pair")
    ).aggregate(n=Count("pk"), last=Max("pk"))
    versions = JudgementVersion.objects.filter(
        judgement__pair__project=project
    ).aggregate(n=Count("pk"), last=Max("pk"))
    parts = (VERSION, project.pk, project.label_scheme, project.settings)
    said = repr((*parts, wanted, events, versions))
    return f"agreement-{hashlib.sha256(said.encode()).hexdigest()}"


def people_of(project: Project) -> dict[int, User]:
    """Return everybody who has judged in a project, by key."""
    judges = _judgements(project).values("annotator")
    return {user.pk: user for user in User.objects.filter(pk__in=judges)}


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """A pair whose judgements disagree, with each as it was first submitted."""

    pair: Pair
    kind: Kind
    answers: Sequence[tuple[Judgement, str, str]]
    """Each judgement with its first label, and its first sentences in words."""


@dataclass(frozen=True, slots=True)
class DisagreementPage:
    """One page of them; ``next_after`` is empty on the last one."""

    rows: Sequence[DisagreementRow]
    next_after: str


def disagreement_page(
    report: Report, kind: Kind | None, after: str
) -> DisagreementPage:
    """Return the disagreeing pairs of a report after a key, in the order of pairs."""
    beyond = row_key(after) or 0
    keys = [
        (pk, found)
        for pk, found in report.disagreeing
        if pk > beyond and kind in (None, found)
    ]
    shown = dict(keys[:PAGE_SIZE])
    next_after = str(max(shown)) if len(keys) > PAGE_SIZE else ""
    return DisagreementPage(_disagreement_rows(shown), next_after)


def _disagreement_rows(shown: dict[int, Kind]) -> list[DisagreementRow]:
    pairs = (
        Pair.objects.filter(pk__in=shown)
        .select_related("claim", "document")
        .defer("document__sentences", "document__separators", "document__doubts")
    )
    judgements = _that_count(Judgement.objects.filter(pair__in=shown))
    versions = (
        JudgementVersion.objects.filter(judgement__in=judgements, number=1)
        .select_related("judgement__annotator")
        .order_by("judgement")
    )
    left = _slots_left(judgements)
    of_pairs: dict[int, list[JudgementVersion]] = {pk: [] for pk in shown}
    for version in versions:
        of_pairs[version.judgement.pair_id].append(version)
    return [
        DisagreementRow(pair, shown[pair.pk], _answers(of_pairs[pair.pk], left))
        for pair in pairs.order_by("pk")
    ]


def _answers(
    versions: Sequence[JudgementVersion], left: Mapping[int, int]
) -> list[tuple[Judgement, str, str]]:
    held = [(found.judgement_id, found.judgement.slot) for found in versions]
    firsts = _first_in_each_slot(held, left)
    return [
        (found.judgement, str(found.label), _sentence_words(found))
        for found in versions
        if found.judgement_id in firsts
    ]


def _sentence_words(version: JudgementVersion) -> str:
    """Return the chosen sentences as people count them, rationale by rationale."""
    return "; ".join(
        " + ".join(str(n + 1) for n in rationale["sentences"])
        for rationale in version.rationales
    )
