"""Whether experts find answers plausible, counted as in SciFact 6.3; pure.

An answer is plausible if it has evidence and at least half of its evidence abstracts
are plausible. Where several experts marked one abstract, it is plausible if at least
half of them say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The 97.5 % point of the normal distribution.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """How many of ``n`` answers are plausible."""

    plausible: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, ``None`` where there is no answer."""
        return self.plausible / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval, ``None`` where there is no answer."""
        return wilson_interval(self.plausible, self.n) if self.n else None


def wilson_interval(successes: int, n: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share; ``n`` is 1 or more."""
    share, z_squared = successes / n, _Z**2
    centre = share + z_squared / (2 * n)
    half = _Z * math.sqrt(share * (1 - share) / n + z_squared / (4 * n * n))
    scale = 1 + z_squared / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def is_abstract_plausible(marks: Sequence[bool]) -> bool | None:
    """Whether at least half of the experts say so; ``None`` before the first."""
    return 2 * sum(marks) >= len(marks) if marks else None


def is_answer_plausible(evidence: Sequence[bool | None]) -> bool | None:
    """Whether an answer with these evidence abstracts is plausible.

    ``None`` in ``evidence`` is an abstract that nobody marked. The result is ``None``
    as long as those could turn it. An answer without evidence is not plausible.
    """
    marked = [mark for mark in evidence if mark is not None]
    at_least, at_most = sum(marked), sum(marked) + len(evidence) - len(marked)
    if not evidence or 2 * at_most < len(evidence):
        return False
    return True if 2 * at_least >= len(evidence) else None


def share_of(answers: Iterable[bool | None]) -> Share:
    """Return the share among the answers that are decided."""
    decided = [answer for answer in answers if answer is not None]
    return Share(sum(decided), len(decided))
