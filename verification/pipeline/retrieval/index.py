"""Indexes on disk: built once per corpus version and settings, then shared.

An index is a folder whose name carries a checksum of the documents and the
settings. It is built beside and renamed, so that readers never see half of one, and
two builders at once do no harm: the second finds the first one's folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np

from corpus.records import Document
from verification.pipeline.stages import Array, Retrieved

STALE_SECONDS = 24 * 3600


def corpus_digest(documents: Iterable[Document]) -> str:
    """Return a checksum of ids, titles and sentences, in their order."""
    digest = sha256()
    for document in documents:
        digest.update(document_digest(document))
    return digest.hexdigest()[:24]


def document_digest(document: Document) -> bytes:
    """Return a checksum of what an index holds of a document."""
    parts = []
    for part in (document.id.text, document.title, *document.sentences):
        data = part.encode("utf-8", "surrogatepass")
        parts += [len(data).to_bytes(8, "big"), data]
    return sha256(b"".join(parts)).digest()


def index_folder(
    root: Path, kind: str, settings: str, digest: str, build: Callable[[Path], None]
) -> Path:
    """Return the folder of an index; build it if it is not there."""
    key = sha256(settings.encode()).hexdigest()[:8]
    final = root / f"{kind}-{digest}-{key}"
    if final.is_dir():
        return final
    root.mkdir(parents=True, exist_ok=True)
    _drop_stale_drafts(root)
    draft = Path(tempfile.mkdtemp(prefix=f".{kind}-", dir=root))
    try:
        build(draft)
        try:
            os.rename(draft, final)
        except OSError:
            if not final.is_dir():  # not the other builder's folder
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return final


def drop_earlier(root: Path, digest: str) -> None:
    """Remove the indexes of earlier versions of a corpus from its folder.

    Where one is still mapped into another process, that process keeps it until it
    lets go.
    """
    for folder in root.glob("[!.]*-*-*"):
        if f"-{digest}-" not in folder.name:
            shutil.rmtree(folder, ignore_errors=True)


def _drop_stale_drafts(root: Path) -> None:
    """Remove what builders that were killed have left, a day later."""
    for draft in root.glob(".*-*"):
        with suppress(OSError):  # another builder removes it at the same time
            if draft.stat().st_mtime < time.time() - STALE_SECONDS:
                shutil.rmtree(draft, ignore_errors=True)


def best(documents: Sequence[Document], scores: Array, k: int) -> list[Retrieved]:
    """Return the ``k`` best documents; of equal scores the later one comes first.

    So does the reference, which reverses an ascending order. Only what can be among
    the best is sorted: of a large corpus most is not.
    """
    k = min(k, len(documents))
    if not k:
        return []
    least = np.partition(scores, -k)[-k]
    above, equal = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    places = np.sort(np.concatenate([above, equal[len(above) - k :]]))
    order = places[np.argsort(scores[places], kind="stable")[::-1]]
    return [Retrieved(documents[n], float(scores[n])) for n in order]
