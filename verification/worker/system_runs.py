"""The job that runs an installed system on the claims of a benchmark's phase.

A system that has learned from claims of the gold is refused: it would not be a
measure of anything. How many these are is told to the organiser, whose gold it is;
which ones, to nobody.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.exceptions import DomainError
from corpus.job_runner import JobRun
from corpus.records import Claim
from verification.installed_systems import InstalledSystem, installed_system
from verification.models import Phase
from verification.pipeline.stages import ModelFileError, Pipeline, Setting
from verification.pipeline.system_lines import Answered, as_given, system_lines
from verification.pipeline.systems import System
from verification.pipeline.trained_on import FILE, TrainedOn, read_trained_on
from verification.services.baselines import (
    board_url,
    keep_baseline,
    phase_of_job,
    standing_baselines,
)
from verification.services.phase_files import (
    format_of,
    stored_claims,
    stored_documents,
)
from verification.services.scoring import stored_source
from verification.services.system_runs import row_name
from verification.worker.serving import with_checks_between
from verification.worker.warm import WARM, refused_in_words

logger = logging.getLogger(__name__)

CHUNK = 4
"""Claims between which whoever asks for evidence is answered."""


def run_system_job(run: JobRun) -> dict[str, Any]:
    """Predict, score and publish; a row that stands there already is left alone.

    The payload is ``{"phase": primary key, "system": name of the folder}``.
    """
    phase = phase_of_job(run)
    installed = installed_system(run.payload["system"])
    name = row_name(installed)
    if not standing_baselines(phase).filter(system=name).exists():
        with refused_in_words(installed):
            _run(run, phase, installed)
    return {"redirect": board_url(phase)}


def _run(run: JobRun, phase: Phase, installed: InstalledSystem) -> None:
    with tempfile.TemporaryDirectory(prefix="claimdesk-system-") as name:
        folder, task = Path(name), phase.benchmark.task
        gold = stored_source(phase.gold_set.gold)
        claims = stored_claims(gold, format_of(task), folder / "gold")
        trained_on = _trained_on(installed)
        _refuse_if_seen(trained_on, installed.title, claims)
        system = WARM.system(installed)
        path = folder / f"{installed.name}.jsonl"
        given = [as_given(task, claim) for claim in claims]
        run.report(0, len(claims), "preparing the corpus")
        answered = _answered(run, system, _pipeline(phase, system, folder), given)
        with path.open("wb") as file:
            file.writelines(system_lines(task, answered))
        what = _described(installed, system, trained_on)
        keep_baseline(
            run=run, phase=phase, path=path, name=row_name(installed), what=what
        )


def _trained_on(installed: InstalledSystem) -> TrainedOn | None:
    """Read what a system was trained on, before any of its models is loaded."""
    values = System.load(str(installed.folder)).values
    try:
        return read_trained_on(installed.folder, values)
    except ModelFileError as error:
        logger.error("%s cannot be run: %s", installed.name, error)
        raise DomainError(
            f"{installed.title} has models of ours, but no whole {FILE}, which says "
            "what they were trained on. So it cannot be a row of a board."
        ) from error


def _refuse_if_seen(
    trained_on: TrainedOn | None, title: str, claims: Sequence[Claim]
) -> None:
    seen = trained_on.count(claim.text for claim in claims) if trained_on else 0
    if seen:
        raise DomainError(
            f"{seen:,} of the {len(claims):,} claims of this phase were in the "
            f"training of {title}, so it cannot be a row of this board."
        )


def _pipeline(phase: Phase, system: System, folder: Path) -> Pipeline:
    corpus, name = phase.gold_set.corpus, format_of(phase.benchmark.task)
    return system.pipeline(
        stored_documents(corpus, name, folder),
        Path(settings.DATA_DIR) / "indexes",
        setting=Setting(phase.benchmark.setting),
    )


def _answered(
    run: JobRun, system: System, pipeline: Pipeline, claims: Sequence[Claim]
) -> Iterator[Answered]:
    """Yield each claim with what was found, each worked on by itself."""
    chunks = [claims[n : n + CHUNK] for n in range(0, len(claims), CHUNK)]
    for number, chunk in enumerate(with_checks_between(chunks)):
        run.report(number * CHUNK, len(claims), "running the system")
        for claim in chunk:
            system.forget()
            yield claim, pipeline.judge(claim)
    system.forget()


def _described(
    installed: InstalledSystem, system: System, trained_on: TrainedOn | None
) -> str:
    known = "no claim of the gold is among those that it says it was trained on"
    unknown = "it does not say which claims it was trained on"
    return (
        f"Run on this site by the organisers, in {system.runtime.precision}; "
        f"{unknown if trained_on is None else known}. Its system.json has the sha256 "
        f"{installed.digest}."
    )
