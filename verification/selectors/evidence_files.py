"""Answers as files. They hold what the page shows, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from corpus.formats.csvfile import encode_row
from corpus.formats.jsonl import encode
from corpus.text import csv_safe
from verification.evidence import Answer, FoundAbstract
from verification.evidence_layout import (
    INVENTED,
    NOTHING_FOUND,
    PROTOTYPE,
    lay_out,
    link_of,
)
from verification.models import FactCheck
from verification.pipeline.stages import LABELS

_ABOUT = ("title", "journal", "published", "doi", "pmid")
_CHECK_COLUMNS = (
    "claim",
    "is_invented",
    "corpus",
    "corpus_version",
    "system",
    "system_digest",
    "asked_at",
    "answered_at",
    "abstracts_searched",
    "newest",
)
_ABSTRACT_COLUMNS = (
    "retraction",
    "label",
    "is_evidence",
    "confidence",
    *(f"p_{label.lower()}" for label in LABELS),
    "document",
    *_ABOUT,
    "url",
    "rationale_sentences",
    "rationale",
)


def answer_json(check: FactCheck) -> dict[str, Any]:
    """Return a check with its answer; sentences are numbered from 0."""
    answer = Answer.from_json(check.result)
    return {
        "token": check.token,
        "id": check.external_id or None,
        "claim": check.claim,
        "state": check.state,
        "error": check.error,
        "is_invented": is_invented(check, answer),
        "notice": _notice(check, answer),
        "corpus": {
            "slug": check.corpus.slug,
            "name": check.corpus.name,
            "version": check.corpus_version,
        },
        "system": {"name": check.system, "digest": check.system_digest},
        "asked_at": _time(check.asked_at),
        "answered_at": _time(check.answered_at),
        "kept_at": _time(check.kept_at),
        "searched": {"abstracts": answer.searched, "newest": answer.newest},
        "abstracts": [_abstract(found) for found in answer.abstracts],
    }


def answer_line(check: FactCheck) -> bytes:
    """Return a check as one line of JSON Lines."""
    return encode(answer_json(check))


def answer_csv(check: FactCheck) -> bytes:
    """Return a table with a row for each abstract, or one row if there is none.

    Sentences are numbered from 1, as on the page. No cell is run as a formula by a
    spreadsheet.
    """
    answer = Answer.from_json(check.result)
    first = _check_cells(check, answer)
    rows = [_abstract_cells(found) for found in answer.abstracts]
    lines = [[*_CHECK_COLUMNS, *_ABSTRACT_COLUMNS]]
    lines += [[*first, *row] for row in rows or [[""] * len(_ABSTRACT_COLUMNS)]]
    return b"".join(encode_row([csv_safe(cell) for cell in line]) for line in lines)


def is_invented(check: FactCheck, answer: Answer) -> bool:
    """Whether the abstracts are those of a demonstration."""
    return answer.is_demo or check.corpus.is_demo


def _notice(check: FactCheck, answer: Answer) -> str:
    return " ".join(_notices(check, answer))


def _notices(check: FactCheck, answer: Answer) -> Iterator[str]:
    if is_invented(check, answer):
        yield INVENTED
    if check.state == FactCheck.State.DONE and not lay_out(answer).evidence:
        yield NOTHING_FOUND
    yield PROTOTYPE


def _abstract(found: FoundAbstract) -> dict[str, Any]:
    names = zip(LABELS, found.probabilities, strict=False)
    return {
        "document": found.document,
        **{name: getattr(found, name) for name in _ABOUT},
        "url": found.url,
        "link": link_of(found),
        "authors": list(found.authors),
        "retraction": found.retraction,
        "is_evidence": found.is_evidence,
        "label": found.label or None,
        "is_abstaining": found.is_abstaining,
        "confidence": found.confidence,
        "probabilities": {str(label): value for label, value in names},
        "retrieval_score": found.retrieval_score,
        "sentences": list(found.sentences),
        "rationale": list(found.chosen),
        "sentence_scores": list(found.scores),
    }


def _check_cells(check: FactCheck, answer: Answer) -> list[str]:
    return [
        check.claim,
        _yes_no(is_invented(check, answer)),
        check.corpus.name,
        _cell(check.corpus_version),
        check.system,
        check.system_digest,
        _time(check.asked_at) or "",
        _time(check.answered_at) or "",
        str(answer.searched),
        answer.newest,
    ]


def _abstract_cells(found: FoundAbstract) -> list[str]:
    probabilities = [*map(_figure, found.probabilities)] or [""] * len(LABELS)
    chosen = sorted(found.chosen)
    return [
        found.retraction,
        found.label or ("ABSTAINED" if found.is_abstaining else ""),
        _yes_no(found.is_evidence),
        "" if found.confidence is None else _figure(found.confidence),
        *probabilities,
        found.document,
        *(getattr(found, name) for name in _ABOUT),
        link_of(found),
        " ".join(str(index + 1) for index in chosen),
        " ".join(found.sentences[index] for index in chosen),
    ]


def _time(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None


def _cell(value: int | None) -> str:
    return "" if value is None else str(value)


def _figure(value: float) -> str:
    return f"{value:.4f}"


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
