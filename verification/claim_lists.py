"""Lists of claims to be checked: one a line, or JSON Lines; pure.

A file whose first character is ``{`` or ``[`` is JSON Lines, each line with ``claim``
and, if wanted, ``id``. In any other file, every line that is not blank is a claim.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.formats.base import FormatError, Problem, Read
from corpus.formats.fields import Fields
from corpus.formats.jsonl import read_records
from corpus.formats.lines import read_lines
from corpus.formats.problems import Problems, SeenIds
from corpus.records import Claim, ExternalId
from corpus.text import bad_character

MOST_CLAIMS = 500
MOST_BYTES = 1024 * 1024
MOST_CHARACTERS = 1_000
MOST_ID_CHARACTERS = 255
_SHOWN_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class ListedClaim:
    """One claim of a list, with the id that the list gives it, if any."""

    text: str
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class ClaimList:
    """What was read: the claims, or all that is wrong with the list."""

    claims: tuple[ListedClaim, ...]
    problems: tuple[Problem, ...]


def read_claim_list(data: bytes) -> ClaimList:
    """Return the claims of a list, or its problems by line."""
    found = list(_read(data))
    problems = [problem for entry in found for problem in entry.problems]
    claims = [entry.record for entry in found if entry.record is not None]
    if len(claims) > MOST_CLAIMS:
        problems.append(_too_many(len(claims)))
    if not found:
        problems.append(Problem("There is no claim in this list."))
    if problems:
        return ClaimList((), tuple(problems[:_SHOWN_PROBLEMS]))
    return ClaimList(tuple(ListedClaim(c.text, c.id.text) for c in claims), ())


def claim_problem(text: str) -> str:
    """Return what is wrong with the text of a claim, in words; or nothing."""
    if not text.strip():
        return "Type a claim: one sentence that can be true or false."
    if len(text) > MOST_CHARACTERS:
        return (
            f"The claim has {len(text):,} characters; at most {MOST_CHARACTERS:,} can "
            "be checked. State one finding in one sentence."
        )
    if (bad := bad_character(text)) is not None:
        return f"Character {bad[0] + 1} is {bad[1]}, which cannot be kept."
    return ""


def _read(data: bytes) -> Iterator[Read[Claim]]:
    start = data.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if start in {b"{", b"["}:
        seen = SeenIds("claim")
        return read_records(io.BytesIO(data), lambda fields: _parsed(fields, seen))
    return _read_text(data)


def _parsed(fields: Fields, seen: SeenIds) -> Claim:
    identifier = fields.identifier("id") if "id" in fields else ExternalId("")
    text = fields.text("claim").strip()
    problems = fields.problems
    seen.check(identifier.text, "id", problems)
    if len(identifier.text) > MOST_ID_CHARACTERS:
        message = f"An id has at most {MOST_ID_CHARACTERS} characters."
        problems.error(message, field="id", value=identifier.text)
    # What is no text at all was told already.
    if isinstance(fields.values.get("claim"), str) and (wrong := claim_problem(text)):
        problems.error(wrong, field="claim", value=text)
    return Claim(identifier, text, is_labelled=False)


def _read_text(data: bytes) -> Iterator[Read[Claim]]:
    try:
        for line in read_lines(io.BytesIO(data)):
            if text := line.text.strip():
                yield _claim_on(line.number, text)
    except FormatError as error:
        yield Read(error.problem.line or 1, None, (error.problem,))


def _claim_on(number: int, text: str) -> Read[Claim]:
    problems = Problems(number)
    if wrong := claim_problem(text):
        problems.error(wrong, field="claim", value=text)
        return Read(number, None, problems.found())
    return Read(number, Claim(ExternalId(""), text, is_labelled=False))


def _too_many(count: int) -> Problem:
    return Problem(
        f"The list has {count:,} claims. One batch takes {MOST_CLAIMS:,}: split the "
        "list into several.",
        expected=f"at most {MOST_CLAIMS:,} claims",
    )
