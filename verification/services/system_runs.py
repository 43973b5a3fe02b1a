"""Rows of installed systems: an organiser has one run on the claims of a phase.

This is the side of the pages: what can be run, and starting it. The worker with
models does the rest (``verification.worker.system_runs``).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from corpus.exceptions import DomainError
from corpus.jobs import start_job
from corpus.models import Job, User
from verification.installed_systems import (
    InstalledSystem,
    installed_system,
    installed_systems,
)
from verification.models import Phase
from verification.services.baselines import standing_baselines
from verification.services.organiser_jobs import own_job_under_way

KIND = "run_system"
# Tasks whose claims come with a corpus of abstracts, which systems read.
TASKS = frozenset(
    {
        "scifact_pipeline",
        "scifact_rationale_selection",
        "scifact_label_prediction",
        "scifact_label_accuracy_gold_inputs",
        "scifact_abstract_retrieval",
        "scifact_open",
        "checkcovid_rationale_selection",
        "checkcovid_label_prediction",
        "checkcovid_pipeline_py",
    }
)


@dataclass(frozen=True, slots=True)
class SystemOffer:
    """An installed system, and whether it stands on a phase's board as it is now."""

    system: InstalledSystem
    is_there: bool


def row_name(system: InstalledSystem) -> str:
    """Return the name of a system's row; another version of it is another row."""
    return f"{system.title[:100]} ({system.digest[:12]})"


def system_offers(phase: Phase) -> list[SystemOffer]:
    """Return the systems that can be run on a phase: none without a corpus."""
    if phase.gold_set.corpus_id is None or phase.benchmark.task not in TASKS:
        return []
    there = set(standing_baselines(phase).values_list("system", flat=True))
    return [SystemOffer(s, row_name(s) in there) for s in installed_systems()]


def start_system_run(*, phase: Phase, organiser: User, name: str) -> Job:
    """Begin to run an installed system on a phase's claims."""
    offers = {offer.system.name: offer for offer in system_offers(phase)}
    if name not in offers:
        installed_system(name)  # says so where there is none
        raise DomainError("Systems run on phases whose gold set has a corpus.")
    if offers[name].is_there:
        raise DomainError(f"{row_name(offers[name].system)} is on the board already.")
    payload = {"phase": phase.pk, "system": name}
    with transaction.atomic():
        # Whoever asks at the same time waits here, and finds this one.
        Phase.objects.select_for_update().get(pk=phase.pk)
        found = own_job_under_way(kind=KIND, organiser=organiser, payload=payload)
        return found or start_job(kind=KIND, owner=organiser, payload=payload)
