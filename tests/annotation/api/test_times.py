"""What of a judgement the API tells to whom: seconds, suggestions, its state."""

from __future__ import annotations

import uuid

import pytest

from annotation.models import Judgement, TaskTime, WorkSession
from annotation.services.reannotation import Design, draw_sample
from tests.annotation.api.client import Api
from tests.annotation.work import approved, judged
from tests.factories import Team

pytestmark = pytest.mark.django_db


def test_only_the_annotator_and_admins_see_the_seconds(team: Team) -> None:
    root, pair = f"/projects/{team.project.slug}", approved(team).pairs.get()
    body = {
        "submission_key": str(uuid.uuid4()),
        "label": "SUPPORT",
        "rationales": [{"sentences": [1]}],
        "active_seconds": 31,
        "elapsed_seconds": 40,
    }
    for _ in range(2):
        sent = Api(team.other_annotator).post(
            f"{root}/pairs/{pair.pk}/judgements", **body
        )
    assert (sent["active_seconds"], sent["elapsed_seconds"]) == (31, 40)
    assert TaskTime.objects.get().active_seconds == 31
    assert WorkSession.objects.get().person == team.other_annotator
    one = f"{root}/judgements/{Judgement.objects.get().pk}"
    for person, seen in (
        (team.other_annotator, 31),
        (team.admin, 31),
        (team.reviewer, None),
    ):
        api = Api(person)
        assert api.get(one)["active_seconds"] == seen
        (listed,) = api.get(f"{root}/judgements")["items"]
        assert listed["active_seconds"] == seen


def test_nobody_but_admins_reads_what_chance_had_of_a_suggestion(team: Team) -> None:
    judgement = judged(approved(team).pairs.get(), team.other_annotator)
    Judgement.objects.update(
        suggestion_arm="always", suggestion_shown=True, suggestion_taken="all"
    )
    root = f"/projects/{team.project.slug}/judgements"
    for person, seen in (
        (team.other_annotator, (None, True, "all")),
        (team.admin, ("always", True, "all")),
        (team.reviewer, (None, None, None)),
    ):
        api = Api(person)
        (listed,) = api.get(root)["items"]
        for found in (listed, api.get(f"{root}/{judgement.pk}")):
            names = ("suggestion_arm", "suggestion_shown", "suggestion_taken")
            assert tuple(found[name] for name in names) == seen


def test_a_second_judgement_is_told_as_any_other_to_its_annotator(team: Team) -> None:
    pair = approved(team).pairs.get()
    judged(pair, team.other_annotator)
    draw_sample(
        project=team.project, actor=team.admin, name="A", design=Design(1, seed=1)
    )
    second = judged(pair, team.newcomer)
    root = f"/projects/{team.project.slug}/judgements"
    api = Api(team.newcomer)
    assert api.get(f"{root}/{second.pk}")["state"] == "submitted"
    assert api.get(root, state="unreviewed")["items"] == []
    (listed,) = api.get(root, state="submitted")["items"]
    assert (listed["id"], listed["state"]) == (second.pk, "submitted")
    (seen,) = Api(team.admin).get(root, state="unreviewed")["items"]
    assert (seen["id"], seen["state"]) == (second.pk, "unreviewed")


def test_what_comes_without_a_clock_opens_no_work_session(team: Team) -> None:
    root, pair = f"/projects/{team.project.slug}", approved(team).pairs.get()
    api = Api(team.other_annotator)
    api.post(
        f"{root}/pairs/{pair.pk}/judgements",
        submission_key=str(uuid.uuid4()),
        label="NOT_ENOUGH_INFO",
    )
    assert api.status == 201
    assert not WorkSession.objects.exists()
