"""Small pure helpers on text: normal forms, keys, tokens and DOIs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256

_DOI_URL = re.compile(
    r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)\s*", re.IGNORECASE
)

_BAD_CHARACTER = re.compile("[\x00\ud800-\udfff]")
# Scripts whose words no space parts: each of their characters is a token.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_ASCII = [chr(code).lower() for code in range(128)]
_FOLDED_ASCII = "".join(" " if c.isspace() else c for c in _ASCII)
_ASCII_WORDS = "".join(c if c.isalnum() else " " for c in _ASCII)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def row_key(text: str | None) -> int | None:
    """Return the primary key that a text from outside spells, ``None`` if none.

    At most 18 ASCII digits: every such number fits a column of 64 bits.
    """
    if text and text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    return None


def normalise(text: str) -> str:
    """Return text for comparison: NFKC, casefolded, white space collapsed.

    Two texts that a reader would call the same have one normal form. Never store
    it in place of the text. Idempotent.
    """
    if text.isascii():  # most text, and faster
        folded = text.translate(_FOLDED_ASCII)
        return " ".join(folded.split()) if "  " in folded else folded.strip(" ")
    return " ".join(_fold(text).split())


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)


def normalise_newlines(text: str) -> str:
    """Return text with every line end as LF: browsers send CRLF in text areas."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bad_character(text: str) -> tuple[int, str] | None:
    """Return the offset and name of the first character that cannot be stored.

    These are NUL and lone surrogates; ``None`` if there is none.
    """
    match = _BAD_CHARACTER.search(text)
    if match is None:
        return None
    code = ord(match.group())
    name = "a lone surrogate" if code else "a NUL character"
    return match.start(), f"{name} (U+{code:04X})"


def search_tokens(text: str) -> list[str]:
    """Return the words of a text for search: runs of letters and digits.

    A Chinese or Japanese character is a word of its own, since no space parts
    theirs. Words come from the normal form, in their order and with repeats. Both
    databases index exactly these, so both find the same.
    """
    if text.isascii():  # most text, and four times as fast
        return text.translate(_ASCII_WORDS).split()
    return _TOKEN.findall(_fold(text))


def text_key(*parts: str) -> str:
    """Return the SHA-256 of the normal forms: equal for texts that read the same."""
    return sha256("\0".join(map(normalise, parts)).encode("utf-8")).hexdigest()


def content_hash(
    title: str, sentences: Sequence[str], separators: Sequence[str] | None = None
) -> str:
    """Return the SHA-256 of an abstract's content, exact to the character.

    ``separators`` is ``None`` where the source shipped sentences. JSON makes the
    borders between the parts unambiguous.
    """
    parts = [title, list(sentences), None if separators is None else list(separators)]
    return sha256(json.dumps(parts).encode("utf-8")).hexdigest()


def csv_safe(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula.

    For tables that people open; data formats are written as they are.
    """
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def shorten(text: str, limit: int) -> str:
    """Return at most ``limit`` characters, with an ellipsis where some are missing."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def content_key(*parts: str) -> str:
    """Return 16 hex digits that stand for these texts, in this order.

    The parts are joined with NUL, which no text in this project may contain, so
    ``("ab", "c")`` and ``("a", "bc")`` get different keys.
    """
    joined = "\0".join(parts)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def doi_of(url: str) -> str:
    """Return the DOI in a doi.org address or a bare DOI, else ``""``.

    The DOI keeps its spelling. Other addresses that merely contain a DOI give
    ``""``: what follows the DOI in them cannot be told from the DOI itself.
    """
    match = _DOI_URL.fullmatch(url)
    return match.group(1) if match else ""
