"""Where the lines of a chart lie. Pure; a template draws them as SVG.

Every chart has a title, a name for each axis and a table with its numbers beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 64, 28, 16, 48
MOST_TICKS = 5


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


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart over days, ready to be drawn in a box of ``WIDTH`` by ``HEIGHT``."""

    key: str
    title: str
    x_name: str
    y_name: str
    lines: tuple[Line, ...]
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


def _shown(count: int) -> list[int]:
    """Return the days that get a mark: the last one, and even steps before it."""
    step = max(1, -(-(count - 1) // MOST_TICKS))
    return sorted(range(count - 1, -1, -step))


def _day_words(day: date) -> str:
    return f"{day.day} {day:%b}"


def consecutive(first: date, last: date) -> list[date]:
    """Return the days from the first to the last."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]
