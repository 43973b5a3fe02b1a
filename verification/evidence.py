"""What an answer to a claim holds, as it is stored, shown and exported; pure.

An answer is a snapshot: it names the abstracts as they were when it was made, so
that a permalink stays true when the corpus changes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from corpus.records import Label
from verification.pipeline.stages import LABELS


@dataclass(frozen=True, slots=True)
class FoundAbstract:
    """One abstract of an answer.

    ``chosen`` are the numbers of the rationale's sentences (from 0), ``scores`` has
    one probability for each sentence, and ``probabilities`` is in the order of
    ``pipeline.stages.LABELS``. They are empty until their stage is done; where no
    sentence was chosen, no label was predicted, and there are no probabilities.
    ``label`` is empty until its stage is done, and where the system abstains
    (``is_abstaining``).
    """

    document: str
    title: str
    sentences: tuple[str, ...]
    retrieval_score: float
    journal: str = ""
    published: str = ""
    doi: str = ""
    pmid: str = ""
    url: str = ""
    authors: tuple[str, ...] = ()
    retraction: str = ""
    chosen: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    label: str = ""
    probabilities: tuple[float, ...] = ()
    is_abstaining: bool = False

    @property
    def is_evidence(self) -> bool:
        """Whether it supports or contradicts; retracted work never counts."""
        return self.label in {"SUPPORT", "CONTRADICT"} and not self.retraction

    @property
    def confidence(self) -> float | None:
        """The probability of the label, or the highest where the system abstains.

        ``None`` where no label was predicted: not yet, or without a rationale.
        """
        if not self.probabilities:
            return None
        if self.label:
            return self.probabilities[LABELS.index(Label(self.label))]
        return max(self.probabilities)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was searched and what was found, the best abstract first."""

    searched: int = 0
    newest: str = ""
    is_demo: bool = False
    abstracts: tuple[FoundAbstract, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Return what ``from_json`` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Answer:
        """Read a stored answer; an empty one has found nothing yet."""
        if not values:
            return cls()
        found = tuple(FoundAbstract(**_tuples(row)) for row in values["abstracts"])
        return cls(**{**values, "abstracts": found})


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    """Return the values with their lists as tuples."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in row.items()
    }
