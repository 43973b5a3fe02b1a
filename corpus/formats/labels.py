"""Turning the label words of files into our labels, with help for wrong words."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.formats.base import WriteOptions
from corpus.formats.problems import Problems
from corpus.records import Json, Label

Words = Mapping[str, Label]

# Every spelling of the label map, reduced to small letters. It serves hints in
# error messages only: a file is never read with another format's words.
_KNOWN_SPELLINGS = {
    "support": Label.SUPPORT,
    "supports": Label.SUPPORT,
    "supported": Label.SUPPORT,
    "entail": Label.SUPPORT,
    "entailment": Label.SUPPORT,
    "contradict": Label.CONTRADICT,
    "contradicts": Label.CONTRADICT,
    "contradiction": Label.CONTRADICT,
    "refute": Label.CONTRADICT,
    "refutes": Label.CONTRADICT,
    "refuted": Label.CONTRADICT,
    "noinfo": Label.NOT_ENOUGH_INFO,
    "nei": Label.NOT_ENOUGH_INFO,
    "notenoughinfo": Label.NOT_ENOUGH_INFO,
    "neutral": Label.NOT_ENOUGH_INFO,
    "inconclusive": Label.MIXED,
    "disputed": Label.MIXED,
    "mixed": Label.MIXED,
}


def words_of(labels: Mapping[Label, str]) -> dict[str, Label]:
    """Return the label of each word of a format."""
    return {word: label for label, word in labels.items()}


def listed(words: Words) -> str:
    """Return the words as ``A, B or C``."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def wrong_word(field: str, value: Json, words: Words, problems: Problems) -> None:
    """Record the error that ``value`` is none of ``words``."""
    expected = listed(words)
    message = f"{field}: expected {expected}.{_hint(value, words)}"
    problems.error(message, field=field, value=value, expected=expected)


def _hint(value: Json, words: Words) -> str:
    if not isinstance(value, str) or len(value) > 40:
        return ""
    reduced = "".join(filter(str.isalpha, value.casefold()))
    meant = _KNOWN_SPELLINGS.get(reduced)
    if meant is None:
        return ""
    for word, label in words.items():
        if label == meant:
            return f" The word for {value} is {word} here."
    if meant is Label.NOT_ENOUGH_INFO:
        return " A pair without enough information has no entry here."
    return ""


def label_to_write(
    label: Label,
    held: Mapping[Label, str],
    options: WriteOptions,
    field: str,
    problems: Problems,
) -> Label | None:
    """Return the label under which a pair is written, or ``None`` with an error.

    A label that the format has no word for is written as the map says, with a
    warning, since the file then says less or something else than the record.
    """
    if label in held:
        return label
    mapped = options.label_map.get(label)
    if mapped is not None and mapped in held:
        message = f"The label {label} is written as {mapped}, as the label map says."
        problems.warn(message, field=field, value=label, expected=mapped)
        return mapped
    allowed = listed({str(known): known for known in held})
    message = (
        f"This format has no word for the label {label}. Say in a label map which "
        f"of {allowed} stands for it, or leave the pair out."
    )
    problems.error(message, field=field, value=label, expected=allowed)
    return None
