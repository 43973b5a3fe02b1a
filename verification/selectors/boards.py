"""What a board shows to a reader: the rows, as far as they may be known now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from verification.access import BenchmarkAccess
from verification.board_rows import Order, Row, Tie, Value, in_order, with_places
from verification.deadlines import clock_time
from verification.disclosure import Detail, detail_of, disclosed_signature
from verification.models import Comparison, Phase, Score, Submission
from verification.services.scoring import value_at
from verification.services.ties import first_place

ANONYMOUS = "anonymous"
ORGANISERS = "the organisers"
Standing = Submission.Standing


@dataclass(frozen=True, slots=True)
class Board:
    """A phase's board as one reader sees it.

    ``measures`` names the columns, the primary one first. ``slices`` are those to
    choose from; the values are those of ``slice_name`` where one was chosen.
    """

    phase: Phase
    detail: Detail
    primary: str
    measures: list[str]
    rows: list[Row]
    order: Order
    slices: list[str]
    slice_name: str = ""
    # What the organisers see before others do.
    is_early: bool = False

    @property
    def is_blind(self) -> bool:
        """Whether no score is shown."""
        return self.detail is Detail.NOTHING

    @property
    def is_rounded(self) -> bool:
        """Whether scores have one decimal because the gold is hidden."""
        return self.detail is Detail.OVERALL

    @property
    def closes_words(self) -> str:
        """The deadline in words; nothing without one."""
        closes_at = self.phase.closes_at
        return clock_time(closes_at, UTC, "UTC") if closes_at else ""


def default_phase(access: BenchmarkAccess, now: datetime) -> Phase | None:
    """Return the first phase whose scores the reader may see, else the latest."""
    phases = list(access.phases())
    seen = (p for p in phases if access.detail(p, now) is not Detail.NOTHING)
    return next(seen, phases[-1] if phases else None)


def board_of(
    access: BenchmarkAccess,
    phase: Phase,
    now: datetime,
    *,
    sort: str = "",
    is_descending: bool | None = None,
    slice_name: str = "",
) -> Board:
    """Return the board of a phase; an unknown column or slice is not an error."""
    detail = access.detail(phase, now)
    primary = access.benchmark.primary_metric
    entries = list(_entries(access, phase, detail))
    current = {entry.pk: scores[0] for entry in entries if (scores := _scores(entry))}
    slices = _slices(current.values()) if detail is Detail.EVERYTHING else []
    chosen = slice_name if slice_name in slices else ""
    reader = _Reader(detail, access.is_organiser, primary, chosen)
    ties = _ties(entries, current, primary) if reader.shows_ties else {}
    rows = with_places(
        [reader.row(entry, current.get(entry.pk), ties) for entry in entries], primary
    )
    measures = _measures(current.values(), primary)
    order = _order(sort, is_descending, [*measures], detail)
    return Board(
        phase=phase,
        detail=detail,
        primary=primary,
        measures=measures,
        rows=in_order(rows, order),
        order=order,
        slices=slices,
        slice_name=chosen,
        is_early=detail_of(phase, now=now, is_organiser=False) is not detail,
    )


def _entries(
    access: BenchmarkAccess, phase: Phase, detail: Detail
) -> QuerySet[Submission]:
    """The entries with their scores; a blind board does not even load these."""
    entries = access.entries(phase).select_related("submitter", "team")
    if detail is Detail.NOTHING:
        return entries
    scores = Score.objects.order_by("-pk").defer("by_claim", "extra", "counts")
    return entries.prefetch_related(
        Prefetch("scores", queryset=scores, to_attr="newest_first")
    )


def _scores(entry: Submission) -> list[Score]:
    """The scores that may be shown: none of a blind board, none of a tombstone."""
    if entry.standing != Standing.PUBLISHED:
        return []
    return list(getattr(entry, "newest_first", []))


def _measures(scores: Iterable[Score], primary: str) -> list[str]:
    names = {name for score in scores for name in score.intervals}
    return [primary, *sorted(names - {primary})]


def _slices(scores: Iterable[Score]) -> list[str]:
    return sorted({name for score in scores for name in score.slices})


def _order(
    sort: str, is_descending: bool | None, measures: Sequence[str], detail: Detail
) -> Order:
    """Return the asked order; a blind board is always in that of the names."""
    texts = ("system", "by", "setting", "model_size")
    numbers = () if detail is Detail.NOTHING else ("n_claims", "unjudged", *measures)
    if sort not in {*texts, *numbers}:
        blind = detail is Detail.NOTHING
        return Order("system", False) if blind else Order(measures[0], True)
    if is_descending is None:
        is_descending = sort in numbers
    return Order(sort, is_descending)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns entries into what one reader may know of them."""

    detail: Detail
    is_organiser: bool
    primary: str
    slice_name: str

    @property
    def shows_ties(self) -> bool:
        """Ties come from unrounded scores of all claims."""
        return self.detail is Detail.EVERYTHING and not self.slice_name

    def row(
        self, entry: Submission, score: Score | None, ties: Mapping[int, Tie]
    ) -> Row:
        is_nameless = entry.is_anonymous and not self.is_organiser
        about = {} if score is None else self._about_score(entry, score)
        return Row(
            token=entry.token,
            system=entry.system,
            by=self._by(entry),
            behind=_who(entry) if entry.is_anonymous and self.is_organiser else "",
            setting=entry.setting,
            model_size=entry.model_size,
            external_data=entry.external_data,
            description=entry.description if entry.is_baseline else "",
            # An address can tell who it is; it comes with the name.
            paper_url="" if is_nameless else entry.paper_url,
            code_url="" if is_nameless else entry.code_url,
            is_baseline=entry.is_baseline,
            standing=entry.standing,
            reason=entry.reason,
            year=entry.received_at.astimezone(UTC).year,
            tie=ties.get(entry.pk),
            **about,
        )

    def _by(self, entry: Submission) -> str:
        if entry.is_baseline:
            return ORGANISERS
        if entry.is_anonymous:
            return ANONYMOUS
        # What was disqualified may never have been published with a name.
        if entry.standing != Standing.PUBLISHED and not self.is_organiser:
            return ""
        return _who(entry)

    def _about_score(self, entry: Submission, score: Score) -> dict[str, Any]:
        is_open = self.detail is Detail.EVERYTHING
        part = score.slices.get(self.slice_name) if self.slice_name else None
        values = _values(score) if not self.slice_name else _slice_values(part)
        shows_all = is_open and not self.slice_name
        return {
            "values": {n: v.as_detail(self.detail) for n, v in values.items()},
            "n_claims": (part or {}).get("n_claims")
            if self.slice_name
            else score.n_claims,
            "predicted": score.predicted_abstracts if shows_all else None,
            "unjudged": score.unjudged_abstracts if shows_all else None,
            "signature": disclosed_signature(score.signature, self.detail),
            "earlier": self._earlier(entry) if not self.slice_name else (),
        }

    def _earlier(self, entry: Submission) -> list[tuple[str, float | None]]:
        """What earlier versions of the scorer, or earlier gold, found."""
        return [
            (old.scorer_version, Value(old.primary).as_detail(self.detail).value)
            for old in _scores(entry)[1:]
        ]


