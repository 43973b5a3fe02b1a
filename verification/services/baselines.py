"""Baseline entries: an organiser's one button makes those that are missing.

A baseline is predicted, scored and published by one job; it takes nothing of any
quota. The job is safe to run twice: what stands on the board already is left alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.files import store_path
from corpus.jobs import JobRun, start_job
from corpus.models import Job, User
from verification.baselines import (
    PIPELINES,
    Baseline,
    described,
    offered,
)
from verification.models import GoldSet, Phase, Submission
from verification.scoring.reading import Source
from verification.scoring.service import Bootstrap, score
from verification.services.phase_files import (
    format_of,
    stored_claims,
    stored_documents,
)
from verification.services.scoring import (
    RESAMPLES,
    breakdown_of,
    keep_score,
    request_of,
    stored_source,
)
from verification.services.ties import start_comparing

if TYPE_CHECKING:  # the worker alone loads scikit-learn
    from verification.pipeline.baselines import Inputs

State, Standing = Submission.State, Submission.Standing


@dataclass(frozen=True, slots=True)
class Offer:
    """A baseline that can be made for a phase, and whether it stands there."""

    baseline: Baseline
    what: str
    is_there: bool


def offers(phase: Phase) -> list[Offer]:
    """Return what can be made for a phase."""
    training = training_set(phase)
    there = set(standing_baselines(phase).values_list("system", flat=True))
    has_training = training is not None
    found = offered(
        phase.benchmark.task,
        has_corpus=phase.gold_set.corpus_id is not None,
        has_training=has_training,
    )
    return [
        Offer(b, described(b, has_training=has_training), b.name in there)
        for b in found
    ]


def training_set(phase: Phase) -> GoldSet | None:
    """Return public gold of another split of the benchmark; the first that there is."""
    others = GoldSet.objects.filter(phases__benchmark=phase.benchmark, is_hidden=False)
    other = others.exclude(gold__sha256=phase.gold_set.gold.sha256)
    return other.select_related("gold").order_by("pk").first()


def standing_baselines(phase: Phase) -> QuerySet[Submission]:
    """Return the baselines on a phase's board."""
    return phase.submissions.filter(is_baseline=True, standing=Standing.PUBLISHED)


def start_baselines(*, phase: Phase, organiser: User) -> Job:
    """Begin to make the baselines that a phase lacks."""
    if all(offer.is_there for offer in offers(phase)):
        raise DomainError("Every baseline of this phase is there already.")
    with transaction.atomic():
        return start_job(
            kind="make_baselines", owner=organiser, payload={"phase": phase.pk}
        )


def make_baselines_job(run: JobRun) -> dict[str, Any]:
    """Predict, score and publish each baseline that is missing."""
    phase = phase_of_job(run)
    missing = [offer for offer in offers(phase) if not offer.is_there]
    with tempfile.TemporaryDirectory(prefix="claimdesk-baselines-") as folder:
        for number, offer in enumerate(missing):
            run.report(number, len(missing), offer.baseline.name)
            _make(run, phase, offer, Path(folder))
    return {"redirect": board_url(phase), "counts": {"baselines": len(missing)}}


def phase_of_job(run: JobRun) -> Phase:
    """Return the phase that a job is about, with its files."""
    files = ("gold", "claims", "corpus")
    related = ["benchmark", *(f"gold_set__{name}" for name in files)]
    found = Phase.objects.select_related(*related).filter(pk=run.payload["phase"])
    phase = found.first()
    if phase is None:
        raise DomainError("This phase does not exist any more.")
    return phase


def board_url(phase: Phase) -> str:
    """Return the address of a phase's board, where such a job leads."""
    return reverse(
        "verification:phase_board", args=[phase.benchmark.slug, phase.number]
    )


def _make(run: JobRun, phase: Phase, offer: Offer, folder: Path) -> None:
    suffix = "csv" if phase.benchmark.task == "core" else "jsonl"
    path = folder / f"{offer.baseline.code}.{suffix}"
    with path.open("wb") as file:
        file.writelines(_lines(phase, offer.baseline, folder))
    keep_baseline(
        run=run, phase=phase, path=path, name=offer.baseline.name, what=offer.what
    )


