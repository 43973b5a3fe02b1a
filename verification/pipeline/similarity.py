"""TF-IDF similarity of sentences to a claim, fitted on one abstract.

As in the VeriSci baseline: the abstract's own sentences are the collection, English
stop words are left out, and vectors have length one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from verification.pipeline.stages import Array


def sentence_scores(claim: str, sentences: Sequence[str]) -> Array:
    """Return the cosine of each sentence with the claim."""
    try:
        vectorizer = TfidfVectorizer(stop_words="english")
        rows = vectorizer.fit_transform(sentences)
    except ValueError:  # nothing but stop words
        return np.zeros(len(sentences))
    found: Array = np.asarray((rows @ vectorizer.transform([claim]).T).todense())
    return found.ravel()


def top_sentences(claim: str, sentences: Sequence[str], count: int) -> list[int]:
    """Return the indices of the most similar sentences, best first.

    Equal scores keep the order of the abstract.
    """
    scores = sentence_scores(claim, sentences)
    return [int(n) for n in np.argsort(-scores, kind="stable")[:count]]
