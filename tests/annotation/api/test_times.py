"""Who sees by the API how long somebody worked."""

from __future__ import annotations

import uuid

import pytest

from annotation.models import Judgement, TaskTime, WorkSession
from tests.annotation.api.client import Api
from tests.annotation.work import approved
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
