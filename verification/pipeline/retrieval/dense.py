"""Dense retrieval: the cosine of MiniLM's vectors, from a memory-mapped matrix.

One matrix product ranks the whole corpus exactly; at the sizes of one machine an
approximate index would save little and lose documents. When documents change, the
vectors of the others are taken over from the newest index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from corpus.records import Claim, Document
from verification.pipeline.retrieval.index import (
    best,
    corpus_digest,
    document_digest,
    index_folder,
)
from verification.pipeline.stages import Array, Retrieved


class Vectors(Protocol):
    """Something that turns texts into vectors of length one."""

    @property
    def name(self) -> str:
        """What tells one set of vectors from another."""
        ...

    def vectors(self, texts: Iterable[str]) -> Array:
        """Return one row for each text."""
        ...


class DenseRetriever:
    """Cosine between claim and abstract."""

    def __init__(
        self, documents: Sequence[Document], root: Path, embedder: Vectors
    ) -> None:
        self._documents, self._embedder, self._root = documents, embedder, root
        folder = index_folder(
            root, "dense", embedder.name, corpus_digest(documents), self._build
        )
        self._rows = np.load(folder / "vectors.npy", mmap_mode="r")

    def _build(self, folder: Path) -> None:
        keys = [document_digest(document) for document in self._documents]
        known = self._earlier()
        missing = [n for n, key in enumerate(keys) if key not in known]
        texts = (_text(self._documents[n]) for n in missing)
        fresh = self._embedder.vectors(texts)
        known |= {keys[n]: row for n, row in zip(missing, fresh, strict=True)}
        rows = np.stack([known[key] for key in keys]) if keys else fresh
        np.save(folder / "vectors.npy", rows)
        packed = np.frombuffer(b"".join(keys), dtype=np.uint8)
        np.save(folder / "keys.npy", packed.reshape(len(keys), -1))
        (folder / "encoder.txt").write_text(self._embedder.name, encoding="utf-8")

    def _earlier(self) -> dict[bytes, Array]:
        """Return the vectors of the newest index with this encoder, by document."""
        folders = [
            folder
            for folder in self._root.glob("dense-*")
            if (folder / "encoder.txt").is_file()
            and (folder / "encoder.txt").read_text("utf-8") == self._embedder.name
        ]
        if not folders:
            return {}
        newest = max(folders, key=lambda folder: folder.stat().st_mtime_ns)
        keys = np.load(newest / "keys.npy")
        rows = np.load(newest / "vectors.npy")
        return {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}

    def scores(self, text: str) -> Array:
        """Return the cosine of each document with the text."""
        found: Array = self._rows @ self._embedder.vectors([text])[0]
        return found

    def retrieve(self, claim: Claim, k: int) -> list[Retrieved]:
        """Return at most ``k`` documents, the best first."""
        return best(self._documents, self.scores(claim.text), k)


def _text(document: Document) -> str:
    return f"{document.title} {' '.join(document.sentences)}"
