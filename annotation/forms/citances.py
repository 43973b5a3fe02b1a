"""The sentences of a pasted paragraph: which are citances, and what they cite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.http import QueryDict

from annotation.services.citances import PastedCitance
from corpus.exceptions import DomainError
from corpus.models import Citation, Document
from corpus.sentences import split_sentences
from corpus.text import content_key, row_key

Find = Callable[[str], list[Document]]


@dataclass(slots=True)
class SentenceChoice:
    """One sentence with what was ticked, searched and chosen for it."""

    index: int
    text: str
    start: int
    end: int
    is_ticked: bool = False
    query: str = ""
    cited: list[tuple[Document, str]] = field(default_factory=list)
    found: list[Document] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The sentence as people count."""
        return self.index + 1

    @property
    def is_citance(self) -> bool:
        """Whether it is kept: ticked, or given something that it cites."""
        return self.is_ticked or bool(self.cited)


def paragraph_key(text: str) -> str:
    """Return what the ticks of a paragraph are tied to."""
    return content_key(text)


def sentence_choices(text: str, data: QueryDict) -> list[SentenceChoice]:
    """Split a paragraph, with the ticks and queries that came for it.

    Ticks that were set on another wording of the paragraph count for nothing.
    """
    split = split_sentences(text)
    is_same = data.get("paragraph_key") == paragraph_key(text)
    choices, position = [], 0
    for index, sentence in enumerate(split.sentences):
        start = position + len(split.separators[index])
        position = start + len(sentence)
        choice = SentenceChoice(index, sentence, start, position)
        if is_same:
            choice.is_ticked = f"citance_{index}" in data
            choice.query = data.get(f"find_{index}", "").replace("\0", "").strip()[:500]
        choices.append(choice)
    return choices


def add_cited(
    choices: list[SentenceChoice],
    data: QueryDict,
    documents: QuerySet[Document],
    find: Find,
) -> None:
    """Fill in the chosen abstracts of each sentence, and what its query finds."""
    wanted = {c.index: _numbers(data.getlist(f"cite_{c.index}")) for c in choices}
    every = {pk for pks in wanted.values() for pk in pks}
    known = documents.in_bulk(every)
    for choice in choices:
        if not choice.is_ticked and not choice.query and not wanted[choice.index]:
            continue
        rows = [known[pk] for pk in wanted[choice.index] if pk in known]
        choice.cited = [(row, _role(data, choice.index, row.pk)) for row in rows]
        if choice.query:
            choice.found = [row for row in find(choice.query) if row not in rows]


def citances_of(choices: list[SentenceChoice]) -> list[PastedCitance]:
    """Return the citances that were chosen.

    ``DomainError`` names the first that cites nothing: its claims would never meet
    an abstract, and once it is saved nothing can be added to it.
    """
    for choice in choices:
        if choice.is_citance and not choice.cited:
            raise DomainError(
                f"Sentence {choice.number} is ticked, but cites no abstract yet. Find "
                "what it cites under “Cites” below it, or untick it."
            )
    return [
        PastedCitance(choice.start, choice.end, tuple(choice.cited))
        for choice in choices
        if choice.is_citance
    ]


def _numbers(values: list[str]) -> list[int]:
    numbers = (row_key(value) for value in values)
    return list(dict.fromkeys(n for n in numbers if n is not None))


def _role(data: QueryDict, index: int, pk: int) -> str:
    role = data.get(f"role_{index}_{pk}", "")
    return role if role in Citation.Role.values else Citation.Role.SEED
