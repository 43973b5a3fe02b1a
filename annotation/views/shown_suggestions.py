"""A suggestion as the page that verifies pairs shows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Suggestion, SuggestionOffer
from annotation.protocols import LabelChoice
from corpus.records import Label

# The order in which a suggestion keeps its probabilities.
PROBABILITY_ORDER = (Label.CONTRADICT, Label.NOT_ENOUGH_INFO, Label.SUPPORT)


@dataclass(frozen=True, slots=True)
class SuggestedSentence:
    """One suggested sentence: where it is, what it is called, how sure the model is."""

    index: int
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """What is shown; ``label`` is empty where the model abstains.

    ``data`` is what the page's module needs to mark sentences and label buttons.
    """

    label: str
    word: str
    percent: str
    sentences: tuple[SuggestedSentence, ...]
    is_same: bool
    system: str
    data: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to take over."""
        return not self.label and not self.sentences


def suggestion_of(
    offer: SuggestionOffer,
    found: Suggestion,
    labels: Sequence[LabelChoice],
    tags: Sequence[str],
) -> ShownSuggestion:
    """Return what an offer of a suggestion shows.

    ``tags`` are the letters of the sentences, none where they go by number. A label
    that the project does not use is not suggested.
    """
    word = next((c.word for c in labels if c.label == found.label), "")
    percents = _percents(found)
    sentences = tuple(
        SuggestedSentence(
            n,
            tags[n].upper() if tags else str(n + 1),
            f"{found.scores[n]:.2f}",
        )
        for n in found.sentences
    )
    return ShownSuggestion(
        label=str(found.label) if word else "",
        word=word,
        percent=percents.get(str(found.label), ""),
        sentences=sentences,
        is_same=_is_same(offer, found),
        system=found.system,
        data=json.dumps(
            {
                "label": str(found.label) if word else "",
                "percents": percents if word else {},
                "scores": {s.index: s.score for s in sentences},
            }
        ),
    )


def percent_words(share: float) -> str:
    """Write a probability in whole percent; none is called certain or impossible."""
    if share >= 0.995:
        return "> 99 %"
    return "< 1 %" if share < 0.005 else f"{round(share * 100)} %"


def _percents(found: Suggestion) -> dict[str, str]:
    values = zip(PROBABILITY_ORDER, found.probabilities, strict=True)
    return {label.value: percent_words(value) for label, value in values}


def _is_same(offer: SuggestionOffer, found: Suggestion) -> bool:
    """Whether the annotator had chosen the very same before."""
    chosen = {n for r in offer.first_rationales for n in r["sentences"]}
    return (
        bool(offer.first_label)
        and offer.first_label == found.label
        and chosen == set(found.sentences)
    )
