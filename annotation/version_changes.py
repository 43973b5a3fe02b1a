"""What differs between two answers to one pair, sentence by sentence. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rationales = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence that has another part in the second answer; ``number`` from 1."""

    number: int
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AnswerChanges:
    """The way from one answer to the next; labels are empty if they are the same."""

    old_label: str
    new_label: str
    sentences: tuple[SentenceChange, ...]

    @property
    def is_empty(self) -> bool:
        """Whether both answers say the same."""
        return not self.old_label and not self.sentences


def answer_changes(
    old: tuple[str, Rationales],
    new: tuple[str, Rationales],
    sentences: Sequence[str],
) -> AnswerChanges:
    """Compare two answers, each a label and its rationales.

    The order of rationales does not matter: a rationale that keeps its sentences is
    the same one under whatever number.
    """
    old_label, new_label = (old[0], new[0]) if old[0] != new[0] else ("", "")
    same_number = _renumbered(old[1], new[1])
    before = _parts(old[1], same_number)
    after = _parts(new[1], {})
    changed = [
        SentenceChange(
            index + 1, text, before.get(index, "none"), after.get(index, "none")
        )
        for index, text in enumerate(sentences)
        if before.get(index) != after.get(index)
    ]
    return AnswerChanges(old_label, new_label, tuple(changed))


def _renumbered(old: Rationales, new: Rationales) -> dict[int, int]:
    """Return the new number of each old rationale that is still there.

    Numbers of rationales that are gone are moved out of the way, so that they are
    never mistaken for a new one.
    """
    numbers = {_key(r): number for number, r in enumerate(new, start=1)}
    kept = {
        number: numbers[_key(r)]
        for number, r in enumerate(old, start=1)
        if _key(r) in numbers
    }
    free = [n for n in range(1, len(old) + len(new) + 1) if n not in kept.values()]
    for number in range(1, len(old) + 1):
        if number not in kept:
            wanted = number if number in free else free[0]
            kept[number] = wanted
            free.remove(wanted)
    return kept


def _key(rationale: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(rationale["sentences"])


def _parts(rationales: Rationales, numbers: Mapping[int, int]) -> dict[int, str]:
    """Say for each sentence which rationale it stands in, and as what."""
    parts: dict[int, str] = {}
    for number, rationale in enumerate(rationales, start=1):
        roles = rationale.get("roles") or [""] * len(rationale["sentences"])
        for sentence, role in zip(rationale["sentences"], roles, strict=True):
            words = f"rationale {numbers.get(number, number)}"
            parts[sentence] = f"{role.lower()} in {words}" if role else words
    return parts
