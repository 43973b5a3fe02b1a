"""Gold sets: files that the scorer can score, and the public file of their claims."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction

from corpus.events import column_values, record_event
from corpus.exceptions import DomainError
from corpus.files import store_path
from corpus.models import StoredFile, User
from verification.models import Benchmark, GoldSet
from verification.predictions import OnRead, source_of
from verification.public_claims import answers_in, public_claims
from verification.scoring.findings import Finding
from verification.scoring.reading import Source
from verification.scoring.service import Outcome, score, validate
from verification.scoring.tasks import Request
from verification.services.scoring import stored_source
from verification.trivial import empty_predictions

GOLD_LIMIT = 128 * 1024 * 1024
"""So many bytes of gold can be scored, unpacked: gold is held in memory."""

Tell = Callable[[int, int, str], None]
"""Is told how many bytes are done, of how many, and what is done with them."""


class GoldRefusedError(DomainError):
    """Files that cannot be gold; ``errors`` says why, line by line."""

    def __init__(self, errors: Sequence[Finding]) -> None:
        count = "1 error was" if len(errors) == 1 else f"{len(errors):,} errors were"
        super().__init__(f"This gold cannot be scored: {count} found.")
        self.errors = list(errors)


@dataclass(frozen=True, slots=True)
class GoldFiles:
    """The files of a gold set; ``claims`` is derived from the gold where missing."""

    gold: StoredFile
    corpus: StoredFile | None = None
    claims: StoredFile | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a benchmark scores."""

    task: str
    profile: str
    setting: str
    primary_metric: str


def scoring_of(benchmark: Benchmark) -> Scoring:
    """Return how a benchmark scores."""
    return Scoring(
        benchmark.task,
        benchmark.profile,
        benchmark.setting,
        benchmark.primary_metric,
    )


def create_gold_set(
    *,
    files: GoldFiles,
    scoring: Scoring,
    owner: User,
    name: str,
    split: str = "",
    is_hidden: bool = True,
    benchmark: Benchmark | None = None,
) -> GoldSet:
    """Keep gold that the scorer can score, and make the public file of its claims.

    ``GoldRefusedError`` with all errors otherwise. Not to be called inside a
    transaction: the file of the claims is stored first.
    """
    checked = check_gold(files, scoring, owner, is_hidden)
    return keep_gold_set(
        files,
        scoring,
        checked,
        owner=owner,
        name=name,
        split=split,
        is_hidden=is_hidden,
        benchmark=benchmark,
    )


@dataclass(frozen=True, slots=True)
class CheckedGold:
    """What was found in gold that can be scored."""

    n_claims: int
    claims: StoredFile


@transaction.atomic
def keep_gold_set(
    files: GoldFiles, scoring: Scoring, checked: CheckedGold, **about: Any
) -> GoldSet:
    """Keep gold that was checked; it is called as its file, unless it has a name."""
    about.setdefault("name", files.gold.name[:120])
    gold_set = GoldSet.objects.create(
        task=scoring.task,
        gold=files.gold,
        corpus=files.corpus,
        claims=checked.claims,
        n_claims=checked.n_claims,
        **about,
    )
    record_event(
        noun="gold_set",
        obj=gold_set,
        verb="create",
        actor=gold_set.owner,
        fields=column_values(gold_set),
    )
    return gold_set


def check_gold(
    files: GoldFiles,
    scoring: Scoring,
    owner: User,
    is_hidden: bool,
    tell: Tell | None = None,
) -> CheckedGold:
    """Return the number of claims and their public file, if all is well."""
    on_read = _told(files, tell) if tell else None
    gold = gold_source(files.gold, on_read)
    with tempfile.TemporaryDirectory(prefix="claimdesk-gold-") as folder:
        path = Path(folder) / "predictions"
        path.write_bytes(b"".join(empty_predictions(scoring.task, gold)))
        nothing = Source.of_path(path)
        corpus = stored_source(files.corpus, on_read=on_read) if files.corpus else None
        n_claims = _scored(scoring, gold, nothing, corpus)
        if files.claims is not None:
            _require_public(files.claims, scoring, nothing, is_hidden)
    claims = files.claims or _derived_claims(gold, scoring, owner)
    return CheckedGold(n_claims, claims)


def _told(files: GoldFiles, tell: Tell) -> OnRead:
    """Return what tells how many bytes are read: the gold three times, the corpus once.

    A compressed file has more bytes than that; then all but the last are told.
    """
    corpus = files.corpus.size if files.corpus else 0
    total, done = 3 * files.gold.size + corpus, 0

    def on_read(n_bytes: int) -> None:
        nonlocal done
        done = min(done + n_bytes, total - 1)
        tell(done, total, "Checking every line")

    return on_read


def gold_source(stored: StoredFile, on_read: OnRead | None = None) -> Source:
    """Return stored gold as the scorer reads it, up to ``GOLD_LIMIT`` bytes."""
    if stored.size > GOLD_LIMIT:
        raise DomainError(
            f"{stored.name} is too large to be gold: at most "
            f"{GOLD_LIMIT // (1024 * 1024)} MB can be scored."
        )
    opened = stored_source(stored).open
    return source_of(stored.name, opened, GOLD_LIMIT, on_read=on_read)


def _scored(
    scoring: Scoring, gold: Source, nothing: Source, corpus: Source | None
) -> int:
    """Score empty predictions: whatever is wrong then is wrong with the gold."""
    outcome = score(
        scoring.task,
        Request(
            predictions=nothing,
            gold=gold,
            corpus=corpus,
            profile=scoring.profile,
        ),
    )
    ours = [error for error in outcome.errors if error.file != nothing.name]
    if ours or outcome.score is None:
        raise GoldRefusedError(ours or outcome.errors)
    names = measures_of(outcome)
    if scoring.primary_metric not in names:
        raise DomainError(
            f"This task has no measure “{scoring.primary_metric}”. It has: "
            f"{', '.join(names)}."
        )
    return len(outcome.score.claim_ids)


def _require_public(
    stored: StoredFile, scoring: Scoring, nothing: Source, is_hidden: bool
) -> None:
    """Refuse a file of claims that lacks some, has others, or gives answers away."""
    claims = gold_source(stored)
    outcome = validate(scoring.task, Request(predictions=nothing, gold=claims))
    errors = [_about_claims(error, nothing, claims) for error in outcome.errors]
    if is_hidden:
        errors += answers_in(scoring.task, claims, scoring.setting)
    if errors:
        raise GoldRefusedError(errors)


def _about_claims(error: Finding, nothing: Source, claims: Source) -> Finding:
    """Say of the file of claims what was found in answers to the gold's claims."""
    if error.file != nothing.name:
        return error
    return Finding(
        claims.name,
        None,
        error.claim_id,
        "The claims of this file and of the gold are not the same: this one is only "
        "in one of them.",
    )


def measures_of(outcome: Outcome) -> list[str]:
    """Return the dotted names of the measures that a score can be resampled in."""
    found = outcome.score
    if found is None or found.measure is None:
        return []
    return list(found.measure(np.ones((1, len(found.claim_ids)))))


def _derived_claims(gold: Source, scoring: Scoring, owner: User) -> StoredFile:
    suffix = ".csv" if scoring.task == "core" else ".jsonl"
    with tempfile.TemporaryDirectory(prefix="claimdesk-claims-") as folder:
        path = Path(folder) / f"claims{suffix}"
        with path.open("wb") as file:
            file.writelines(public_claims(scoring.task, gold, scoring.setting))
        return store_path(path=path, name=path.name, owner=owner)
