"""What researchers get of a gold file: its claims without the answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator

from corpus.formats.csvfile import encode_row, read_rows
from corpus.records import Json
from verification.scoring.findings import Finding, Findings
from verification.scoring.reading import (
    MAX_LINE_BYTES,
    Source,
    read_cells,
    read_objects,
)

_KEYS = {
    "open": ("id", "claim"),
    "oracle-abstract": ("id", "claim", "cited_doc_ids", "cord_id"),
    "oracle-rationale": ("id", "claim", "cited_doc_ids", "cord_id", "evidence"),
}
# Where the formats of gold keep their answers.
_ANSWERS = frozenset({"label", "labels", "evidence_set", "verifiable"})


def public_claims(task: str, gold: Source, setting: str) -> Iterator[bytes]:
    """Yield the lines of the public file of a gold file that was found readable.

    JSON Lines keep the id and the text; with oracle abstracts also the cited
    documents, with oracle rationales also the sentences, never a label. CoRe's
    tables lose the column ``label``.
    """
    if task == "core":
        return _without_label(gold)
    return _public_lines(gold, setting)


def _public_lines(gold: Source, setting: str) -> Iterator[bytes]:
    for values, _ in read_objects(gold, Findings()):
        kept = {key: values[key] for key in _KEYS[setting] if key in values}
        if "evidence" in kept:
            kept["evidence"] = _sentences_alone(kept["evidence"])
        yield json.dumps(kept, ensure_ascii=False).encode() + b"\n"


def answers_in(task: str, claims: Source, setting: str) -> list[Finding]:
    """Return the lines of a file of claims that give an answer away.

    An answer is a label anywhere, or evidence, unless the setting gives its
    sentences. What cannot be read is not looked at.
    """
    findings = Findings()
    if task == "core":
        for values, place in read_cells(claims, (), Findings()):
            if values.get("label"):
                findings.error(claims.name, place.line, None, "The label is given.")
        return findings.errors
    for values, place in read_objects(claims, Findings()):
        for words in _answers(values, setting):
            findings.error(claims.name, place.line, None, words)
    return findings.errors


def _answers(values: dict[str, Json], setting: str) -> Iterator[str]:
    if _names_an_answer(values):
        yield "A label or a set of evidence is given."
    elif values.get("evidence") and setting != "oracle-rationale":
        yield "The evidence is given, in a setting where systems have to find it."


def _names_an_answer(value: Json) -> bool:
    if isinstance(value, dict):
        return not _ANSWERS.isdisjoint(value) or _names_an_answer([*value.values()])
    return isinstance(value, list) and any(map(_names_an_answer, value))


def _sentences_alone(evidence: Json) -> Json:
    """Return evidence with sentences and without labels."""
    if not isinstance(evidence, dict):
        return {}
    return {
        document: [
            {"sentences": rationale.get("sentences", [])}
            for rationale in rationales
            if isinstance(rationale, dict)
        ]
        for document, rationales in evidence.items()
        if isinstance(rationales, list)
    }


def _without_label(gold: Source) -> Iterator[bytes]:
    kept: list[int] = []
    with gold.open() as file:
        for row in read_rows(file, max_bytes=MAX_LINE_BYTES):
            if not kept:
                kept = [n for n, cell in enumerate(row.cells) if cell != "label"]
            yield encode_row([row.cells[n] for n in kept if n < len(row.cells)])
