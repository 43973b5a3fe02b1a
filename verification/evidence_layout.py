"""How an answer is laid out for a reader; pure.

There is no overall verdict and no count for each side: what supports a claim and what
contradicts it stand beside each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from corpus.reading import MarkedSentence, mark_sentences
from corpus.records import Label, Rationale
from corpus.text import doi_of
from verification.evidence import Answer, FoundAbstract

NOTHING_FOUND = (
    "No evidence in this corpus. This does not mean that the claim is false."
)
INVENTED = (
    "The abstracts of this corpus are invented for a demonstration. They say nothing "
    "about the world."
)
PROTOTYPE = (
    "A research prototype: labels are a model's guesses, and it misses evidence. No "
    "medical advice."
)
CONFIDENCE = (
    "The system's own estimate, from 0 to 1, of how probable its label is. It says "
    "nothing about how good the study is."
)


@dataclass(frozen=True, slots=True)
class ShownAbstract:
    """An abstract of an answer; ``number`` is its place in it, from 1."""

    number: int
    found: FoundAbstract
    sentences: Sequence[MarkedSentence]

    @property
    def rationale(self) -> list[MarkedSentence]:
        """The sentences that the system chose."""
        return [sentence for sentence in self.sentences if sentence.marks]

    @property
    def link(self) -> str:
        """The address at which the paper can be read, if it is known."""
        return link_of(self.found)


@dataclass(frozen=True, slots=True)
class Layout:
    """An answer in parts; within each part, the best abstract comes first.

    Before the labels are there, all is in ``unlabelled``. Retracted work is apart
    from the first moment on.
    """

    retracted: tuple[ShownAbstract, ...]
    supporting: tuple[ShownAbstract, ...]
    contradicting: tuple[ShownAbstract, ...]
    unclear: tuple[ShownAbstract, ...]
    unlabelled: tuple[ShownAbstract, ...]

    @property
    def evidence(self) -> tuple[ShownAbstract, ...]:
        """What supports or contradicts the claim."""
        return self.supporting + self.contradicting


def lay_out(answer: Answer) -> Layout:
    """Return the parts of an answer."""
    parts: dict[str, list[ShownAbstract]] = {}
    for number, found in enumerate(answer.abstracts, start=1):
        parts.setdefault(_part_of(found), []).append(_shown(number, found))
    return Layout(
        *(
            tuple(parts.get(name, ()))
            for name in (
                "retracted",
                Label.SUPPORT,
                Label.CONTRADICT,
                "unclear",
                "unlabelled",
            )
        )
    )


def _part_of(found: FoundAbstract) -> str:
    if found.retraction:
        return "retracted"
    if found.is_evidence:
        return found.label
    return "unclear" if found.label or found.is_abstaining else "unlabelled"


def _shown(number: int, found: FoundAbstract) -> ShownAbstract:
    # What the system chose justifies one label together: it is one rationale.
    rationales = [Rationale(found.chosen)] if found.chosen else []
    return ShownAbstract(number, found, mark_sentences(found.sentences, rationales))


def link_of(found: FoundAbstract) -> str:
    """Return an address on the web, from the most lasting identifier."""
    if found.doi:
        return f"https://doi.org/{quote(doi_of(found.doi) or found.doi)}"
    if found.pmid.isdecimal():
        return f"https://pubmed.ncbi.nlm.nih.gov/{found.pmid}/"
    return found.url if found.url.startswith(("https://", "http://")) else ""


def searched_words(answer: Answer) -> str:
    """Return what was searched: "5,183 abstracts, newest 2019-11"."""
    noun = "abstract" if answer.searched == 1 else "abstracts"
    words = f"{answer.searched:,} {noun}"
    return f"{words}, newest {answer.newest}" if answer.newest else words
