"""The figures of a report as the page on agreement shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from annotation.agreement import Coefficient
from annotation.agreement_intervals import FEW_CLUSTERS, Interval, Measure
from annotation.agreement_report import CHOSEN, Figure, Figures, Part, Report, Week
from annotation.charts import IntervalChart, Mark, interval_chart
from annotation.work_hours import week_name
from corpus.models import User

LONGEST_CHART = 104  # weeks
MEASURES: dict[Measure, tuple[str, str]] = {
    Measure.PERCENT: ("Equal answers", "first judgement against second"),
    Measure.COHEN: ("Cohen’s kappa", "first judgement against second"),
    Measure.AC1: ("Gwet’s AC1", "all judgements"),
    Measure.FLEISS: ("Fleiss’ kappa", "all judgements"),
    Measure.ALPHA: ("Krippendorff’s alpha", "all judgements"),
}
SHORT: dict[Measure, str] = {
    Measure.PERCENT: "equal",
    Measure.COHEN: "Cohen",
    Measure.AC1: "AC1",
    Measure.FLEISS: "Fleiss",
    Measure.ALPHA: "alpha",
}
PARTS: dict[Part, tuple[str, str]] = {
    Part.LABELS: (
        "Labels",
        "Each pair is one item. What SciFact reports is Cohen’s kappa, unweighted: the "
        "first judgements of all pairs, whoever gave them, against the second ones.",
    ),
    Part.SENTENCES: (
        "Sentences of all pairs",
        "Each sentence of each pair is one item: in a rationale, or not. Who says NOT "
        "ENOUGH INFO chooses no sentence.",
    ),
    Part.EVIDENCE_SENTENCES: (
        "Sentences of pairs without NOT ENOUGH INFO",
        "The same without the pairs that anybody called NOT ENOUGH INFO. The SciFact "
        "paper does not say which of the two it means.",
    ),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in a table, with everything that belongs to it."""

    value: str
    interval: str
    n: int
    reason: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A coefficient before review and after it."""

    name: str
    what: str
    first: Cell
    after: Cell


@dataclass(frozen=True, slots=True)
class PartTable:
    """All coefficients of labels, or of sentences."""

    code: str
    title: str
    note: str
    first: Figures
    after: Figures
    rows: Sequence[MeasureRow]


@dataclass(frozen=True, slots=True)
class Words:
    """The project's own words for labels, put into sentences too."""

    labels: Mapping[str, str]

    def of(self, label: object) -> str:
        """Return the word of a label."""
        return self.labels.get(str(label), str(label))

    def within(self, text: str) -> str:
        """Return a reason with the words of its labels."""
        for label, word in self.labels.items():
            text = text.replace(label, word)
        return text


def decimals(value: float) -> str:
    """Return a coefficient with three digits; never a negative zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def cell_of(figure: Figure, words: Words) -> Cell:
    """Return a figure for the table."""
    coefficient, interval = figure.coefficient, figure.interval
    if coefficient.value is None:
        return Cell("", "", coefficient.n_items, words.within(coefficient.reason))
    return Cell(
        decimals(coefficient.value),
        _interval_words(interval),
        coefficient.n_items,
        "" if interval.low is not None else interval.reason,
        _notes(interval),
    )


def _interval_words(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return ""
    return f"{decimals(interval.low)} to {decimals(interval.high)}"


def _notes(interval: Interval) -> list[str]:
    if not interval.n_undefined:
        return []
    return [
        f"{interval.n_undefined:,} of {interval.n_resamples:,} resamples have no value "
        "and are left out."
    ]


def part_tables(report: Report, words: Words) -> list[PartTable]:
    """Return a table for labels, and one for each reading of sentences."""
    return [
        PartTable(
            part.value,
            *PARTS[part],
            first,
            report.after[part],
            [
                MeasureRow(
                    *MEASURES[measure],
                    cell_of(figure, words),
                    cell_of(report.after[part].by_measure[measure], words),
                )
                for measure, figure in first.by_measure.items()
            ],
        )
        for part, first in report.first.items()
    ]


@dataclass(frozen=True, slots=True)
class ShareRow:
    """How often a label, or a sentence, was chosen: percent, and of how many."""

    word: str
    label: str
    both: Sequence[tuple[float, int] | None]
    """As first submitted, and after review."""


def prevalence_rows(
    report: Report, labels: Sequence[str], words: Words
) -> list[ShareRow]:
    """Return each label's share of all judgements in percent, and that of sentences."""
    first, after = report.first[Part.LABELS], report.after[Part.LABELS]
    rows = [
        ShareRow(words.of(label), label, [_percent(x, label) for x in (first, after)])
        for label in labels
    ]
    if Part.SENTENCES in report.first:
        first, after = report.first[Part.SENTENCES], report.after[Part.SENTENCES]
        shares = [_percent(x, CHOSEN) for x in (first, after)]
        rows.append(ShareRow("Sentences in a rationale", "", shares))
    return rows


