"""Somebody submits while a claim is retired; SQLite never lets that happen."""

from __future__ import annotations

import pytest
from django.conf import settings

from annotation.models import Pair
from annotation.services.retiring import retire_claim
from tests.annotation.meanwhile import right_after
from tests.annotation.work import approved, judged
from tests.factories import make_team

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"],
        reason="SQLite lets one transaction write at a time",
    ),
]


def test_a_judgement_at_the_same_moment_does_not_stop_a_retirement() -> None:
    team = make_team(citances=1)
    claim = approved(team)
    pair = claim.pairs.get()

    def submit() -> None:
        judged(pair, team.other_annotator)

    with right_after('FROM "annotation_pair"', submit) as faults:
        retire_claim(claim=claim, actor=team.admin, reason="A duplicate.")

    assert Pair.objects.get().state == "retired"
    assert len(faults) == 1
    assert "taken out of the data set" in faults[0]
