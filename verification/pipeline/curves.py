"""The learning curve of a training run, as an SVG file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT, MARGIN = 480, 260, 44


def learning_curve(history: Sequence[Mapping[str, Any]], title: str) -> str:
    """Return the chart of loss and held-out score by epoch."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{MARGIN}" y="20" font-size="14">{escape(title)}</text>',
    ]
    top = max([1.0, *(float(e["loss"]) for e in history if e.get("loss"))])
    for share in (0.0, 0.5, 1.0):
        y = _y(share, 1.0)
        parts.append(
            f'<line x1="{MARGIN}" x2="{WIDTH - 12}" y1="{y}" y2="{y}" stroke="#ddd"/>'
            f'<text x="8" y="{y + 4}">{share * top:.2f}</text>'
        )
    for key, colour, name in (
        ("loss", "#a33", "training loss"),
        ("held_out", "#246", "held-out score"),
    ):
        parts += _line(history, key, colour, name, top)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _line(
    history: Sequence[Mapping[str, Any]], key: str, colour: str, name: str, top: float
) -> list[str]:
    points = [
        (_x(number, len(history)), _y(float(entry[key]), top))
        for number, entry in enumerate(history)
        if entry.get(key) is not None
    ]
    if not points:
        return []
    path = " ".join(f"{x},{y}" for x, y in points)
    x, y = points[-1]
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points),
        f'<text x="{x - 4}" y="{y - 8}" text-anchor="end" fill="{colour}">'
        f"{name}</text>",
    ]


def _x(number: int, count: int) -> float:
    return round(MARGIN + (WIDTH - MARGIN - 24) * number / max(1, count - 1), 1)


def _y(value: float, top: float) -> float:
    return round(HEIGHT - 30 - (HEIGHT - 70) * value / top, 1)
