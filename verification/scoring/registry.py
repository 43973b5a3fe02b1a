"""All tasks by name; only the one that is asked for is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from verification.scoring.tasks import Task

_PLACES = {
    "scifact_pipeline": ("scifact", "TASK"),
    "scifact_rationale_selection": ("scifact_modules", "RATIONALE_SELECTION"),
    "scifact_label_prediction": ("scifact_modules", "LABEL_PREDICTION"),
    "scifact_label_accuracy_gold_inputs": (
        "scifact_modules",
        "LABEL_ACCURACY_GOLD_INPUTS",
    ),
    "scifact_abstract_retrieval": ("scifact_modules", "ABSTRACT_RETRIEVAL"),
    "scifact_merge": ("merge", "TASK"),
    "checkcovid_rationale_selection": ("check_covid", "RATIONALE_SELECTION"),
    "checkcovid_label_prediction": ("check_covid", "LABEL_PREDICTION"),
    "checkcovid_pipeline_py": ("check_covid", "PIPELINE"),
    "core": ("core", "TASK"),
    "core_majority_vote": ("core", "MAJORITY_VOTE"),
    "fever": ("fever", "TASK"),
    "scifact_open": ("scifact_open", "TASK"),
    "agreement": ("agreement", "TASK"),
}

TASK_NAMES = tuple(_PLACES)


def get_task(name: str) -> Task:
    """Return a task; ``KeyError`` for a name that is none of ``TASK_NAMES``."""
    module, attribute = _PLACES[name]
    return cast(
        Task, getattr(import_module(f"verification.scoring.{module}"), attribute)
    )
