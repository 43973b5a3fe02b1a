"""Suggestions are computed for open pairs, once each, however often the work begins."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.access import get_project
from annotation.models import Pair, Project, Suggestion
from annotation.services.suggesting import start_suggesting
from corpus import live
from corpus.job_runner import execute_job
from corpus.models import Job
from tests.annotation.suggestions import settle
from tests.annotation.work import approved, judged
from tests.factories import Team, make_team
from tests.verification.systems import install_system
from verification.services.suggesting import start_missing_suggestions
from verification.worker import suggesting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("system")]


@pytest.fixture
def team(db: None) -> Team:
    team = make_team(citances=3)
    settle(team, suggestion_system="plain")
    return team


@pytest.fixture
def pairs(team: Team) -> list[Pair]:
    texts = ("Tea is old.", "Tea is new.", "Tea is hot.")
    return [approved(team, text).pairs.get() for text in texts]


def computed(team: Team) -> Job:
    job = start_suggesting(project=team.project, actor=team.admin)
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def test_open_pairs_get_what_the_system_says_of_their_abstract(
    team: Team, pairs: list[Pair]
) -> None:
    judged(pairs[1], team.other_annotator)
    job = computed(team)
    assert (job.state, job.result["counts"]) == (
        "done",
        {"open pairs": 2, "open pairs with a suggestion": 2},
    )
    found = Suggestion.objects.order_by("pair")
    assert [row.pair for row in found] == [pairs[0], pairs[2]]
    first = found[0]
    assert (first.label, first.sentences) == ("SUPPORT", [2])
    assert (first.scores, first.probabilities) == ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    assert (first.claim_version, first.system) == (1, "plain")
    assert first.document_hash == pairs[0].document.content_hash


def test_a_second_job_adds_nothing_and_another_system_its_own(
    team: Team, pairs: list[Pair]
) -> None:
    computed(team)
    computed(team)
    assert Suggestion.objects.count() == 3
    install_system(label={"kind": "majority", "label": "NOT_ENOUGH_INFO"})
    computed(team)
    newer = Suggestion.objects.order_by("pk")[3:]
    # What is not enough information is no suggestion of a label.
    assert [(row.label, row.sentences) for row in newer] == [("", [2])] * 3


def test_two_workers_at_once_double_nothing(
    team: Team, pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one stores the same between this one's reading and storing."""
    store = suggesting._store

    def store_twice(rows: Any) -> None:
        store([Suggestion(**_columns(row)) for row in rows])
        store(rows)

    monkeypatch.setattr(suggesting, "_store", store_twice)
    assert computed(team).state == "done"
    assert Suggestion.objects.count() == 3


def _columns(row: Suggestion) -> dict[str, Any]:
    names = [f.attname for f in Suggestion._meta.concrete_fields if f.attname != "id"]
    return {name: getattr(row, name) for name in names}


def test_what_is_computed_stays_when_the_work_is_interrupted(
    team: Team, pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggesting, "CHUNK", 1)
    store, calls = suggesting._store, []

    def fail_at_the_second(rows: Any) -> None:
        calls.append(rows)
        if len(calls) == 2:
            raise KeyboardInterrupt
        store(rows)

    with monkeypatch.context() as patch:
        patch.setattr(suggesting, "_store", fail_at_the_second)
        job = start_suggesting(project=team.project, actor=team.admin)
        with pytest.raises(KeyboardInterrupt):
            execute_job(job.pk)
    assert Suggestion.objects.count() == 1
    # The watchdog gives the job to another worker.
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
    execute_job(job.pk)
    assert sorted(Suggestion.objects.values_list("pair", flat=True)) == [
        pair.pk for pair in pairs
    ]


def test_a_pair_that_goes_meanwhile_takes_nothing_along(
    team: Team, pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = suggesting._store

    def store_late(rows: Any) -> None:
        Pair.objects.filter(pk=pairs[0].pk).delete()
        store(rows)

    monkeypatch.setattr(suggesting, "_store", store_late)
    assert computed(team).state == "done"
    assert Suggestion.objects.count() == 2


def test_an_unknown_system_fails_in_words(team: Team, pairs: list[Pair]) -> None:
    settle(team, suggestion_system="nowhere")
    job = computed(team)
    assert job.state == "failed"
    assert "no system nowhere" in job.error


def test_it_begins_by_itself_while_a_worker_with_models_runs(
    team: Team, pairs: list[Pair]
) -> None:
    assert start_missing_suggestions() == []
    live.pulse(live.ML_QUEUE)
    (job,) = start_missing_suggestions()
    assert job.owner == team.admin
    assert get_project(job.owner, team.project.slug).is_admin
    assert start_missing_suggestions() == []
    execute_job(job.pk)
    assert start_missing_suggestions() == []


@pytest.mark.parametrize("reason", ["off", "failed", "archived", "unknown system"])
def test_it_does_not_begin_by_itself(
    team: Team, pairs: list[Pair], reason: str
) -> None:
    live.pulse(live.ML_QUEUE)
    if reason == "off":
        settle(team, suggestion_policy="off")
    elif reason == "unknown system":
        settle(team, suggestion_system="nowhere")
    elif reason == "archived":
        Project.objects.update(archived_at="2026-01-01T00:00Z")
    else:
        settle(team, suggestion_system="nowhere")
        computed(team)
        settle(team, suggestion_system="plain")
    assert start_missing_suggestions() == []
