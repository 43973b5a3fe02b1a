"""The single keys of the page that adjudicates. Pure."""

from __future__ import annotations

from collections.abc import Sequence

# Letters of sides that mean something else on the page.
_TAKEN = frozenset("nu")


def adjudication_keys(letters: Sequence[str]) -> dict[str, str]:
    """Return the key of each action for a pair with these sides.

    A side's own letter takes it, its number opens it for changes.

    >>> adjudication_keys(["A", "B"])["take_B"]
    'b'
    """
    keys = {"write": "n", "undo": "u"}
    for number, letter in enumerate(letters, start=1):
        if letter.lower() not in _TAKEN:
            keys[f"take_{letter}"] = letter.lower()
        if number < 10:
            keys[f"edit_{letter}"] = str(number)
    return keys
