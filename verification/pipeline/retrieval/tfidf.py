"""TF-IDF retrieval as in VeriSci: uni- and bigrams, scikit-learn's weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from corpus.records import Claim, Document
from verification.pipeline.retrieval.index import best, corpus_digest, index_folder
from verification.pipeline.stages import Retrieved

_NGRAMS = (1, 2)
_PARTS = ("data", "indices", "indptr")


class TfidfRetriever:
    """Cosine between the claim and the abstract with its title."""

    def __init__(self, documents: Sequence[Document], root: Path) -> None:
        self._documents = documents
        folder = index_folder(
            root, "tfidf", f"{_NGRAMS}", corpus_digest(documents), self._build
        )
        parts = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in _PARTS]
        terms = (folder / "terms.txt").read_text(encoding="utf-8").split("\n")
        self._rows = sparse.csr_matrix(
            tuple(parts), shape=(len(documents), len(terms)), copy=False
        )
        self._vectorizer = _vectorizer({term: n for n, term in enumerate(terms)})
        self._vectorizer.idf_ = np.load(folder / "idf.npy")

    def _build(self, folder: Path) -> None:
        vectorizer = _vectorizer(None)
        rows = vectorizer.fit_transform(map(indexed_text, self._documents)).tocsr()
        for name in _PARTS:
            np.save(folder / f"{name}.npy", getattr(rows, name))
        np.save(folder / "idf.npy", vectorizer.idf_)
        terms = "\n".join(vectorizer.get_feature_names_out())
        (folder / "terms.txt").write_text(terms, encoding="utf-8", newline="\n")

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents, the best first."""
        query = self._vectorizer.transform([claim.text])
        scores = np.asarray((self._rows @ query.T).todense()).ravel()
        return best(self._documents, scores, k)


def indexed_text(document: Document) -> str:
    """Return what the reference indexes: title and abstract without a space."""
    return document.title + " ".join(document.sentences)


def _vectorizer(vocabulary: dict[str, int] | None) -> TfidfVectorizer:
    return TfidfVectorizer(
        stop_words="english", ngram_range=_NGRAMS, vocabulary=vocabulary
    )
