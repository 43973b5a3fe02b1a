"""What an admin wants served first, and the order of the queue in windows."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from annotation.access import get_project
from annotation.models import Claim, Pair, Source, Stage
from annotation.selectors import queue
from annotation.services.leases import take_next
from annotation.services.priorities import set_priority
from corpus.exceptions import DomainError
from corpus.models import Event, User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import approved, written
from tests.factories import ClaimFactory, PairFactory, Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=4)


def prioritise(team: Team, stage: Stage, items: list[int], priority: int) -> int:
    access = get_project(team.admin, team.project.slug)
    return set_priority(access=access, stage=stage, item_ids=items, priority=priority)


def first(team: Team, user: User, stage: Stage) -> int | None:
    lease = take_next(access=get_project(user, team.project.slug), stage=stage)
    return lease.item_id if lease else None


def test_chosen_pairs_are_served_first(team: Team) -> None:
    pairs = [approved(team, f"Tea {n} eases pain.").pairs.get() for n in range(3)]
    assert prioritise(team, Stage.VERIFY, [pairs[2].pk], 5) == 1
    assert first(team, team.other_annotator, Stage.VERIFY) == pairs[2].pk
    assert prioritise(team, Stage.VERIFY, [pairs[0].pk], -1) == 1
    assert first(team, team.admin, Stage.VERIFY) == pairs[1].pk
    assert Event.objects.filter(verb="prioritise").count() == 2
    assert_events_rebuild_the_tables()


def test_chosen_sources_and_claims_are_served_first(team: Team) -> None:
    sources = list(Source.objects.order_by("position"))
    prioritise(team, Stage.WRITE, [sources[3].pk], 1)
    assert first(team, team.other_annotator, Stage.WRITE) == sources[3].pk
    claims = [written(team, f"Tea {n} eases pain.") for n in range(2)]
    prioritise(team, Stage.PROOFREAD, [claims[1].pk], 1)
    assert first(team, team.reviewer, Stage.PROOFREAD) == claims[1].pk


def test_the_same_priority_again_changes_nothing(team: Team) -> None:
    pair = approved(team).pairs.get()
    assert prioritise(team, Stage.VERIFY, [pair.pk], 3) == 1
    assert prioritise(team, Stage.VERIFY, [pair.pk], 3) == 0
    assert Pair.objects.get().priority == 3


def test_items_of_another_project_stay_as_they_are(team: Team) -> None:
    other = make_team(name="Sleep", citances=1)
    pair = approved(other).pairs.get()
    assert prioritise(team, Stage.VERIFY, [pair.pk], 3) == 0
    pair.refresh_from_db()
    assert pair.priority == 0


def test_nonsense_and_nothing_are_refused(team: Team) -> None:
    with pytest.raises(DomainError, match="Choose at least one"):
        prioritise(team, Stage.VERIFY, [], 1)
    with pytest.raises(DomainError, match="lies between"):
        prioritise(team, Stage.VERIFY, [1], 101)
    with pytest.raises(DomainError, match="served by age"):
        prioritise(team, Stage.REVIEW, [1], 1)


def test_only_admins_choose(team: Team) -> None:
    access = get_project(team.reviewer, team.project.slug)
    with pytest.raises(PermissionDenied):
        set_priority(access=access, stage=Stage.VERIFY, item_ids=[1], priority=1)


def test_windows_pass_over_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small windows over several priorities and abstracts give the whole order."""
    monkeypatch.setattr(queue, "WINDOWS", (1, 2, 3))
    documents = None
    for number in range(20):
        claim: Claim = ClaimFactory(project=team.project)
        pair: Pair = PairFactory(
            claim=claim,
            priority=(number * 7) % 3 - 1,
            **({"document": documents} if documents and number % 4 else {}),
        )
        documents = pair.document
    rows = team.project.pairs.all()
    order = queue.ORDER[Stage.VERIFY]
    read = [pk for keys in queue.windows(rows.order_by(*order), order) for pk in keys]
    assert read == list(rows.order_by(*order).values_list("pk", flat=True))
    plain = ("id",)
    read = [pk for keys in queue.windows(rows.order_by(*plain), plain) for pk in keys]
    assert read == list(rows.order_by("id").values_list("pk", flat=True))
