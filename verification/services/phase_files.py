"""The files of a gold set as claims and abstracts, for what predicts on the server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.exceptions import DomainError
from corpus.models import StoredFile
from corpus.records import Claim, Document
from verification.pipeline.files import InputError, read_claims, read_corpus
from verification.scoring.reading import Source
from verification.services.scoring import stored_source


def format_of(task: str) -> str:
    """Return the format of a task's claims and corpus."""
    if task == "scifact_open":
        return "scifact-open"
    return "check-covid" if task.startswith("checkcovid") else "scifact"


def stored_documents(
    corpus: StoredFile | None, name: str, folder: Path
) -> dict[str, Document]:
    """Return the abstracts of a stored corpus by id; none without one."""
    if corpus is None:
        return {}
    with _in_words(name):
        return read_corpus(_copied(stored_source(corpus), folder / "corpus"), name)


def stored_claims(source: Source, name: str, path: Path) -> list[Claim]:
    """Return the claims of a stored file; ``path`` is where its copy goes."""
    with _in_words(name):
        return read_claims(_copied(source, path), name)


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise DomainError(f"The files cannot be read as {name}. {error}") from error


def _copied(source: Source, path: Path) -> Path:
    """Return a plain copy, also of a file that was uploaded compressed."""
    if not path.is_file():
        with source.open() as file, path.open("wb") as copy:
            shutil.copyfileobj(file, copy)
    return path
