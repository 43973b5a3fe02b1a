"""Handing out work: one item for one person and slot, in the right order."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.access import ProjectAccess, get_project
from annotation.models import Lease, Membership, Pair, Skip, Source, Stage
from annotation.selectors.queue import quota_notice
from annotation.services.claim_reviews import approve_claim
from annotation.services.judgement_reviews import approve_judgement
from annotation.services.leases import (
    release_lease,
    renew_lease,
    restore_lease,
    skip_item,
    take_away,
    take_item,
    take_next,
    unskip_item,
)
from annotation.services.members import change_stages, suspend_member
from annotation.services.retiring import retire_claim
from corpus.exceptions import DomainError, StaleStateError
from corpus.models import Event, User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import approved, judged, written
from tests.factories import (
    ClaimFactory,
    DocumentFactory,
    PairFactory,
    Team,
    make_team,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=3)


def access(team: Team, user: User) -> ProjectAccess:
    return get_project(user, team.project.slug)


def settle(team: Team, **settings: object) -> None:
    team.project.settings = {**team.project.settings, **settings}
    team.project.save(update_fields=["settings"])


def pairs(team: Team, count: int) -> list[Pair]:
    """Open pairs of claims of different families, each on an abstract of its own."""
    return [PairFactory(claim=ClaimFactory(project=team.project)) for _ in range(count)]


def approved_pairs(team: Team, count: int) -> list[Pair]:
    """The same, with all their events: the annotator wrote, the reviewer approved."""
    return [approved(team, f"Tea {n} eases pain.").pairs.get() for n in range(count)]


def take(team: Team, user: User, stage: Stage = Stage.VERIFY) -> int | None:
    lease = take_next(access=access(team, user), stage=stage)
    return None if lease is None else lease.item_id


def test_two_people_get_different_items(team: Team) -> None:
    first, second = pairs(team, 2)
    assert take(team, team.annotator) == first.pk
    assert take(team, team.other_annotator) == second.pk
    assert take(team, team.admin) is None


def test_who_asks_again_gets_the_same_item(team: Team) -> None:
    first, _ = pairs(team, 2)
    assert [take(team, team.annotator) for _ in range(3)] == [first.pk] * 3
    assert Lease.objects.count() == 1


def test_another_item_can_be_loaded_beside_the_one_in_hand(team: Team) -> None:
    first, second = pairs(team, 2)
    take(team, team.annotator)
    beside = take_next(
        access=access(team, team.annotator), stage=Stage.VERIFY, besides=first.pk
    )
    assert beside is not None
    assert beside.item_id == second.pk


def test_no_relative_on_the_same_abstract_is_loaded_beside(team: Team) -> None:
    # Once the first is judged, its judge may not judge the other.
    original = ClaimFactory(project=team.project)
    first = PairFactory(claim=original)
    negation = ClaimFactory(
        project=team.project, negates=original, family=original.family
    )
    relative = PairFactory(claim=negation, document=first.document)
    elsewhere = PairFactory(claim=negation)
    annotator = access(team, team.annotator)
    assert take(team, team.annotator) == first.pk
    beside = take_next(access=annotator, stage=Stage.VERIFY, besides=first.pk)
    assert beside is not None
    assert beside.item_id == elsewhere.pk
    judged(elsewhere, team.annotator)
    assert take_next(access=annotator, stage=Stage.VERIFY, besides=first.pk) is None
    assert take(team, team.other_annotator) == relative.pk


def test_an_item_goes_to_as_many_people_as_it_needs(team: Team) -> None:
    settle(team, judgements_per_pair=2)
    (pair,) = pairs(team, 1)
    assert take(team, team.annotator) == pair.pk
    assert take(team, team.other_annotator) == pair.pk
    assert take(team, team.admin) is None
    slots = Lease.objects.order_by("slot").values_list("slot", flat=True)
    assert list(slots) == [0, 1]


def test_a_judgement_holds_its_slot(team: Team) -> None:
    settle(team, judgements_per_pair=2)
    (pair,) = pairs(team, 1)
    judged(pair, team.annotator)
    assert take(team, team.annotator) is None
    assert take(team, team.other_annotator) == pair.pk
    assert Lease.objects.get().slot == 1
    assert take(team, team.admin) is None


def test_what_expired_goes_to_the_next_person(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(minutes=29), tick=False):
        assert take(team, team.other_annotator) is None
    with time_machine.travel(timezone.now() + timedelta(minutes=31), tick=False):
        assert take(team, team.other_annotator) == pair.pk
        assert Lease.objects.get().person == team.other_annotator
        assert take(team, team.annotator) is None


def test_activity_keeps_an_item(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        renew_lease(user=team.annotator, stage=Stage.VERIFY, item_id=pair.pk)
    with time_machine.travel(timezone.now() + timedelta(minutes=40), tick=False):
        assert take(team, team.other_annotator) is None


def test_the_minutes_are_a_setting(team: Team) -> None:
    settle(team, lease_minutes=5)
    pairs(team, 1)
    take(team, team.annotator)
    lease = Lease.objects.get()
    assert lease.expires_at - lease.taken_at == timedelta(minutes=5)


def test_what_is_lost_is_not_renewed(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        take(team, team.other_annotator)
        with pytest.raises(StaleStateError, match="What you wrote is still here"):
            renew_lease(user=team.annotator, stage=Stage.VERIFY, item_id=pair.pk)


@pytest.mark.parametrize("people", [1, 2])
def test_what_was_judged_meanwhile_is_not_renewed(team: Team, people: int) -> None:
    settle(team, judgements_per_pair=people)
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        judged(pair, team.other_annotator)
        if people == 2:
            assert take(team, team.admin) == pair.pk
        with pytest.raises(StaleStateError, match="What you wrote is still here"):
            renew_lease(user=team.annotator, stage=Stage.VERIFY, item_id=pair.pk)
        with pytest.raises(StaleStateError):
            take_item(
                access=access(team, team.annotator),
                stage=Stage.VERIFY,
                item_id=pair.pk,
            )
        assert take(team, team.annotator) is None


def test_who_comes_back_gets_the_slot_that_is_left(team: Team) -> None:
    settle(team, judgements_per_pair=2)
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert judged(pair, team.other_annotator).slot == 0
        assert take(team, team.annotator) == pair.pk
        assert Lease.objects.get().slot == 1
        assert take(team, team.admin) is None


def test_an_item_can_be_opened_by_its_address(team: Team) -> None:
    first, second = pairs(team, 2)
    lease = take_item(
        access=access(team, team.annotator), stage=Stage.VERIFY, item_id=second.pk
    )
    assert lease.item_id == second.pk
    with pytest.raises(StaleStateError, match="Somebody else has this one"):
        take_item(
            access=access(team, team.other_annotator),
            stage=Stage.VERIFY,
            item_id=second.pk,
        )
    assert take(team, team.other_annotator) == first.pk


def test_what_is_done_cannot_be_opened(team: Team) -> None:
    (pair,) = pairs(team, 1)
    judged(pair, team.annotator)
    with pytest.raises(StaleStateError, match="no longer waiting for you"):
        take_item(
            access=access(team, team.other_annotator),
            stage=Stage.VERIFY,
            item_id=pair.pk,
        )


def test_nobody_takes_without_the_permission(team: Team) -> None:
    pairs(team, 1)
    with pytest.raises(PermissionDenied):
        take(team, team.reviewer)


def test_a_permission_taken_away_frees_the_items(team: Team) -> None:
    pairs(team, 1)
    door = access(team, team.annotator)
    take_next(access=door, stage=Stage.VERIFY)
    change_stages(
        membership=team.membership(team.annotator), stages=["write"], actor=team.admin
    )
    assert not Lease.objects.exists()
    # A request that began before still holds the old membership.
    assert take_next(access=door, stage=Stage.VERIFY) is None
    with pytest.raises(StaleStateError, match="no longer"):
        take_item(access=door, stage=Stage.VERIFY, item_id=1)


def test_a_suspended_member_holds_nothing(team: Team) -> None:
    pairs(team, 1)
    take(team, team.annotator)
    suspend_member(membership=team.membership(team.annotator), actor=team.admin)
    assert not Lease.objects.exists()
    assert Membership.objects.get(user=team.annotator).state == "suspended"


def test_skipped_items_go_to_others_and_do_not_come_back(team: Team) -> None:
    first, second = approved_pairs(team, 2)
    take(team, team.other_annotator)
    skip_item(
        access=access(team, team.other_annotator),
        stage=Stage.VERIFY,
        item_id=first.pk,
        reason=" Too technical. ",
    )
    assert take(team, team.other_annotator) == second.pk
    assert take(team, team.admin) == first.pk
    skip = Skip.objects.get()
    assert skip.reason == "Too technical."
    assert Event.objects.get(noun="skip").why == "Too technical."
    assert_events_rebuild_the_tables()


def test_a_skip_needs_a_reason(team: Team) -> None:
    (pair,) = pairs(team, 1)
    with pytest.raises(DomainError, match="Say why"):
        skip_item(
            access=access(team, team.annotator),
            stage=Stage.VERIFY,
            item_id=pair.pk,
            reason=" ",
        )


def test_a_skip_can_be_taken_back(team: Team) -> None:
    (pair,) = approved_pairs(team, 1)
    skip_item(
        access=access(team, team.other_annotator),
        stage=Stage.VERIFY,
        item_id=pair.pk,
        reason="Later",
    )
    assert take(team, team.other_annotator) is None
    skip = Skip.objects.get()
    assert unskip_item(skip=skip, actor=team.other_annotator)
    assert not unskip_item(skip=skip, actor=team.other_annotator)
    assert take(team, team.other_annotator) == pair.pk
    assert_events_rebuild_the_tables()


def test_a_skipped_source_is_put_aside_for_everybody(team: Team) -> None:
    source = team.sources[0]
    assert take(team, team.annotator, Stage.WRITE) == source.pk
    skip_item(
        access=access(team, team.annotator),
        stage=Stage.WRITE,
        item_id=source.pk,
        reason="No finding",
    )
    source.refresh_from_db()
    assert source.state == Source.State.SKIPPED
    assert take(team, team.other_annotator, Stage.WRITE) == team.sources[1].pk
    assert not Lease.objects.filter(person=team.annotator).exists()


def test_who_lost_an_item_still_submits_while_a_slot_is_free(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert judged(pair, team.annotator).slot == 0
    assert not Lease.objects.exists()


def test_who_lost_an_item_to_somebody_hears_so(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        take(team, team.other_annotator)
        with pytest.raises(StaleStateError, match="Somebody else has this one"):
            judged(pair, team.annotator)
        assert judged(pair, team.other_annotator).slot == 0


def test_nobody_submits_past_those_who_hold_the_item(team: Team) -> None:
    settle(team, judgements_per_pair=2)
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    assert judged(pair, team.other_annotator).slot == 1
    with pytest.raises(StaleStateError, match="Somebody else"):
        judged(pair, team.admin)
    assert judged(pair, team.annotator).slot == 0


def test_a_source_in_hand_is_not_written_from_by_others(team: Team) -> None:
    take(team, team.other_annotator, Stage.WRITE)
    with pytest.raises(StaleStateError, match="Somebody else"):
        written(team)  # by the annotator, from the first source
    assert team.project.sources.filter(state=Source.State.OPEN).count() == 3


def test_finished_work_is_in_nobodys_hands(team: Team) -> None:
    take(team, team.annotator, Stage.WRITE)
    claim = written(team)
    take(team, team.reviewer, Stage.PROOFREAD)
    approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)
    take(team, team.other_annotator)
    judgement = judged(claim.pairs.get(), team.other_annotator)
    take(team, team.reviewer, Stage.REVIEW)
    approve_judgement(judgement=judgement, reviewer=team.reviewer, expected_version=1)
    assert not Lease.objects.exists()
    assert_events_rebuild_the_tables()


def test_a_retired_claim_is_in_nobodys_hands(team: Team) -> None:
    claim = approved(team)
    take(team, team.other_annotator)
    retire_claim(claim=claim, actor=team.admin, reason="Withdrawn")
    assert not Lease.objects.exists()


def test_an_admin_releases_and_gives_back(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    lease = Lease.objects.get()
    assert take_away(lease=lease, actor=team.admin)
    assert take_away(lease=lease, actor=team.admin) is None
    restore_lease(
        access=access(team, team.annotator),
        stage=Stage.VERIFY,
        item_id=pair.pk,
        actor=team.admin,
    )
    assert Lease.objects.get().person == team.annotator
    verbs = Event.objects.filter(noun="lease").order_by("id").values_list("verb")
    assert [verb for (verb,) in verbs] == ["release", "restore"]


def test_an_item_can_be_given_back(team: Team) -> None:
    (pair,) = pairs(team, 1)
    take(team, team.annotator)
    assert release_lease(user=team.annotator, stage=Stage.VERIFY, item_id=pair.pk)
    assert not release_lease(user=team.annotator, stage=Stage.VERIFY, item_id=pair.pk)
    assert take(team, team.other_annotator) == pair.pk


def test_claims_to_proofread_are_handed_out(team: Team) -> None:
    claim = written(team)
    assert take(team, team.reviewer, Stage.PROOFREAD) == claim.pk
    assert take(team, team.admin, Stage.PROOFREAD) is None
    with pytest.raises(PermissionDenied):
        take(team, team.annotator, Stage.PROOFREAD)


def test_judgements_to_review_are_handed_out(team: Team) -> None:
    judgement = judged(pairs(team, 1)[0], team.annotator)
    assert take(team, team.reviewer, Stage.REVIEW) == judgement.pk
    assert take(team, team.admin, Stage.REVIEW) is None


def test_an_abstract_is_read_to_its_end_by_one_person(team: Team) -> None:
    document, other = DocumentFactory.create_batch(2, corpus=team.corpus)
    one, two = (
        PairFactory(claim=ClaimFactory(project=team.project), document=document)
        for _ in range(2)
    )
    elsewhere = PairFactory(claim=ClaimFactory(project=team.project), document=other)
    assert take(team, team.annotator) == one.pk
    assert take(team, team.other_annotator) == elsewhere.pk
    judged(one, team.annotator)
    assert take(team, team.annotator) == two.pk


def test_one_family_is_never_served_twice_in_a_row(team: Team) -> None:
    settle(team, verifier="anyone")
    claim = ClaimFactory(project=team.project)
    negation = ClaimFactory(project=team.project, family=claim.family, negates=claim)
    document = DocumentFactory(corpus=team.corpus)
    first = PairFactory(claim=claim, document=document)
    relative = PairFactory(claim=negation, document=document)
    stranger = PairFactory(claim=ClaimFactory(project=team.project))
    judged(first, team.annotator)
    assert take(team, team.annotator) == stranger.pk
    judged(stranger, team.annotator)
    assert take(team, team.annotator) == relative.pk


def test_a_family_alone_is_still_served(team: Team) -> None:
    settle(team, verifier="anyone")
    claim = ClaimFactory(project=team.project)
    first, second = (PairFactory(claim=claim) for _ in range(2))
    judged(first, team.annotator)
    assert take(team, team.annotator) == second.pk


def test_a_claim_of_the_own_family_is_never_handed_out(team: Team) -> None:
    PairFactory(claim=ClaimFactory(project=team.project, author=team.annotator))
    assert take(team, team.annotator) is None


def test_the_daily_number_counts_what_is_done_and_in_hand(team: Team) -> None:
    settle(team, daily_quota=2)
    first, second, third = pairs(team, 3)
    judged(first, team.annotator)
    assert take(team, team.annotator) == second.pk
    with pytest.raises(DomainError, match="last of your daily number"):
        take_item(
            access=access(team, team.annotator), stage=Stage.VERIFY, item_id=third.pk
        )
    judged(second, team.annotator)
    assert take(team, team.annotator) is None
    assert take(team, team.other_annotator) == third.pk


def test_a_new_day_begins_at_midnight_utc(team: Team) -> None:
    settle(team, daily_quota=1)
    first, second = pairs(team, 2)
    with time_machine.travel("2026-05-03T23:59:00+00:00", tick=False):
        judged(first, team.annotator)
        assert take(team, team.annotator) is None
        with timezone.override("Asia/Kolkata"):
            notice = quota_notice(access(team, team.annotator), Stage.VERIFY)
        assert "00:00 UTC, which is 05:30 in your time zone" in notice
    with time_machine.travel("2026-05-04T00:00:00+00:00", tick=False):
        assert quota_notice(access(team, team.annotator), Stage.VERIFY) == ""
        assert take(team, team.annotator) == second.pk
