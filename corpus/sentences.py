"""Splitting an abstract into sentences, without losing a character.

Every run of white space behind a stop (and a few places without any) is a place
where a sentence may end; ``corpus.sentence_rules`` judges each. A place whose
judgement a person should look at is a ``Doubt``, whether it was cut or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nupunkt import __version__

from corpus.sentence_rules import Judged, continues_character, judge_places

SPLITTER = f"nupunkt {__version__} + claimdesk 1"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place that a person should look at.

    With ``offset`` ``None``, the boundary in front of ``sentence`` was made and
    may be wrong: ``merge_boundary(…, sentence)`` undoes it. Otherwise no boundary
    was made at ``offset`` inside ``sentence``, and one may be missing:
    ``split_boundary(…, sentence, offset)`` makes it. ``reason`` is for the user.
    """

    sentence: int
    offset: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Split:
    """The sentences of a text, what stands around them, and the doubtful places.

    There is one separator more than sentences, and the text is exactly
    ``separators[0] + sentences[0] + separators[1] + … + separators[-1]``.
    Sentences are not empty and have no white space at their ends.
    """

    sentences: tuple[str, ...]
    separators: tuple[str, ...]
    doubts: tuple[Doubt, ...] = ()


Pieces = tuple[tuple[str, ...], tuple[str, ...]]


def split_sentences(text: str) -> Split:
    """Split ``text`` into sentences.

    The same text always gives the same result. Text without anything but white
    space has no sentence and one separator: itself.
    """
    body_end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    if start >= body_end:
        return Split((), (text,))
    judged = list(judge_places(text, start, body_end))
    cuts = [place for place in judged if place.cut]
    starts = [start, *(place.end for place in cuts)]
    ends = [*(place.start for place in cuts), body_end]
    sentences = tuple(text[a:b] for a, b in zip(starts, ends, strict=True))
    gaps = zip([0, *ends], [*starts, len(text)], strict=True)
    separators = tuple(text[a:b] for a, b in gaps)
    return Split(sentences, separators, _doubts(judged, starts))


def find_doubts(
    sentences: Sequence[str], separators: Sequence[str]
) -> tuple[Doubt, ...]:
    """Return the doubtful places of a text under the boundaries it has now.

    For a text whose boundaries a person has changed: a place is named by where it
    stands now, and counts as made or missing by the boundaries given.
    """
    text = join_sentences(sentences, separators)
    starts, position = [], 0
    for separator, sentence in zip(separators, sentences, strict=False):
        starts.append(position + len(separator))
        position = starts[-1] + len(sentence)
    if not starts:
        return ()
    return _doubts(judge_places(text, starts[0], position), starts)


def join_sentences(sentences: Sequence[str], separators: Sequence[str]) -> str:
    """Return the text that was split; ``ValueError`` if a separator is missing."""
    _check(sentences, separators)
    pairs = zip(separators, [*sentences, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)


def merge_boundary(
    sentences: Sequence[str], separators: Sequence[str], index: int
) -> Pieces:
    """Join sentence ``index`` to the one before it, with what stands between.

    Raises ``ValueError`` if there is no boundary in front of ``index``.
    """
    _check(sentences, separators)
    if not 1 <= index < len(sentences):
        raise ValueError(f"There is no boundary in front of sentence {index}.")
    joined = sentences[index - 1] + separators[index] + sentences[index]
    return (
        (*sentences[: index - 1], joined, *sentences[index + 1 :]),
        (*separators[:index], *separators[index + 1 :]),
    )


def split_boundary(
    sentences: Sequence[str], separators: Sequence[str], index: int, offset: int
) -> Pieces:
    """Cut sentence ``index`` at code point ``offset``.

    White space around the cut becomes the separator. Raises ``ValueError`` if the
    sentence does not exist, if one side would be empty, or if the cut would part
    a letter from its accent or an emoji from its modifier.
    """
    _check(sentences, separators)
    if not 0 <= index < len(sentences):
        raise ValueError(f"There is no sentence {index}.")
    sentence = sentences[index]
    before, after = sentence[: max(offset, 0)].rstrip(), sentence[offset:].lstrip()
    if not before or not after or not 0 < offset < len(sentence):
        raise ValueError("A cut needs text on both sides.")
    if continues_character(sentence, len(sentence) - len(after)):
        raise ValueError("A cut cannot part a character from its accents.")
    between = sentence[len(before) : len(sentence) - len(after)]
    return (
        (*sentences[:index], before, after, *sentences[index + 1 :]),
        (*separators[: index + 1], between, *separators[index + 1 :]),
    )


def _check(sentences: Sequence[str], separators: Sequence[str]) -> None:
    if len(separators) != len(sentences) + 1:
        raise ValueError("There must be one separator more than sentences.")


def _doubts(judged: Iterable[Judged], starts: list[int]) -> tuple[Doubt, ...]:
    """Name the doubtful places by the sentences that begin at ``starts``."""
    doubts: list[Doubt] = []
    index = 0
    for place in judged:
        if not place.reason:
            continue
        while index + 1 < len(starts) and starts[index + 1] <= place.end:
            index += 1
        made = starts[index] == place.end
        offset = None if made else place.end - starts[index]
        doubts.append(Doubt(index, offset, place.reason))
    return tuple(doubts)
