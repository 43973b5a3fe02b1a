"""The keys of the page that verifies pairs, and the letters of its sentences. Pure.

Every action has one key, which a reader may change. The letters that no action uses
are the tags of the sentences, so that a tag is never something else as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does."""

    name: str
    key: str
    words: str


ACTIONS = (
    Action("label_1", "1", "Choose the first label"),
    Action("label_2", "2", "Choose the second label"),
    Action("label_3", "3", "Choose the third label"),
    Action("label_4", "4", "Choose the fourth label"),
    Action("next_rationale", "n", "Start another rationale, or go to the next one"),
    Action("suggestion", "0", "Ask for the model's suggestion, or take all of it over"),
    Action("undo", "u", "Take back what was submitted last"),
    Action("flag", "f", "Flag the pair for yourself, with a note"),
    Action("skip", "s", "Leave the pair to others, with a reason"),
    Action("help", "?", "Keys, guideline and glossary"),
)
DEFAULT_KEYS = {action.name: action.key for action in ACTIONS}


def key_map(changed: Mapping[str, str]) -> dict[str, str]:
    """Return the key of every action, with a reader's own where there are any.

    A usual key that a reader has given to another action is no longer the key of its
    own: that action has none (an empty text) until the reader gives it one.
    """
    own = {key.lower() for key in changed.values()}
    return {
        name: changed.get(name, "" if key in own else key)
        for name, key in DEFAULT_KEYS.items()
    }


def check_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with these keys, by action; empty if nothing is.

    A key is one visible character, and no two actions share one.
    """
    problems: dict[str, str] = {}
    seen: dict[str, str] = {}
    for name, key in keys.items():
        folded = key.lower()
        if name not in DEFAULT_KEYS:
            problems[name] = "There is no such action."
        elif len(key) != 1 or not key.isprintable() or key.isspace():
            problems[name] = "Type one character: a letter, a digit or a sign."
        elif folded in seen:
            problems[name] = f"“{key}” is used twice."
            problems.setdefault(seen[folded], f"“{key}” is used twice.")
        seen.setdefault(folded, name)
    return problems


def letters_of_actions(keys: Mapping[str, str]) -> list[str]:
    """Return the letters that are keys of actions, in capitals: no tag has one."""
    used = {key.lower() for key in keys.values()}
    return [letter.upper() for letter in ascii_lowercase if letter in used]


def sentence_tags(count: int, keys: Mapping[str, str]) -> list[str]:
    """Return the tags of the sentences of an abstract, in their order.

    As many as possible have one letter. Where there are more sentences than letters,
    the last letters begin tags of two: no tag begins another one, so that each is
    complete as soon as it is typed.
    """
    used = {key.lower() for key in keys.values()}
    letters = [letter for letter in ascii_lowercase if letter not in used]
    firsts = 0
    while len(letters) - firsts + firsts * len(letters) < count:
        firsts += 1
    singles = letters[: len(letters) - firsts]
    pairs = [a + b for a in letters[len(letters) - firsts :] for b in letters]
    return [*singles, *pairs][:count]
