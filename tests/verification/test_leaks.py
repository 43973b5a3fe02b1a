"""Hidden gold shows nowhere: two sites that differ only in it answer alike.

The gold of two benchmarks with blind phases is exchanged for other gold of the same
size on the same claims, and every score that hangs on it with it. Every address of the
table of permissions then gives the same bytes to everybody but the organisers. Words
that stand in the gold alone are looked for in all answers, rows and logs.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.core import serializers
from django.core.cache import cache
from django.db.models import QuerySet
from django.test import Client
from pytest_django import DjangoDbBlocker

from corpus.models import Event, Job, StoredFile
from tests.permissions.answering import answers
from tests.permissions.walker import lines
from tests.permissions.world import ROLES, World, make_world, rolled_back
from tests.verification.board import (
    gold_lines,
    make_gold_set,
    make_phase,
    published,
    scored,
    upload,
)
from verification.models import Benchmark, GoldSet, Phase, Score, Submission
from verification.scoring.service import Bootstrap, score
from verification.services.scoring import breakdown_of, request_of, value_at

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CANARY = "Zanthoxylum secretum"
CANARY_DOCUMENT = "77113355"
ORGANISERS = {"admn", "xadm"}
OTHERS = [role for role in ROLES if role not in ORGANISERS]


def _secret_lines(*, swapped: bool = False) -> list[dict[str, Any]]:
    """Return gold with words that stand nowhere else; the other one if ``swapped``.

    Four claims change sides with four others, so that the file keeps its size.
    """
    found = gold_lines()
    for line in found:
        if swapped and line["evidence"]:
            line["evidence"] = _other_side(line["evidence"])
        line["note"] = CANARY
    evidence = [{"sentences": [1], "label": "SUPPORT"}]
    found[2 if swapped else 5]["evidence"] = {CANARY_DOCUMENT: evidence}
    return found


def _other_side(evidence: dict[str, Any]) -> dict[str, Any]:
    (document, ((rationale),)) = next(iter(evidence.items()))
    label = {"SUPPORT": "CONTRADICT", "CONTRADICT": "SUPPORT"}[rationale["label"]]
    return {document: [{"sentences": [1, 3], "label": label}]}


def _encoded(found: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in found)


def _blind(benchmark: Benchmark, **_: Any) -> Phase:
    organiser = benchmark.organisers.get()
    gold_set = make_gold_set(organiser, lines=_secret_lines())
    return make_phase(benchmark, shows=Phase.Shows.NOTHING, gold_set=gold_set)


def _rival(phase: Phase) -> None:
    """Publish an entry that the other gold puts before the one that stands there."""
    lines = [
        {
            "id": line["id"],
            "evidence": {
                document: {key: rationale[key] for key in ("sentences", "label")}
                for document, (rationale,) in line["evidence"].items()
                if document != CANARY_DOCUMENT
            },
        }
        for line in _secret_lines(swapped=True)
    ]
    person = phase.submissions.earliest("pk").submitter
    published(upload(phase, person, lines))


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The world of the table, in which the benchmarks have a blind phase."""
    with django_db_blocker.unblock(), rolled_back():
        world = make_world(board=_blind)
        for phase in Phase.objects.filter(shows=Phase.Shows.NOTHING):
            _rival(phase)
        yield world


@pytest.fixture(autouse=True)
def _fresh_rate_limits() -> None:
    cache.clear()


def _blind_gold() -> QuerySet[GoldSet]:
    """The gold sets of blind phases."""
    blind = Phase.objects.filter(shows=Phase.Shows.NOTHING)
    return GoldSet.objects.filter(phases__in=blind).select_related("gold", "claims")


@contextmanager
def other_gold() -> Iterator[None]:
    """Put other gold in the place of what is there, and score everything by it."""
    kept = {gold_set.gold: _read(gold_set.gold) for gold_set in _blind_gold()}
    assert len(kept) == 2
    other = _encoded(_secret_lines(swapped=True))
    for stored, content in kept.items():
        assert len(other) == len(content)
        assert other != content
        _write(stored, other)
        StoredFile.objects.filter(pk=stored.pk).update(sha256="f" * 64)
    scores = Score.objects.filter(submission__phase__shows=Phase.Shows.NOTHING)
    for found in scores.select_related("submission__phase__benchmark"):
        _score_again(found)
    try:
        yield
    finally:
        for stored, content in kept.items():
            _write(stored, content)


