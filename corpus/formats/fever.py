"""FEVER: ``train.jsonl`` and its like, and the pages of the Wikipedia dump.

``evidence`` is a list of evidence sets, each a list of [annotation id, evidence
id, page, line]. A set on one page becomes a rationale of that page; the same set
by several annotators becomes one rationale, with their ids in the pair's
``extra``. A set that spans pages fits no claim-abstract pair: it is reported, and
kept whole in the claim's ``extra``, never split. FEVER's label belongs to the
claim, so ``label`` and ``verifiable`` are kept there as well. A claim with NOT
ENOUGH INFO names no page and has no pairs.

Page names are ids and stay verbatim (``_`` for blanks, ``-LRB-`` for brackets);
only a page's title is decoded. Every dump file starts with a page that has no id
and no text; such placeholders are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, TypeGuard

from corpus.formats.base import Format, Read
from corpus.formats.fields import Fields
from corpus.formats.jsonl import read_records
from corpus.formats.labels import words_of
from corpus.formats.problems import Problems, SeenIds
from corpus.records import (
    Claim,
    Document,
    Evidence,
    ExternalId,
    Json,
    Label,
    Rationale,
)

_LABELS = {
    Label.SUPPORT: "SUPPORTS",
    Label.CONTRADICT: "REFUTES",
    Label.NOT_ENOUGH_INFO: "NOT ENOUGH INFO",
}
_WORDS = words_of(_LABELS)
_TITLE_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "-COLON-": ":",
    "_": " ",
}
_TITLE_ESCAPE = re.compile("|".join(map(re.escape, _TITLE_ESCAPES)))
# A line end not followed by a number and a tab belongs to the sentence before.
_LINE_START = re.compile(r"\n(?=\d+(?:\t|\n|$))")
_ITEM = "[annotation id, evidence id, page, line]"

Place = tuple[str, int]
"""A sentence: the name of its page and its line."""


def read_documents(file: BinaryIO) -> Iterator[Read[Document]]:
    """Yield the pages of a Wikipedia dump file."""
    seen = SeenIds("document")

    def parse(fields: Fields) -> Document | None:
        if fields.values.get("id") == "" and not fields.values.get("text"):
            return None
        page = fields.identifier("id")
        seen.check(page.text, "id", fields.problems)
        return Document(
            id=page,
            title=decoded_title(page.text),
            sentences=_sentences(fields),
            extra=fields.further("id", "text", "lines"),
        )

    return read_records(file, parse)


def decoded_title(page: str) -> str:
    """Return a page's title as Wikipedia shows it."""
    return _TITLE_ESCAPE.sub(lambda match: _TITLE_ESCAPES[match.group()], page)


def _sentences(fields: Fields) -> tuple[str, ...]:
    lines = fields.text("lines")
    if not lines:
        return ()
    sentences = []
    for number, line in enumerate(_LINE_START.split(lines)):
        start, _, rest = line.partition("\t")
        if start != str(number):
            message = f"lines: expected line {number} of the page, found {start[:40]}."
            fields.problems.error(
                message, field=f"lines[{number}]", value=line, expected=str(number)
            )
            return ()
        sentences.append(rest.partition("\t")[0])
    return tuple(sentences)


def read_claims(file: BinaryIO) -> Iterator[Read[Claim]]:
    """Yield the claims of a file; a test file's claims are unlabelled."""
    seen = SeenIds("claim")

    def parse(fields: Fields) -> Claim:
        claim = _claim(fields)
        seen.check(claim.id.text, "id", fields.problems)
        return claim

    return read_records(file, parse)


def _claim(fields: Fields) -> Claim:
    extra = fields.further("id", "claim", "evidence")
    is_labelled = "label" in fields or "evidence" in fields
    evidence: tuple[Evidence, ...] = ()
    if is_labelled:
        label = fields.label("label", _WORDS)
        sets = _evidence_sets(fields)
        if label and label is not Label.NOT_ENOUGH_INFO:
            evidence = _evidence(sets, label)
            extra |= _spanning(sets, fields.problems)
    return Claim(
        id=fields.identifier("id"),
        text=fields.text("claim"),
        is_labelled=is_labelled,
        evidence=evidence,
        extra=extra,
    )


EvidenceSet = list[tuple[Place, list[Json]]]


def _evidence_sets(fields: Fields) -> list[EvidenceSet]:
    """Return the sets of places with their raw items; null places are left out."""
    value = fields.values.get("evidence")
    if not isinstance(value, list):
        fields.problems.wrong_type("evidence", value, "a list of evidence sets")
        return []
    sets = []
    for number, entries in enumerate(value):
        path = f"evidence[{number}]"
        if not isinstance(entries, list):
            fields.problems.wrong_type(path, entries, "an evidence set (a list)")
            continue
        places = [
            (place, item)
            for n, item in enumerate(entries)
            if isinstance(item, list)
            and (place := _place(f"{path}[{n}]", item, fields.problems))
        ]
        _report_other_items(path, entries, fields.problems)
        if places:
            sets.append(places)
    return sets


def _report_other_items(path: str, entries: list[Json], problems: Problems) -> None:
    for number, item in enumerate(entries):
        if not isinstance(item, list):
            problems.wrong_type(f"{path}[{number}]", item, _ITEM)


def _place(path: str, item: list[Json], problems: Problems) -> Place | None:
    if len(item) != 4:
        message = f"{path}: expected {_ITEM}, found {len(item)} values."
        problems.error(message, field=path, value=item, expected=_ITEM)
        return None
    page, line = item[2:]
    if page is None and line is None:
        return None
    if isinstance(page, str) and page and _is_index(line):
        return page, line
    message = f"{path}: expected a page name and a line number from 0."
    problems.error(message, field=path, value=item, expected=_ITEM)
    return None


def _is_index(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _evidence(sets: list[EvidenceSet], label: Label) -> tuple[Evidence, ...]:
    pages: dict[str, dict[tuple[int, ...], list[Json]]] = {}
    for evidence_set in sets:
        names = {page for (page, _), _ in evidence_set}
        if len(names) > 1:
            continue
        rationales = pages.setdefault(names.pop(), {})
        lines = tuple(dict.fromkeys(line for (_, line), _ in evidence_set))
        ids: list[Json] = [item[:2] for _, item in evidence_set]
        rationales.setdefault(lines, []).append(ids)
    return tuple(
        Evidence(
            ExternalId(page),
            label,
            tuple(map(Rationale, rationales)),
            extra={"annotations": list(rationales.values())},
        )
        for page, rationales in pages.items()
    )


def _spanning(sets: list[EvidenceSet], problems: Problems) -> dict[str, Json]:
    spanning: list[Json] = [
        [item for _, item in evidence_set]
        for evidence_set in sets
        if len({page for (page, _), _ in evidence_set}) > 1
    ]
    if not spanning:
        return {}
    message = (
        f"evidence: {len(spanning)} evidence set(s) span several pages, which a claim "
        "with one abstract cannot hold. They are kept as further data of the claim."
    )
    problems.warn(message, field="evidence", value=spanning)
    return {"evidence_across_pages": spanning}


FORMAT = Format(
    name="fever",
    title="FEVER",
    protocol="scifact",
    labels=_LABELS,
    extensions=(".jsonl",),
    read_documents=read_documents,
    read_claims=read_claims,
)
