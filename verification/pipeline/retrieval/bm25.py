"""BM25 (bm25s), with English stemming and stop words, memory-mapped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from corpus.records import Claim, Document
from verification.pipeline.retrieval.index import best, corpus_digest, index_folder
from verification.pipeline.stages import Array, Retrieved

_SETTINGS = {"k1": 1.2, "b": 0.75, "method": "lucene"}


class Bm25Retriever:
    """The usual lexical ranking."""

    def __init__(self, documents: Sequence[Document], root: Path) -> None:
        self._documents = documents
        self._stemmer = Stemmer.Stemmer("english")
        folder = index_folder(
            root, "bm25", f"{_SETTINGS}", corpus_digest(documents), self._build
        )
        self._index = bm25s.BM25.load(folder, mmap=True, show_progress=False)

    def _build(self, folder: Path) -> None:
        texts = [
            f"{document.title} {' '.join(document.sentences)}"
            for document in self._documents
        ]
        tokens = bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stemmer, show_progress=False
        )
        index = bm25s.BM25(**_SETTINGS)
        index.index(tokens, show_progress=False)
        index.save(folder, show_progress=False)

    def scores(self, text: str) -> Array:
        """Return the score of each document."""
        (words,) = bm25s.tokenize(
            [text],
            stopwords="en",
            stemmer=self._stemmer,
            return_ids=False,
            show_progress=False,
        )
        parts = [self._postings(term) for term in self._index.get_tokens_ids(words)]
        if not parts:
            return np.zeros(len(self._documents))
        places, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        # Adds up as bm25s does, several times as fast without numba.
        found: Array = np.bincount(places, values, minlength=len(self._documents))
        return found

    def _postings(self, term: int) -> tuple[Array, Array]:
        """Return the documents with a term and what it adds to the score of each."""
        index = self._index.scores
        part = slice(index["indptr"][term], index["indptr"][term + 1])
        return index["indices"][part], index["data"][part]

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents, the best first."""
        return best(self._documents, self.scores(claim.text), k)