def _read(stored: StoredFile) -> bytes:
    with stored.file.open("rb") as file:
        content: bytes = file.read()
    return content


def _write(stored: StoredFile, content: bytes) -> None:
    with stored.file.storage.open(str(stored.file.name), "wb") as file:
        file.write(content)


def _score_again(found: Score) -> None:
    benchmark = found.submission.phase.benchmark
    request = request_of(found.submission, with_gold=True)
    outcome = score(benchmark.task, request, bootstrap=Bootstrap(100))
    if outcome.score is None:
        # An entry that was made without a file.
        Score.objects.filter(pk=found.pk).update(primary=0.25, metrics={}, intervals={})
        return
    metrics = outcome.score.metrics
    assert metrics != found.metrics
    breakdown = breakdown_of(submission=found.submission, outcome=outcome)
    assert breakdown.unjudged is not None
    Score.objects.filter(pk=found.pk).update(
        slices=breakdown.slices,
        predicted_abstracts=breakdown.unjudged.predicted,
        unjudged_abstracts=breakdown.unjudged.unjudged,
        gold_sha256="f" * 64,
        signature=outcome.signature,
        metrics=metrics,
        counts=outcome.score.counts,
        intervals=outcome.intervals,
        primary=value_at(metrics, benchmark.primary_metric),
    )


@pytest.mark.parametrize("role", OTHERS)
def test_hidden_gold_changes_nothing_that_anybody_gets(
    world: World, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    before = answers(world, role)
    with rolled_back(), other_gold():
        after = answers(world, role)
    different = [key for key in before if before[key] != after[key]]
    assert not different, "\n".join(different)
    for word in (CANARY, CANARY_DOCUMENT):
        assert [key for key, answer in after.items() if word in answer] == []
        assert word not in caplog.text


def test_the_gold_does_make_a_difference_for_its_organisers(
    world: World,
) -> None:
    """Otherwise the change would have missed what the scores hang on."""
    about = [line for line in lines() if line.name.startswith("verification")]
    before = answers(world, "xadm", about)
    with rolled_back(), other_gold():
        after = answers(world, "xadm", about)
    different = [key for key in before if before[key] != after[key]]
    assert any("submissions/" in key for key in different)


def test_no_row_but_the_scores_knows_the_gold(world: World) -> None:
    """Events, jobs with their results, and what is kept of submissions."""
    for model in (Event, Job, Submission, GoldSet, StoredFile):
        text = serializers.serialize("json", model._default_manager.all())
        for word in (CANARY, CANARY_DOCUMENT):
            assert word not in text, model.__name__


def test_checking_and_scoring_write_nothing_of_the_gold_to_the_log(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    phase = Phase.objects.filter(shows=Phase.Shows.NOTHING).latest("pk")
    with rolled_back():
        kept = scored(upload(phase, _superuser(world)))
        assert kept.state == "scored"
        assert kept.warnings == []
    for word in (CANARY, CANARY_DOCUMENT):
        assert word not in caplog.text


def test_no_address_serves_the_stored_files(world: World) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(_superuser(world))
    media = settings.MEDIA_URL.strip("/")
    for stored in [gold_set.gold for gold_set in _blind_gold()]:
        for folder in (media, "media", "files", "data/media", "static"):
            response = client.get(f"/{folder}/{stored.file.name}".replace("//", "/"))
            assert response.status_code in {302, 404}
            assert CANARY.encode() not in response.content


def _superuser(world: World) -> Any:
    return world.people["supr"]


def test_only_the_words_of_claims_leave_the_gold(world: World) -> None:
    for gold_set in _blind_gold():
        content = _read(gold_set.claims).decode()
        assert CANARY not in content
        assert CANARY_DOCUMENT not in content
        assert set(json.loads(content.splitlines()[0])) == {"id", "claim"}
