"""Where the lines of a chart lie. Pure; a template draws them as SVG.

Every chart has a title, a name for each axis and a table with its numbers beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import floor

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 64, 28, 16, 48
MOST_TICKS = 5
# The description of a chart is read aloud; the table has the rest.
MOST_SAID = 8


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name in the key, how it looks, and a value for each day."""

    name: str
    look: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it lies, and what it says."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn series."""

    name: str
    look: str
    points: str
    end_x: float
    end_y: float
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What every chart has, ready to be drawn in a box of ``WIDTH`` by ``HEIGHT``."""

    key: str
    title: str
    x_name: str
    y_name: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    summary: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    middle_x: float = (LEFT + WIDTH - RIGHT) / 2
    middle_y: float = (TOP + HEIGHT - BOTTOM) / 2
    x_name_y: int = HEIGHT - 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(Frame):
    """A chart of lines over days."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with the ends of its interval, of which all may be missing."""

    words: str
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    """A drawn mark: its place, and from where to where its interval goes."""

    x: float
    y: float
    low_y: float | None
    high_y: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalChart(Frame):
    """A chart of values with their intervals, side by side."""

    dots: tuple[Dot, ...]


def nice_step(top: int, ticks: int = MOST_TICKS) -> int:
    """Return a step of 1, 2 or 5 times a power of ten that reaches ``top``."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if step * factor * ticks >= top:
                return step * factor
        step *= 10


def day_chart(
    *, key: str, title: str, y_name: str, days: Sequence[date], series: Sequence[Series]
) -> Chart:
    """Return a chart of lines over consecutive days; at least one of each."""
    highest = max((value for line in series for value in line.values), default=0)
    step = nice_step(max(highest, 1))
    top = step * -(-max(highest, 1) // step)

    def x(index: int) -> float:
        share = index / (len(days) - 1) if len(days) > 1 else 1.0
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(value: int) -> float:
        return round(HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM), 1)

    lines = tuple(
        Line(
            name=line.name,
            look=line.look,
            points=" ".join(
                f"{x(index)},{y(value)}" for index, value in enumerate(line.values)
            ),
            end_x=x(len(days) - 1),
            end_y=y(line.values[-1]),
            last=line.values[-1],
        )
        for line in series
    )
    said = "; ".join(f"{line.name}: {line.last}" for line in lines)
    return Chart(
        key=key,
        title=title,
        x_name="Day",
        y_name=y_name,
        lines=lines,
        x_ticks=tuple(
            Tick(x(index), _day_words(days[index])) for index in _shown(len(days))
        ),
        y_ticks=tuple(Tick(y(value), str(value)) for value in range(0, top + 1, step)),
        summary=f"{_day_words(days[0])} to {_day_words(days[-1])}. At the end {said}.",
    )


def interval_chart(
    *, key: str, title: str, x_name: str, y_name: str, marks: Sequence[Mark]
) -> IntervalChart:
    """Return a chart of values up to 1, such as coefficients; at least one mark.

    It begins at 0, or lower where a value or interval does. A mark without a value
    has its place on the axis, and nothing there.
    """
    ends = [end for m in marks for end in (m.value, m.low) if end is not None]
    # In fifths, so that every line of the grid has a round number.
    bottom = min(0, floor(5 * min(ends, default=0)))

    def x(index: int) -> float:
        return round(LEFT + (index + 0.5) / len(marks) * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        share = (5 * value - bottom) / (5 - bottom)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def maybe_y(value: float | None) -> float | None:
        return None if value is None else y(value)

    return IntervalChart(
        key=key,
        title=title,
        x_name=x_name,
        y_name=y_name,
        dots=tuple(
            Dot(x(index), y(m.value), maybe_y(m.low), maybe_y(m.high))
            for index, m in enumerate(marks)
            if m.value is not None
        ),
        x_ticks=tuple(Tick(x(n), marks[n].words) for n in _shown(len(marks))),
        y_ticks=tuple(
            Tick(y(fifths / 5), f"{fifths / 5:.1f}")
            for fifths in range(5, bottom - 1, -1)
        ),
        summary=" ".join(map(_mark_words, marks[-MOST_SAID:])),
    )


def _mark_words(mark: Mark) -> str:
    if mark.value is None:
        return f"{mark.words}: no value."
    if mark.low is None or mark.high is None:
        return f"{mark.words}: {mark.value:.2f}."
    return f"{mark.words}: {mark.value:.2f} ({mark.low:.2f} to {mark.high:.2f})."


def _shown(count: int) -> list[int]:
    """Return the days that get a mark: the last one, and even steps before it."""
    step = max(1, -(-(count - 1) // MOST_TICKS))
    return sorted(range(count - 1, -1, -step))


def _day_words(day: date) -> str:
    return f"{day.day} {day:%b}"


def consecutive(first: date, last: date) -> list[date]:
    """Return the days from the first to the last."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]
