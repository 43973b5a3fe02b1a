"""A benchmark with invented gold, and predictions for it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils import timezone

from corpus.files import store_upload
from corpus.job_runner import execute_job
from corpus.models import StoredFile, User
from tests.factories import UserFactory
from verification.models import Benchmark, GoldSet, Phase, Submission, Team
from verification.services.benchmarks import About, create_benchmark
from verification.services.gold import GoldFiles, Scoring, create_gold_set
from verification.services.gold_jobs import NewGold, keep_now
from verification.services.phases import add_phase
from verification.services.submissions import Metadata, publish, receive, submit

Lines = Sequence[Mapping[str, Any]]

# Twelve claims: four supported by document 1, four contradicted by document 2, four
# without evidence.
N_CLAIMS = 12
SCORING = Scoring("scifact_pipeline", "leaderboard", "open", "abstract_rationalized_f1")
METADATA = Metadata(system="Moss 2", description="Invented.", model_size="12 M")


def gold_lines(n_claims: int = N_CLAIMS) -> list[dict[str, Any]]:
    """Return gold: a third each supported, contradicted and without evidence."""
    return [
        {
            "id": number,
            "claim": f"Invented claim {number} on moss and rain.",
            "evidence": _evidence(number % 3),
            "cited_doc_ids": [1, 2],
        }
        for number in range(n_claims)
    ]


def _evidence(kind: int) -> dict[str, Any]:
    if kind == 2:
        return {}
    label = ("SUPPORT", "CONTRADICT")[kind]
    return {str(kind + 1): [{"sentences": [0, 2], "label": label}]}


def predictions(
    right: int = N_CLAIMS, n_claims: int = N_CLAIMS
) -> list[dict[str, Any]]:
    """Return predictions that are right for the first claims and empty for the rest."""
    return [
        {"id": line["id"], "evidence": _predicted(line) if number < right else {}}
        for number, line in enumerate(gold_lines(n_claims))
    ]


def _predicted(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        document: {"sentences": rationales[0]["sentences"], **_label(rationales)}
        for document, rationales in line["evidence"].items()
    }


def _label(rationales: list[dict[str, Any]]) -> dict[str, str]:
    return {"label": rationales[0]["label"]}


def corpus_lines() -> list[dict[str, Any]]:
    """Return two abstracts of four sentences."""
    return [
        {
            "doc_id": number,
            "title": f"Moss {number}",
            "abstract": [f"Invented sentence {n} on moss." for n in range(4)],
            "structured": False,
        }
        for number in (1, 2)
    ]


def as_file(
    lines: Lines, name: str = "predictions.jsonl", *, is_packed: bool = False
) -> UploadedFile[Any]:
    """Return lines as an upload, with gzip if wanted."""
    content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return SimpleUploadedFile(name, gzip.compress(content) if is_packed else content)


def stored(owner: User, lines: Lines, name: str) -> StoredFile:
    """Keep lines as a file of somebody."""
    return store_upload(upload=as_file(lines, name), owner=owner)


def make_gold_set(
    owner: User,
    *,
    is_hidden: bool = True,
    lines: Lines | None = None,
    benchmark: Benchmark | None = None,
) -> GoldSet:
    """Keep invented gold with its corpus."""
    return create_gold_set(
        files=GoldFiles(
            gold=stored(owner, lines or gold_lines(), "gold.jsonl"),
            corpus=stored(owner, corpus_lines(), "corpus.jsonl"),
        ),
        scoring=SCORING,
        owner=owner,
        name="Moss gold",
        split="test" if is_hidden else "dev",
        is_hidden=is_hidden,
        benchmark=benchmark,
    )


def start_from(files: dict[str, list[dict[str, Any]]], **values: Any) -> Benchmark:
    """Start a benchmark with these files, as an organiser does."""
    organiser = UserFactory()
    kept = {k: stored(organiser, v, f"{k}.jsonl") for k, v in files.items()}
    about = About(values.pop("name", "Moss"), "On moss.", "public")
    new = NewGold(
        files=GoldFiles(**kept),
        scoring=SCORING,
        split="dev",
        is_hidden=values.pop("is_hidden", True),
        about=about,
    )
    return keep_now(new, organiser)


def make_benchmark(
    organiser: User | None = None,
    *,
    name: str = "Moss and rain",
    visibility: str = "public",
) -> Benchmark:
    """Make a benchmark without phases."""
    return create_benchmark(
        name=name,
        description="Claims on moss.",
        scoring=SCORING,
        visibility=visibility,
        organiser=organiser or UserFactory(),
    )


def make_phase(
    benchmark: Benchmark | None = None,
    *,
    shows: str = "everything",
    gold_set: GoldSet | None = None,
    closes_in: timedelta | None = timedelta(days=3),
    **limits: int | None,
) -> Phase:
    """Make an open phase; its gold is hidden unless it shows everything."""
    benchmark = benchmark or make_benchmark()
    organiser = benchmark.organisers.earliest("pk")
    now = timezone.now()
    return add_phase(
        benchmark=benchmark,
        gold_set=gold_set
        or make_gold_set(organiser, is_hidden=shows != Phase.Shows.EVERYTHING),
        organiser=organiser,
        kind="dev" if shows == Phase.Shows.EVERYTHING else "blind",
        name="Development" if shows == Phase.Shows.EVERYTHING else "Test",
        shows=shows,
        opens_at=now - timedelta(days=1),
        closes_at=now + closes_in if closes_in else None,
        **limits,
    )


def upload(
    phase: Phase,
    submitter: User,
    lines: Lines | None = None,
    *,
    team: Team | None = None,
) -> Submission:
    """Upload predictions; they are checked when the test lets jobs run."""
    return receive(
        phase=phase,
        submitter=submitter,
        upload=as_file(predictions() if lines is None else lines),
        team=team,
    )


def submit_now(submission: Submission, metadata: Metadata = METADATA) -> Submission:
    """Submit an upload that was checked."""
    submission.refresh_from_db()
    return submit(submission=submission, actor=submission.submitter, metadata=metadata)


def checked(submission: Submission) -> Submission:
    """Run the check of an upload here and now."""
    return after_its_job(submission)


def scored(submission: Submission, metadata: Metadata = METADATA) -> Submission:
    """Check an upload, submit it and score it here and now."""
    return after_its_job(submit_now(checked(submission), metadata))


def published(submission: Submission, *, is_anonymous: bool = False) -> Submission:
    """Score an upload here and now, and put it on the board."""
    entry, person = scored(submission), submission.submitter
    publish(submission=entry, actor=person, is_anonymous=is_anonymous)
    entry.refresh_from_db()
    return entry


def after_its_job(submission: Submission) -> Submission:
    """Do the submission's job here and now, as a worker would."""
    submission.refresh_from_db()
    assert submission.job_id is not None
    execute_job(submission.job_id)
    return Submission.objects.get(pk=submission.pk)
