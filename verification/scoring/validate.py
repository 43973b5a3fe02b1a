"""Checks that all tasks share: claim ids, indices, labels, objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from corpus.formats.labels import Words, words_of, wrong_word
from corpus.formats.problems import Problems, kind_of, shown
from corpus.records import Json, Label
from verification.scoring.findings import ClaimId, Findings, Place
from verification.scoring.reading import Documents, Values

__all__ = [
    "MAX_ID_LENGTH",
    "Roll",
    "Words",
    "are_indices",
    "claim_id",
    "indices",
    "label_word",
    "mapping",
    "warn_about_document",
    "warn_about_sentences",
    "words_of",
]

MAX_ID_LENGTH = 200
"""So long may a claim's id be; it is repeated with every finding."""

_MISSING = object()
_ONLY_INTEGERS = frozenset([int])


def claim_id(values: Values, key: str, shape: str, place: Place) -> ClaimId | None:
    """Return the id of a line, or ``None`` with an error.

    Ids are opaque: a whole number or a non-empty text, and 7 is not "7".
    """
    value = values.get(key, _MISSING)
    if type(value) is int or (type(value) is str and value):
        if len(str(value)) <= MAX_ID_LENGTH:
            place.claim_id = value
            return value
        place.error(f"{key}: the id is longer than {MAX_ID_LENGTH} characters.")
    elif value is _MISSING:
        place.error(_no_key(values, key, shape))
    else:
        expected = "expected a whole number or a non-empty text"
        place.error(f"{key}: {expected}, found {kind_of(values[key])}.")
    return None


def mapping(values: Values, key: str, shape: str, place: Place) -> Values | None:
    """Return an object field, or ``None`` with an error."""
    value = values.get(key, _MISSING)
    if isinstance(value, dict):
        return value
    if value is _MISSING:
        place.error(_no_key(values, key, shape))
    else:
        place.error(f"{key}: expected an object, found {kind_of(values[key])}.")
    return None


def _no_key(values: Values, key: str, shape: str) -> str:
    present = ", ".join(map(shown, list(values)[:8])) or "nothing"
    return (
        f"{key} is missing; the line has {present}. This task reads lines like "
        f"{shape}. Is it the file of another task?"
    )


def indices(value: Json, field: str, place: Place) -> list[int] | None:
    """Return a list of sentence indices, or ``None`` with an error for each fault.

    ``"1"``, ``1.0`` and ``true`` are refused: one evaluator takes some of them
    and silently gives no credit for others.
    """
    if are_indices(value):
        return value
    if not isinstance(value, list):
        place.error(f"{field}: expected a list of integers, found {kind_of(value)}.")
        return None
    for number, item in enumerate(value):
        if type(item) is not int:
            found = f"found {kind_of(item)} ({shown(item)})"
            place.error(f"{field}[{number}]: integer expected, {found}.")
    return None


def are_indices(value: Json) -> TypeGuard[list[int]]:
    """Return whether a value is a list of integers and nothing else."""
    return type(value) is list and _ONLY_INTEGERS.issuperset(map(type, value))


def label_word(value: Json, field: str, words: Words, place: Place) -> str | None:
    """Return a label as the file spells it, or ``None`` with an error."""
    if isinstance(value, str) and value in words:
        return value
    problems = Problems()
    wrong_word(field, value, words, problems)
    message = problems.found()[0].message
    place.error(f"{message} Found: {shown(value) or 'empty text'}.")
    return None


def without_nei(labels: Mapping[Label, str]) -> dict[str, Label]:
    """Return the words of a format, but for the one for not enough information."""
    return {
        word: label
        for label, word in labels.items()
        if label is not Label.NOT_ENOUGH_INFO
    }


def warn_about_document(
    document: str, documents: Documents | None, place: Place
) -> None:
    """Warn about a document that the corpus, where there is one, does not have."""
    if documents is not None and document not in documents:
        place.warn(
            f"The document {shown(document)} is not in the corpus. It counts as "
            "retrieved, never as correct."
        )


def warn_about_sentences(
    document: str, sentences: list[int], documents: Documents | None, place: Place
) -> None:
    """Warn about repeated indices and about those that no abstract has."""
    if len(set(sentences)) < len(sentences):
        place.warn(
            f"Document {shown(document)}: a sentence is listed twice. Each listing "
            "counts as retrieved."
        )
    if not sentences:
        return
    size = None if documents is None else documents.get(document)
    if min(sentences) < 0:
        place.warn(f"Document {shown(document)}: a sentence index is negative.")
    if size is not None and max(sentences) >= size:
        place.warn(
            f"Document {shown(document)}: the index {shown(max(sentences))} is out of "
            f"range; the abstract has {size} sentences, counted from 0."
        )


class Roll:
    """Which claims a prediction file must have, and which it has so far."""

    def __init__(self, expected: Iterable[ClaimId], file: str) -> None:
        self._expected = expected if isinstance(expected, Mapping) else set(expected)
        self._seen: dict[ClaimId, int | None] = {}
        self._file = file

    def check(self, claim: ClaimId, place: Place) -> bool:
        """Record a claim; report it if it is repeated or unknown."""
        if claim in self._seen:
            first = self._seen[claim]
            place.error(f"The claim {shown(claim)} is on line {first} already.")
            return False
        self._seen[claim] = place.line
        if claim in self._expected:
            return True
        place.error(_unknown(claim, self._expected))
        return False

    def finish(self, findings: Findings) -> None:
        """Report each claim that the file lacks; an empty file says so itself."""
        if not self._seen and findings.has_errors:
            return
        for claim in self._expected:
            if claim not in self._seen:
                message = f"The claim {shown(claim)} is missing."
                findings.error(self._file, None, claim, message)


def _unknown(claim: ClaimId, expected: Iterable[ClaimId]) -> str:
    known = set(expected) if not isinstance(expected, Mapping | set) else expected
    message = f"The claim {shown(claim)} is not in the gold file."
    if isinstance(claim, int) and str(claim) in known:
        return f"{message} There it is text, not a number: write it in quotes."
    if isinstance(claim, str) and _as_number(claim) in known:
        return f"{message} There it is a number, not text: write it without quotes."
    return message


def _as_number(text: str) -> int | None:
    return int(text) if len(text) < 20 and text.isdecimal() else None
