"""What a claim can be extracted from: the sentences of a paragraph."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Source
from corpus.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of the paragraph; ``is_citance`` if it is the one that waits."""

    text: str
    is_citance: bool
    is_marked: bool


def candidate_sentences(source: Source) -> list[Candidate]:
    """Return the sentences that a claim can be taken from, in their order.

    The citance and the sentences that the import has marked come as they were
    marked; between them the paragraph is split into sentences.
    """
    if source.citance is None:
        return []
    passage, own = source.citance.passage, source.citance
    marked = [(own.start, own.end)]
    for other in passage.citances.order_by("start", "end"):
        if all(other.end <= start or end <= other.start for start, end in marked):
            marked.append((other.start, other.end))
    found: list[Candidate] = []
    at = 0
    for start, end in sorted(marked):
        found += _between(passage.text[at:start])
        is_own = (start, end) == (own.start, own.end)
        found.append(Candidate(passage.text[start:end], is_own, True))
        at = end
    return found + _between(passage.text[at:])


def _between(text: str) -> list[Candidate]:
    return [Candidate(part, False, False) for part in split_sentences(text).sentences]
