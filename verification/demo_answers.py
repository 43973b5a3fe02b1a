"""Invented predictions for invented gold: systems that err in known ways. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Line = dict[str, Any]
_OTHER = {"SUPPORT": "CONTRADICT", "CONTRADICT": "SUPPORT"}


@dataclass(frozen=True, slots=True)
class System:
    """How an invented system errs: every so many claims, counted from the first.

    ``misses`` finds nothing, ``turns`` takes the label for its opposite, ``strays``
    names the next sentence instead of the right one, ``adds`` names a further
    abstract. 0 is never.
    """

    name: str
    description: str
    model_size: str
    misses: int = 0
    turns: int = 0
    strays: int = 0
    adds: int = 0


SYSTEMS = (
    System(
        "Bramble 3 (invented)",
        "An invented system that errs rarely.",
        "3 B parameters",
        misses=11,
        strays=9,
        adds=13,
    ),
    System(
        "Bramble 1 (invented)",
        "An invented smaller system.",
        "110 M parameters",
        misses=6,
        turns=8,
        strays=4,
        adds=5,
    ),
    System(
        "Keyword match (invented)",
        "An invented system that looks for words of the claim.",
        "none",
        misses=3,
        turns=4,
        strays=2,
        adds=2,
    ),
)


def gold_of(rows: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Return the demo's written claims with their first judgement as gold."""
    return [_gold(row, row["judgements"][0]) for row in rows if row["judgements"]]


def _gold(row: Mapping[str, Any], judgement: Mapping[str, Any]) -> Line:
    document, label = judgement["doc_id"], judgement["label"]
    rationales = judgement["rationales"] if label in _OTHER else []
    found = [{"sentences": sentences, "label": label} for sentences in rationales]
    return {
        "id": row["claim_id"],
        "claim": row["text"],
        "evidence": {str(document): found} if found else {},
        "cited_doc_ids": [document],
    }


def answers_of(system: System, gold: Sequence[Line]) -> Iterator[Line]:
    """Yield what a system says of each claim of the gold."""
    documents = sorted({name for line in gold for name in line["evidence"]})
    for number, line in enumerate(gold, start=1):
        evidence = {} if _is_due(system.misses, number) else _right(line)
        for answer in evidence.values():
            _err(system, number, answer)
        if _is_due(system.adds, number):
            added = documents[number % len(documents)]
            evidence.setdefault(added, {"sentences": [0], "label": "SUPPORT"})
        yield {"id": line["id"], "evidence": evidence}


def _right(line: Line) -> dict[str, dict[str, Any]]:
    return {
        document: {
            "sentences": list(rationales[0]["sentences"]),
            "label": rationales[0]["label"],
        }
        for document, rationales in line["evidence"].items()
    }


def _err(system: System, number: int, answer: dict[str, Any]) -> None:
    if _is_due(system.turns, number):
        answer["label"] = _OTHER[answer["label"]]
    if _is_due(system.strays, number):
        answer["sentences"] = [answer["sentences"][0] + 1]


def _is_due(every: int, number: int) -> bool:
    return every > 0 and number % every == 0