def _percent(figures: Figures, category: str) -> tuple[float, int] | None:
    if not figures.n_items:
        return None
    return round(100 * figures.prevalence.get(category, 0.0), 1), figures.n_ratings


def confusion_rows(
    report: Report, labels: Sequence[str]
) -> list[tuple[str, list[int], int]]:
    """Return for each first label how often each second one came, and the sum."""
    return [
        (
            first,
            [report.confusion.get((first, second), 0) for second in labels],
            sum(n for said, n in report.confusion.items() if said[0] == first),
        )
        for first in labels
    ]


@dataclass(frozen=True, slots=True)
class PeopleMatrix:
    """Who agrees with whom: ``rows`` has a cell for each of ``people``, or none."""

    people: Sequence[User]
    rows: Sequence[tuple[User, Sequence[tuple[Cell, Cell] | None]]]


def people_matrix(
    report: Report, people: Mapping[int, User], words: Words
) -> PeopleMatrix:
    """Return kappa and the share of equal labels of every two annotators."""
    found = {}
    for two in report.people:
        cells = _plain_cell(two.kappa, words), _plain_cell(two.percent, words)
        found[two.first, two.second] = found[two.second, two.first] = cells
    judges = {key for pair in found for key in pair}
    ordered = sorted(
        (people[key] for key in judges if key in people),
        key=lambda user: (str(user).casefold(), user.pk),
    )
    return PeopleMatrix(
        ordered,
        [
            (one, [found.get((one.pk, other.pk)) for other in ordered])
            for one in ordered
        ],
    )


def _plain_cell(coefficient: Coefficient, words: Words) -> Cell:
    if coefficient.value is None:
        return Cell("", "", coefficient.n_items, words.within(coefficient.reason))
    return Cell(decimals(coefficient.value), "", coefficient.n_items, "")


def coefficients_chart(report: Report) -> IntervalChart:
    """Return the chart of the coefficients of labels."""
    figures = report.first[Part.LABELS].by_measure
    return interval_chart(
        key="coefficients",
        title="Agreement on labels, as first submitted",
        x_name="Coefficient",
        y_name="Value, 95 % interval",
        marks=[_mark(SHORT[measure], figure) for measure, figure in figures.items()],
    )


def weeks_chart(report: Report) -> IntervalChart:
    """Return the chart of Cohen's kappa over weeks; a week without pairs is empty."""
    by_monday = {week.monday: week.figure for week in report.weeks}
    return interval_chart(
        key="weeks",
        title="Cohen’s kappa on labels by week",
        x_name="Week of the second judgement",
        y_name="Value, 95 % interval",
        marks=[
            _mark(week_name(monday), by_monday[monday])
            if monday in by_monday
            else Mark(week_name(monday))
            for monday in _mondays(report.weeks)[-LONGEST_CHART:]
        ],
    )


def _mondays(weeks: Sequence[Week]) -> list[date]:
    first, last = weeks[0].monday, weeks[-1].monday
    return [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]


def _mark(words: str, figure: Figure) -> Mark:
    interval = figure.interval
    return Mark(words, figure.coefficient.value, interval.low, interval.high)


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week's kappa, and the abstracts that it rests on."""

    name: str
    cell: Cell
    n_abstracts: int
    is_narrow: bool


def week_rows(report: Report, words: Words) -> list[WeekRow]:
    """Return the weeks, newest first."""
    return [
        WeekRow(
            week_name(week.monday),
            cell_of(week.figure, words),
            week.figure.interval.n_clusters,
            week.figure.interval.has_few_clusters,
        )
        for week in reversed(report.weeks)
    ]


def few_words(report: Report) -> str:
    """Return a warning where the intervals rest on too few abstracts."""
    samples = [*report.first.values(), *report.after.values()]
    if all(not 0 < sample.n_clusters < FEW_CLUSTERS for sample in samples):
        return ""
    n = report.first[Part.LABELS].n_clusters
    abstracts = "1 abstract" if n == 1 else f"{n} abstracts"
    rests = (
        f"All of this rests on {abstracts}."
        if n < FEW_CLUSTERS
        else "Some of this rests on few abstracts: the heads of tables say how many."
    )
    return (
        f"{rests} Intervals from fewer than {FEW_CLUSTERS} "
        "are too narrow: fewer than 95 in 100 contain the true value. Have pairs on "
        "more abstracts judged twice before you rely on them."
    )
