"""Predictions that say nothing, for any task of a benchmark. Pure.

Scoring them shows whether gold can be scored at all, and which measures it has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from corpus.formats.csvfile import encode_row
from corpus.records import Json
from verification.scoring.findings import ClaimId, Findings
from verification.scoring.reading import Source, read_cells
from verification.scoring.tasks import read_claim_ids

_EMPTY: dict[str, Callable[[ClaimId], dict[str, Json]]] = {
    "scifact_pipeline": lambda claim: {"id": claim, "evidence": {}},
    "scifact_rationale_selection": lambda claim: {"claim_id": claim, "evidence": {}},
    "scifact_label_prediction": lambda claim: {"claim_id": claim, "labels": {}},
    "scifact_label_accuracy_gold_inputs": (
        lambda claim: {"claim_id": claim, "labels": {}}
    ),
    "scifact_abstract_retrieval": lambda claim: {"claim_id": claim, "doc_ids": []},
    "checkcovid_rationale_selection": lambda claim: {"claim_id": claim, "evidence": {}},
    "checkcovid_label_prediction": lambda claim: {"claim_id": claim, "labels": {}},
    "checkcovid_pipeline_py": lambda claim: {"id": claim, "evidence": {}},
    "fever": lambda claim: {
        "id": claim,
        "predicted_label": "NOT ENOUGH INFO",
        "predicted_evidence": [],
    },
    "scifact_open": lambda claim: {
        "claim_id": claim,
        "doc_id": 0,
        "p_support": 0.0,
        "p_contradict": 0.0,
        "predicted_label": "NEI",
        "rank": 1,
    },
}
CORE = "core"
BENCHMARK_TASKS = (*_EMPTY, CORE)
"""The tasks that a benchmark can have: those that compare predictions with gold."""


def empty_predictions(task: str, claims: Source) -> Iterator[bytes]:
    """Yield the lines of a file that answers each claim with nothing.

    ``claims`` is a file of the task's claims, labelled or not; what cannot be read
    in it is left out. ``KeyError`` for a task that is none of ``BENCHMARK_TASKS``.
    """
    if task == CORE:
        yield from _empty_table(claims)
        return
    make = _EMPTY[task]
    for claim in read_claim_ids(claims, Findings()):
        yield json.dumps(make(claim), ensure_ascii=False).encode() + b"\n"


def _empty_table(claims: Source) -> Iterator[bytes]:
    yield encode_row(("idx", "label", "file"))
    for values, _ in read_cells(claims, ("idx",), Findings()):
        yield encode_row((str(values["idx"]), "", str(values.get("file", ""))))