def _who(entry: Submission) -> str:
    return entry.team.name if entry.team else entry.submitter.display_name


def _values(score: Score) -> dict[str, Value]:
    return {
        name: Value(
            value_at(score.metrics, name),
            (interval or {}).get("low"),
            (interval or {}).get("high"),
        )
        for name, interval in score.intervals.items()
    }


def _slice_values(part: Mapping[str, Any] | None) -> dict[str, Value]:
    """Values on a slice; an entry that was scored before slices were has none."""
    metrics = part["metrics"] if part else {}
    return {name: Value(value) for name, value in metrics.items()}


# Ties --------------------------------------------------------------------------


def _ties(
    entries: Sequence[Submission], current: Mapping[int, Score], metric: str
) -> dict[int, Tie]:
    best = first_place(entries, current)
    if not best:
        return {}
    compared = {
        comparison.second_id: comparison
        for comparison in Comparison.objects.filter(first=current[best], metric=metric)
    }
    found = {best: Tie.FIRST}
    for pk, score in current.items():
        if pk != best and score.primary is not None:
            found[pk] = _tie(compared.get(score.pk))
    return found


def _tie(comparison: Comparison | None) -> Tie:
    if comparison is None:
        return Tie.MISSING
    if comparison.is_tie:
        return Tie.TIED
    return Tie.BEHIND if comparison.observed > 0 else Tie.ABOVE
