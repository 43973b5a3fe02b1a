"""Many processes ask for work at once: no item has more people than it needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.access import get_project
from annotation.models import Judgement, Lease, Pair, Stage
from annotation.services.leases import take_item, take_next
from annotation.services.members import add_member
from annotation.services.projects import change_project, settings_key
from corpus.models import User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.running import crowd, race
from tests.annotation.work import approved, judged
from tests.factories import Team, UserFactory, make_team

PROCESSES = 20

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def team(transactional_db: None) -> Team:
    return make_team(citances=12)


def _need(team: Team, judgements: int) -> None:
    project = team.project
    change_project(
        project=project,
        actor=team.admin,
        seen=settings_key(project),
        name=project.name,
        description=project.description,
        visibility=project.visibility,
        rules=replace(project.rules, judgements_per_pair=judgements),
        labels=project.labels,
    )
    project.refresh_from_db()


def _verifiers(team: Team, size: int) -> list[User]:
    people: list[User] = [UserFactory() for _ in range(size)]
    for person in people:
        add_member(
            project=team.project,
            user=person,
            stages=[Stage.VERIFY],
            actor=team.admin,
            state="trusted",
        )
    return people


def _pairs(team: Team, count: int) -> list[Pair]:
    return [approved(team, f"Tea {n} eases pain.").pairs.get() for n in range(count)]


def _expire() -> None:
    """Let the time of everything in hand run out."""
    Lease.objects.update(expires_at=timezone.now() - timedelta(minutes=1))


@pytest.mark.parametrize(("judgements", "pairs"), [(1, 12), (2, 7)])
def test_twenty_who_ask_at_once_get_no_item_too_often(
    team: Team, tmp_path: Path, judgements: int, pairs: int
) -> None:
    _need(team, judgements)
    _pairs(team, pairs)
    people = _verifiers(team, PROCESSES)
    results = crowd(tmp_path, "take_pair", team.project.pk, people)
    places = judgements * pairs
    assert results.count("won: nothing") == PROCESSES - places
    holders = Counter(Lease.objects.values_list("item_id", flat=True))
    assert len(holders) == pairs
    assert set(holders.values()) == {judgements}
    assert Lease.objects.values("person").distinct().count() == places


def test_pairs_worked_off_by_many_have_exactly_their_judgements(
    team: Team, tmp_path: Path
) -> None:
    _need(team, 2)
    pairs = _pairs(team, 8)
    people = _verifiers(team, 5)
    results = crowd(tmp_path, "verify_all", team.project.pk, people)
    done = sum(int(result.removeprefix("won: ")) for result in results)
    assert done == Judgement.objects.count() == 2 * len(pairs)
    assert {pair.judgements.count() for pair in pairs} == {2}
    assert not Lease.objects.exists()
    assert not Pair.objects.filter(state=Pair.State.OPEN).exists()
    assert_events_rebuild_the_tables()


def test_one_of_many_reviewers_gets_to_open_a_judgement(
    team: Team, tmp_path: Path
) -> None:
    judgement = judged(_pairs(team, 1)[0], team.other_annotator)
    people = [team.reviewer, team.admin]
    results = crowd(tmp_path, "open_judgement", judgement.pk, people)
    assert results.count("won") == 1
    (loser,) = (result for result in results if result != "won")
    assert "Somebody else has this one" in loser
    assert Lease.objects.filter(stage=Stage.REVIEW).count() == 1


def test_who_loses_the_permission_ends_with_nothing_in_hand(
    team: Team, tmp_path: Path
) -> None:
    _pairs(team, 4)
    person = team.other_annotator
    membership = team.membership(person)
    race(
        tmp_path,
        [
            *[("take_pair", team.project.pk, person)] * 3,
            ("demote", membership.pk, team.admin),
        ],
    )
    assert team.membership(person).stages == ["write"]
    assert not Lease.objects.filter(person=person).exists()


def test_tabs_of_one_person_that_ask_at_once_get_one_item(
    team: Team, tmp_path: Path
) -> None:
    _pairs(team, 4)
    tabs = [team.other_annotator] * 4
    assert len(set(crowd(tmp_path, "take_pair", team.project.pk, tabs))) == 1
    assert Lease.objects.count() == 1


def test_who_took_an_expired_item_over_is_the_one_who_submits(
    team: Team, tmp_path: Path
) -> None:
    (pair,) = _pairs(team, 1)
    first, second = _verifiers(team, 2)
    take_next(access=get_project(first, team.project.slug), stage=Stage.VERIFY)
    _expire()
    take_item(
        access=get_project(second, team.project.slug),
        stage=Stage.VERIFY,
        item_id=pair.pk,
    )
    results = race(
        tmp_path, [("judge_pair", pair.pk, person) for person in (first, second)]
    )
    assert results[1] == "won"
    assert results[0].startswith("lost: ")
    assert Judgement.objects.get().annotator == second


def test_one_of_those_who_come_too_late_still_submits(
    team: Team, tmp_path: Path
) -> None:
    (pair,) = _pairs(team, 1)
    people = _verifiers(team, 3)
    take_next(access=get_project(people[0], team.project.slug), stage=Stage.VERIFY)
    _expire()
    results = crowd(tmp_path, "judge_pair", pair.pk, people)
    assert results.count("won") == 1
    assert all("in the meantime" in r for r in results if r != "won")
    assert Judgement.objects.count() == 1
