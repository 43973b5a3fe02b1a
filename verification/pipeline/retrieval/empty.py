"""A corpus in which there is nothing to search: no index can be built of it."""

from __future__ import annotations

import re

from corpus.records import Claim, Document
from verification.pipeline.stages import Retrieved

_WORD = re.compile(r"\w\w")


class EmptyRetriever:
    """Finds nothing."""

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return no document, whatever the claim and ``k`` are."""
        return []


def has_words(document: Document) -> bool:
    """Whether a ranking by words can find the document: two letters or digits."""
    return any(_WORD.search(text) for text in (document.title, *document.sentences))
