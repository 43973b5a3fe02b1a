"""How texts are shown to a reader: sentences with rationale marks, word diffs."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.records import Rationale, SentenceRole

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Mark:
    """One rationale's claim on a sentence; ``number`` counts from 1."""

    number: int
    role: SentenceRole = SentenceRole.PRIMARY

    @property
    def is_supplementary(self) -> bool:
        """Say whether the sentence only helps the rationale."""
        return self.role is SentenceRole.SUPPLEMENTARY


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with the rationales that it belongs to; ``number`` from 1."""

    number: int
    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def is_only_supplementary(self) -> bool:
        """Say whether no rationale rests on this sentence."""
        return bool(self.marks) and all(mark.is_supplementary for mark in self.marks)


def mark_sentences(
    sentences: Sequence[str], rationales: Sequence[Rationale] = ()
) -> list[MarkedSentence]:
    """Put the numbers of the rationales at the sentences that they name.

    A rationale that names a sentence twice marks it once, with its first role.
    Raises ``IndexError`` for a sentence that the abstract does not have.
    """
    marks: list[dict[int, Mark]] = [{} for _ in sentences]
    for number, rationale in enumerate(rationales, start=1):
        for index, role in _roles(rationale):
            if not 0 <= index < len(sentences):
                raise IndexError(f"rationale {number} names sentence {index}")
            marks[index].setdefault(number, Mark(number, role))
    return [
        MarkedSentence(position, text, tuple(marks[position - 1].values()))
        for position, text in enumerate(sentences, start=1)
    ]


def _roles(rationale: Rationale) -> Iterator[tuple[int, SentenceRole]]:
    """Pair each sentence with its role; without roles, all are primary."""
    roles = rationale.roles or (SentenceRole.PRIMARY,) * len(rationale.sentences)
    return zip(rationale.sentences, roles, strict=True)


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of text and what happened to it: equal, insert or delete."""

    kind: str
    text: str


def word_diff(before: str, after: str) -> list[Change]:
    """Return the way from one text to the other in whole words.

    The equal and deleted stretches together are ``before``, the equal and
    inserted ones ``after``, exactly.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changes = []
    for _tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        removed = "".join(old[old_start:old_end])
        added = "".join(new[new_start:new_end])
        if removed == added:
            changes.append(Change("equal", added))
            continue
        if removed:
            changes.append(Change("delete", removed))
        if added:
            changes.append(Change("insert", added))
    return changes