def keep_baseline(
    *, run: JobRun, phase: Phase, path: Path, name: str, what: str
) -> None:
    """Score a file of predictions and publish it, unless the name stands there."""
    organiser = run.job.owner
    entry = Submission(
        phase=phase,
        submitter=organiser,
        file=store_path(path=path, name=path.name, owner=organiser),
        state=State.SCORED,
        standing=Standing.PUBLISHED,
        is_checked=True,
        is_baseline=True,
        system=name,
        description=what,
        setting=phase.benchmark.setting,
        submitted_at=timezone.now(),
        ended_at=timezone.now(),
    )
    _score_and_keep(run, entry, organiser)


def _score_and_keep(run: JobRun, entry: Submission, organiser: User) -> None:
    gold_set = entry.phase.gold_set
    outcome = score(
        entry.phase.benchmark.task,
        request_of(entry, with_gold=True),
        bootstrap=Bootstrap(RESAMPLES),
        release=gold_set.release,
        split=gold_set.split or "-",
    )
    if outcome.score is None:
        raise DomainError(f"“{entry.system}” could not be scored on this gold.")
    breakdown = breakdown_of(submission=entry, outcome=outcome)
    with run.commit():
        # Jobs that were started twice come here one after the other.
        Phase.objects.select_for_update().get(pk=entry.phase_id)
        if standing_baselines(entry.phase).filter(system=entry.system).exists():
            return  # another job was faster
        entry.save()
        keep_score(submission=entry, outcome=outcome, breakdown=breakdown)
        record_event(
            noun="submission",
            obj=entry,
            verb="add_baseline",
            actor=organiser,
            fields=column_values(entry),
        )
        start_comparing(phase=entry.phase, actor=organiser)


# Predictions -------------------------------------------------------------------


def _lines(phase: Phase, baseline: Baseline, folder: Path) -> Iterator[bytes]:
    """Yield the predictions of a baseline; ``DomainError`` where none can be made."""
    from verification.pipeline.baselines import UntrainableError

    try:
        yield from _predictions(phase, baseline, folder)
    except UntrainableError as error:
        raise DomainError(
            "A claim-only baseline cannot be trained on the public claims of this "
            "benchmark: they have one label only, or no words."
        ) from error


def _predictions(phase: Phase, baseline: Baseline, folder: Path) -> Iterator[bytes]:
    from verification.pipeline import baselines, label_baselines, module_baselines

    task, code, training = phase.benchmark.task, baseline.code, training_set(phase)
    gold = stored_source(phase.gold_set.gold)
    public = stored_source(training.gold) if training else None
    if task == "core":
        return label_baselines.core_lines(code, gold, public)
    if task == "fever":
        return label_baselines.fever_lines(code, gold, public)
    inputs = _inputs(phase, gold, public, folder, needs_corpus=baseline.needs_corpus)
    if baseline.needs_training and not baselines.can_learn(inputs.training):
        raise baselines.UntrainableError
    if task in PIPELINES:
        return baselines.pipeline_lines(task, code, inputs)
    if task == "scifact_open":
        return module_baselines.ranked_lines(code, inputs)
    if task == "scifact_abstract_retrieval":
        return module_baselines.retrieval_lines(code, inputs)
    if task.endswith("rationale_selection"):
        return module_baselines.selection_lines(code, inputs)
    return label_baselines.label_lines(task, code, inputs)


def _inputs(
    phase: Phase,
    gold: Source,
    public: Source | None,
    folder: Path,
    *,
    needs_corpus: bool,
) -> Inputs:
    from verification.pipeline.baselines import Inputs

    corpus, name = phase.gold_set.corpus, format_of(phase.benchmark.task)
    return Inputs(
        claims=stored_claims(gold, name, folder / "gold"),
        documents=stored_documents(corpus, name, folder) if needs_corpus else {},
        training=stored_claims(public, name, folder / "public") if public else [],
        indexes=settings.DATA_DIR / "indexes",
    )
