"""An original and its negation side by side: what changed, what gives it away. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.negation_triggers import Trigger, new_triggers, trigger_names
from corpus.reading import Change, word_diff


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one of the two texts.

    ``kind`` is that of ``corpus.reading.Change``; ``is_trigger`` marks a negation
    word that the original does not have.
    """

    kind: str
    text: str
    is_trigger: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both texts in pieces, and the names of the new trigger words."""

    original: tuple[Piece, ...]
    negation: tuple[Piece, ...]
    triggers: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing was changed yet."""
        return all(piece.kind == "equal" for piece in (*self.original, *self.negation))


def compare(original: str, negation: str) -> Comparison:
    """Compare a negation with its original, word by word.

    The pieces of each side, joined, are exactly its text.
    """
    changes = word_diff(original, negation)
    flagged = new_triggers(original, negation)
    return Comparison(
        original=tuple(_side(changes, "delete", ())),
        negation=tuple(_side(changes, "insert", flagged)),
        triggers=tuple(trigger_names(flagged)),
    )


def _side(
    changes: Sequence[Change], own: str, triggers: Sequence[Trigger]
) -> Iterator[Piece]:
    """Yield the pieces of one side, cut again where a trigger begins or ends."""
    at = 0
    for change in changes:
        if change.kind not in {"equal", own}:
            continue
        end = at + len(change.text)
        cuts = {at, end}
        cuts |= {place for t in triggers for place in (t.start, t.end)}
        places = sorted(place for place in cuts if at <= place <= end)
        for start, stop in pairwise(places):
            is_trigger = any(t.start <= start and stop <= t.end for t in triggers)
            text = change.text[start - at : stop - at]
            yield Piece(change.kind, text, is_trigger)
        at = end
