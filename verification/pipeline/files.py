"""Reading corpora and claims for the pipeline, through the project's own formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from corpus.formats.base import FormatError, Read, Record
from corpus.formats.registry import get_format
from corpus.records import Claim, Document


class InputError(Exception):
    """A file that the pipeline cannot use, in words."""


def read_corpus(path: Path, format_name: str = "scifact") -> dict[str, Document]:
    """Return the documents of a corpus file by id, in the order of the file."""
    fmt = get_format(format_name)
    if fmt.read_documents is None:
        raise InputError(f"The format {format_name} has no corpus file.")
    return {document.id.text: document for document in _read(path, fmt.read_documents)}


def read_claims(path: Path, format_name: str = "scifact") -> list[Claim]:
    """Return the claims of a file, in the order of the file."""
    fmt = get_format(format_name)
    if fmt.read_claims is None:
        raise InputError(f"The format {format_name} has no claims file.")
    return list(_read(path, fmt.read_claims))


def _read(
    path: Path, reader: Callable[[BinaryIO], Iterator[Read[Record]]]
) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            for read in reader(file):
                if read.record is None:
                    first = read.problems[0]
                    raise InputError(f"{path}, line {read.line}: {first.message}")
                yield read.record
    except FormatError as error:
        raise InputError(f"{path}: {error.problem.message}") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from error
