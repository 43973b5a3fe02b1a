"""An entry of a board as BibTeX and as a row of a LaTeX table. Pure.

Names come from people and may hold anything; what is returned can be pasted into a
paper as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

# Braces as commands: BibTeX counts braces also after a backslash.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Some languages of LaTeX make it a command.
    '"': r"\char34{}",
} | {character: f"\\{character}" for character in "&%$#_"}
_URL_SAFE = ":/?#[]@!$&'()*+,;=-._~%"


@dataclass(frozen=True, slots=True)
class Citation:
    """What is cited of an entry."""

    key: str
    system: str
    by: str
    benchmark: str
    phase: str
    year: int | None
    url: str
    signature: str


def latex(text: str) -> str:
    """Return a text in one line, with every special character escaped.

    Line ends become spaces; control characters, which break a run of TeX, go.
    """
    plain = "".join(c for c in " ".join(text.split()) if not _is_control(c))
    return "".join(_SPECIAL.get(character, character) for character in plain)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def bibtex(entry: Citation) -> str:
    """Return an entry for a bibliography; its note holds the signature, if any."""
    title = f"{latex(entry.system)}: entry on {latex(entry.benchmark)}"
    fields = {
        # Braces within keep "and" in a name from parting it.
        "author": f"{{{latex(entry.by)}}}" if entry.by else "",
        "title": f"{{{title}, {latex(entry.phase)}}}",
        "year": str(entry.year or ""),
        "howpublished": "Claimdesk",
        "url": quote(entry.url, safe=_URL_SAFE),
        "note": latex(entry.signature),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{_key(entry.key)},", *lines, "}"])


def _key(text: str) -> str:
    """Return a key that BibTeX and LaTeX take: ASCII letters, digits and dashes."""
    kept = (c if c.isascii() and c.isalnum() else "-" for c in text)
    return "".join(kept).strip("-") or "entry"


def latex_row(system: str, cells: Sequence[str], signature: str) -> str:
    """Return a table row, with the signature as a comment behind it."""
    row = " & ".join([latex(system), *map(latex, cells)])
    comment = " ".join(signature.split())
    return f"{row} \\\\" + (f" % {comment}" if comment else "")
