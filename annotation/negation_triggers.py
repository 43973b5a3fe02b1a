"""Words that give a negation away. Pure.

A data set whose refuted claims say "not" more often than the others teaches models to
look for "not" and at nothing else. Negations should therefore change a claim more
fundamentally ("lower" for "higher"); a trigger word that the original did not have is
flagged, and its writer says why it cannot be avoided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

# The name of each trigger, as it is shown, and what counts as it. Words are whole
# words; "notable", "known" and "nocturnal" are none of them.
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("cannot", r"can\s?not|can['’]t"),
    ("not", r"not|(?:\w+n['’]t)"),
    ("no longer", r"no\s+longer"),
    ("no", r"no(?!\.\s?\d)"),
    ("never", r"never"),
    ("none", r"none"),
    ("nothing", r"nothing"),
    ("neither", r"neither"),
    ("nor", r"nor"),
    ("without", r"without"),
    ("fails to", r"fail(?:s|ed|ing)?\s+to|failure\s+(?:to|of)"),
    ("lack of", r"lack(?:s|ed|ing)?(?:\s+of)?"),
    ("absence of", r"absence\s+of|absent"),
    ("unable to", r"unable\s+to"),
)
_TRIGGER = re.compile(
    "|".join(
        rf"(?P<t{number}>\b(?:{pattern})(?![\w’']))"
        for number, (_, pattern) in enumerate(_PATTERNS)
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Trigger:
    """One trigger in a text: its name, and where it stands in code points."""

    name: str
    start: int
    end: int


def find_triggers(text: str) -> tuple[Trigger, ...]:
    """Return the triggers of a text in their order.

    >>> [trigger.name for trigger in find_triggers("It doesn't lack zinc, nor iron.")]
    ['not', 'lack of', 'nor']
    """
    return tuple(_find(text))


def _find(text: str) -> Iterator[Trigger]:
    for match in _TRIGGER.finditer(text):
        group = match.lastgroup or "t0"
        yield Trigger(_PATTERNS[int(group[1:])][0], match.start(), match.end())


def new_triggers(original: str, negation: str) -> tuple[Trigger, ...]:
    """Return the triggers of a negation that its original did not have.

    A trigger that both have counts as taken over, as often as the original has it.

    >>> [t.name for t in new_triggers("Tea does not harm.", "Tea never does not harm.")]
    ['never']
    """
    taken_over = Counter(trigger.name for trigger in find_triggers(original))
    new = []
    for trigger in find_triggers(negation):
        if taken_over[trigger.name]:
            taken_over[trigger.name] -= 1
        else:
            new.append(trigger)
    return tuple(new)


def trigger_names(triggers: tuple[Trigger, ...]) -> list[str]:
    """Return the names of triggers, each once, in their order."""
    return list(dict.fromkeys(trigger.name for trigger in triggers))
