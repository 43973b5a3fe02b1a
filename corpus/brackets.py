"""Which brackets of a text are open at a place."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"[()\[\]]")
# A bracket that is open for longer is taken for a slip.
_LONGEST_BRACKET = 300


class Brackets:
    """Which brackets are open, asked from left to right."""

    def __init__(self, text: str) -> None:
        self._spans = _bracket_spans(text)
        self._next = 0
        self._open: list[tuple[int, int]] = []

    def is_inside(self, start: int, position: int) -> bool:
        """Tell whether ``position`` is in a bracket opened behind ``start``.

        A bracket around whole sentences opens where a sentence begins, and does
        not count.
        """
        while self._next < len(self._spans) and self._spans[self._next][0] < position:
            self._open.append(self._spans[self._next])
            self._next += 1
        while self._open and self._open[-1][1] < position:
            self._open.pop()
        return any(o > start and c >= position for o, c in self._open[-8:])


def _bracket_spans(text: str) -> list[tuple[int, int]]:
    """Return the brackets that close again within reach, in order of opening."""
    spans: list[tuple[int, int]] = []
    stack: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] in "([":
            stack.append(match.start())
        elif stack and text[stack[-1]] == ("(" if match[0] == ")" else "["):
            opened = stack.pop()
            if match.start() - opened <= _LONGEST_BRACKET:
                spans.append((opened, match.start()))
    return sorted(spans)
