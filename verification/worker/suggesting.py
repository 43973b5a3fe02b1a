"""The job that computes suggestions for the open pairs of a project, chunk by chunk.

It reads claims and abstracts only: nothing that somebody has judged, and no gold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.models import Pair, Project, Suggestion
from annotation.selectors.suggestions import pairs_that_lack_one, readiness
from corpus.job_runner import JobRun
from corpus.records import Claim, ExternalId
from verification.installed_systems import InstalledSystem, installed_system
from verification.pipeline import together
from verification.pipeline.label import shown_label
from verification.pipeline.retrieval.oracle import OracleRetriever
from verification.pipeline.stages import Judged, Pipeline, Retrieved
from verification.pipeline.systems import System
from verification.selectors.searched import searched_record
from verification.worker.rounding import rounded
from verification.worker.serving import with_checks_between
from verification.worker.warm import WARM

CHUNK = 32
PHASE = "computing suggestions"


def suggest_pairs_job(run: JobRun) -> dict[str, Any]:
    """Suggest label and sentences for the open pairs that lack a suggestion.

    The payload is ``{"project": primary key}``. What is computed stays, wherever the
    work is interrupted; a pair has one suggestion by each system, whoever was faster.
    """
    project = Project.objects.get(pk=run.payload["project"])
    installed = installed_system(project.rules.suggestion_system)
    waiting = pairs_that_lack_one(project, installed.digest).order_by("pk")
    keys = list(waiting.values_list("pk", flat=True))
    chunks = [keys[n : n + CHUNK] for n in range(0, len(keys), CHUNK)]
    for number, chunk in enumerate(with_checks_between(chunks)):
        run.report(number * CHUNK, len(keys), PHASE)
        rows = _suggestions(chunk, installed)
        with run.commit():
            _store(rows)
    run.report(len(keys), len(keys), PHASE)
    ready = readiness(project)
    return {
        "counts": {
            "open pairs": ready.waiting,
            "open pairs with a suggestion": ready.suggested,
        }
    }


def _suggestions(keys: Sequence[int], installed: InstalledSystem) -> list[Suggestion]:
    """Ask the models once for all of these pairs, as they read now."""
    rows = Pair.objects.filter(pk__in=keys).select_related("claim", "document")
    pairs = list(rows.order_by("pk"))
    system = WARM.system(installed)
    try:
        judged = _judged(pairs, system)
    finally:
        system.forget()
    return [
        _suggestion(pair, found, system, installed)
        for pair, found in zip(pairs, judged, strict=True)
    ]


def _judged(pairs: Sequence[Pair], system: System) -> list[Judged]:
    """Return what the system says about each pair; its abstract is given."""
    pipeline = Pipeline(
        OracleRetriever({}), system.selector, system.predictor, system.settings
    )
    claims = [
        Claim(ExternalId(str(pair.pk)), pair.claim.text, is_labelled=False)
        for pair in pairs
    ]
    given = [[Retrieved(searched_record(pair.document), 1.0)] for pair in pairs]
    selected = together.select_all(pipeline, claims, given)
    return [found for (found,) in together.label_all(pipeline, claims, selected)]


def _suggestion(
    pair: Pair, judged: Judged, system: System, installed: InstalledSystem
) -> Suggestion:
    label = shown_label(judged, system.abstain_below)
    return Suggestion(
        pair=pair,
        claim_version=pair.claim.version,
        document_hash=pair.document.content_hash,
        system=installed.title[:80],
        system_digest=installed.digest,
        label=label.value if label else "",
        probabilities=rounded(judged.probabilities),
        sentences=list(judged.sentences),
        scores=rounded(judged.sentence_scores),
    )


def _store(rows: Sequence[Suggestion]) -> None:
    """Store suggestions of pairs that are still there; others were faster at some."""
    pairs = Pair.objects.select_for_update(no_key=True).order_by("pk")
    there = set(
        pairs.filter(pk__in=[row.pair_id for row in rows]).values_list("pk", flat=True)
    )
    Suggestion.objects.bulk_create(
        [row for row in rows if row.pair_id in there], ignore_conflicts=True
    )
