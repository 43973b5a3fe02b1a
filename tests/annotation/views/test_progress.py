"""Progress, people and what is stuck, for a project's admins."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from time_machine import Traveller

from annotation import access as door
from annotation.models import Claim, Judgement, Lease, Notice, Pair, Stage
from annotation.seconds import Seconds
from annotation.selectors import work
from annotation.selectors.progress import people_of, stages_of
from annotation.selectors.stuck import people_for, stuck_lists
from annotation.services import judgement_reviews, leases
from annotation.services.accounts import set_active
from annotation.services.claim_reviews import approve_claim, request_claim_changes
from annotation.services.disagreements import disagree_with_claim_review
from annotation.services.negations import negate_claim
from annotation.services.work_time import record_time
from corpus.exceptions import DomainError
from corpus.models import Event, User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import CONTRADICT, SUPPORT, approved, judged, written
from tests.factories import ClaimFactory, PairFactory, Team, make_team

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    """A clock that the test moves."""
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


@pytest.fixture
def team(clock: Traveller) -> Team:
    return make_team(citances=8)


def url(team: Team, name: str) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug])


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(team: Team, name: str, **data: Any) -> str:
    text: str = browser(team.admin).get(url(team, name), data).content.decode()
    return " ".join(text.replace("\u202f", " ").split())


def sent_back(team: Team, judgement: Judgement) -> Judgement:
    return judgement_reviews.request_judgement_changes(
        judgement=judgement,
        reviewer=team.reviewer,
        reason_code="missing_rationale",
        note="See the second sentence.",
        expected_version=1,
    )


def returned(team: Team) -> Claim:
    return request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="no_context",
        note="What helps?",
        expected_version=1,
    )


def give(team: Team, **body: Any) -> Any:
    person = body.pop("person")
    return browser(team.admin).post(
        url(team, "reassign"), {**body, "person": person.pk}, follow=True
    )


def undo(team: Team, response: Any) -> Any:
    """Press the button that the page offers."""
    (_, token), *_ = response.context["undo"]["fields"]
    return browser(team.admin).post(
        url(team, "undo_reassign"), {"token": token}, follow=True
    )


def test_the_lines_end_where_the_tables_stand(team: Team, clock: Traveller) -> None:
    pairs = [approved(team, f"Tea {n} helps.").pairs.get() for n in range(4)]
    written(team, "Tea is old.")
    clock.shift(DAY)
    for pair in pairs[:3]:
        judged(pair, team.other_annotator)
    clock.shift(DAY)
    judgement_reviews.approve_judgement(
        judgement=pairs[0].judgements.get(), reviewer=team.reviewer, expected_version=1
    )
    stages = stages_of(team.project, ZoneInfo("UTC"), (MONDAY + 2 * DAY).date())
    write, proofread, verify, review = stages
    assert (write.in_all, write.through) == ([8, 8, 8], [5, 5, 5])
    assert (proofread.in_all, proofread.through) == ([5, 5, 5], [4, 4, 4])
    assert (verify.in_all, verify.through) == ([4, 4, 4], [0, 3, 3])
    assert (review.in_all, review.through) == ([0, 3, 3], [0, 0, 1])
    for stage, model in ((proofread, Claim), (verify, Pair)):
        states = dict(model.objects.values_list("state").annotate(Count("pk")))
        assert stage.through[-1] == sum(
            states.get(state, 0) for state in stage.rule.through
        )


@pytest.mark.parametrize(
    ("zone", "midnight"),
    [
        ("UTC", "2026-11-30T00:00"),
        ("Europe/Berlin", "2026-11-29T23:00"),
        ("Asia/Kolkata", "2026-11-29T18:30"),
        ("Asia/Kathmandu", "2026-11-29T18:15"),
    ],
)
def test_the_lines_change_at_the_readers_midnight(
    team: Team, zone: str, midnight: str
) -> None:
    first = written(team, "Tea is old.").pk
    second = written(team, "Mint is old.").pk
    at = datetime.fromisoformat(f"{midnight}+00:00")
    for claim, moment in ((first, at - timedelta(seconds=1)), (second, at)):
        Event.objects.filter(noun="claim", object_id=claim).update(at=moment)
    stages = stages_of(team.project, ZoneInfo(zone), MONDAY.date())
    assert list(stages[1].days)[-2:] == [MONDAY.date() - DAY, MONDAY.date()]
    assert stages[1].in_all[-2:] == [1, 2]


def test_a_row_that_is_imported_twice_counts_once(team: Team) -> None:
    claim = written(team)
    for _ in range(2):  # as a second import writes it: without the state it leaves
        Event.objects.create(
            noun="claim",
            object_id=claim.pk,
            verb="import",
            project_id=team.project.pk,
            to_state="imported",
        )
    proofread = stages_of(team.project, ZoneInfo("UTC"), MONDAY.date())[1]
    assert (proofread.in_all, proofread.through) == ([1], [1])


def test_people_are_listed_by_name_with_their_figures(
    team: Team, clock: Traveller
) -> None:
    other = team.other_annotator
    pairs = [approved(team, f"Tea {n} helps.").pairs.get() for n in range(3)]
    for pair, seconds in zip(pairs, (10, 20, 90), strict=True):
        judged(pair, other)
        record_time(
            project=team.project,
            person=other,
            stage="verify",
            item_id=pair.pk,
            seconds=Seconds(seconds, seconds),
        )
    sent_back(team, pairs[0].judgements.get())
    people = {row.person: row for row in people_of(team.project)}
    row = people[other]
    assert (row.done, row.verified, row.waiting, row.returned) == (3, 3, 2, 1)
    assert row.times["verify"] == (3, 20, 90)
    assert people[team.annotator].written == 3
    assert people[team.reviewer].proofread == 3
    assert people[team.reviewer].reviewed == 1
    names = [str(row.person) for row in people_of(team.project)]
    assert names == sorted(names, key=str.casefold)
    text = page(team, "progress")
    assert '<th scope="colgroup" colspan="3" class="cd-colgroup">Active seconds' in text
    assert text.count('role="img"') == 4


def test_a_page_of_progress_asks_as_often_for_much_as_for_little(
    team: Team, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser(team.admin)
    written(team, "Tea is old.")
    for name in ("progress", "stuck"):
        with CaptureQueriesContext(connection) as before:
            client.get(url(team, name))
        judged(approved(team, f"Tea is {name}.").pairs.get(), team.other_annotator)
        with django_assert_num_queries(len(before)):
            client.get(url(team, name))


@pytest.mark.parametrize(
    "query",
    [{"days": "x"}, {"days": "-1"}, {"people": "0"}, {"sort": "x", "stage": "x"}],
)
def test_nonsense_in_the_address_does_no_harm(
    team: Team, query: dict[str, str]
) -> None:
    assert browser(team.admin).get(url(team, "stuck"), query).status_code == 200
    assert browser(team.admin).get(url(team, "progress"), query).status_code == 200


def test_a_claim_that_waits_too_long_gets_another_author_and_back(
    team: Team, clock: Traveller
) -> None:
    claim = request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="no_context",
        note="What helps?",
        expected_version=1,
    )
    assert not stuck_lists(team.project, datetime.now(UTC))[0].items
    clock.shift(4 * DAY)
    (item,) = stuck_lists(team.project, datetime.now(UTC))[0].items
    assert (item.pk, item.person, item.since) == (claim.pk, team.annotator, MONDAY)
    response = give(
        team, kind="claim", stage="write", item=claim.pk, person=team.other_annotator
    )
    claim.refresh_from_db()
    assert claim.author == team.other_annotator
    assert claim.versions.get().author == team.annotator
    assert_events_rebuild_the_tables()
    undo(team, response)
    claim.refresh_from_db()
    assert claim.author == team.annotator
    assert_events_rebuild_the_tables()


def test_an_old_undo_does_not_override_a_newer_hand_over(team: Team) -> None:
    claim = returned(team)
    values = {"kind": "claim", "stage": "write", "item": claim.pk}
    first = give(team, **values, person=team.other_annotator)
    second = give(team, **values, person=team.admin)
    refused = undo(team, first)
    assert "has been given this claim in the meantime" in refused.content.decode()
    claim.refresh_from_db()
    assert claim.author == team.admin
    undo(team, second)
    claim.refresh_from_db()
    assert claim.author == team.other_annotator
    assert "in the meantime" in undo(team, first).content.decode()
    assert_events_rebuild_the_tables()


def test_who_is_given_a_claim_is_told_where_to_answer(team: Team) -> None:
    claim = returned(team)
    values = {"kind": "claim", "stage": "write", "item": claim.pk}
    given = give(team, **values, person=team.other_annotator)
    notice = Notice.objects.get(user=team.other_annotator)
    assert notice.text == (
        "An admin gave you a claim that came back: “Nettle tea does not ease knee "
        "pain”. Answer the reviewer."
    )
    assert browser(team.other_annotator).get(notice.url).status_code == 200
    # Who has not read it yet need not read it any more.
    undo(team, given)
    assert not Notice.objects.filter(user=team.other_annotator).exists()
    assert_events_rebuild_the_tables()


def test_a_negation_that_came_back_goes_to_somebody_who_negates(
    team: Team, clock: Traveller
) -> None:
    negation = request_claim_changes(
        claim=negate_claim(
            original=approved(team),
            author=team.other_annotator,
            text="Nettle tea eases knee pain.",
            submission_key=uuid.uuid4(),
        ),
        reviewer=team.reviewer,
        reason_code="no_context",
        note="What helps?",
        expected_version=1,
    )
    clock.shift(4 * DAY)
    (item,) = stuck_lists(team.project, datetime.now(UTC))[0].items
    assert (item.pk, item.stage) == (negation.pk, Stage.NEGATE)
    values = {"kind": "claim", "stage": "negate", "item": negation.pk}
    membership = team.membership(team.annotator)
    membership.stages = [Stage.WRITE]
    membership.save()
    refused = give(team, **values, person=team.annotator)
    assert "may not negate claims here" in refused.content.decode()
    membership.stages = [Stage.NEGATE]
    membership.save()
    give(team, **values, person=team.annotator)
    access = door.get_project(team.annotator, team.project.slug)
    assert list(work.returned_negations(access)) == [negation]


def test_who_was_given_a_claim_and_disagrees_does_not_decide_on_it(
    team: Team,
) -> None:
    claim = request_claim_changes(
        claim=written(team),
        reviewer=team.reviewer,
        reason_code="no_context",
        note="What helps?",
        expected_version=1,
    )
    give(team, kind="claim", stage="write", item=claim.pk, person=team.admin)
    claim.refresh_from_db()
    disagree_with_claim_review(
        claim=claim,
        author=team.admin,
        text="The context is there.",
        expected_version=1,
        submission_key=uuid.uuid4(),
    )
    access = door.get_project(team.admin, team.project.slug)
    assert list(work.claims_to_proofread(access)) == []
    with pytest.raises(DomainError, match="that they wrote"):
        approve_claim(claim=claim, reviewer=team.admin, expected_version=1)
    approve_claim(claim=claim, reviewer=team.reviewer, expected_version=1)


def test_a_judgement_that_waits_too_long_goes_to_somebody_else_and_back(
    team: Team, clock: Traveller
) -> None:
    pair = approved(team).pairs.get()
    judgement = sent_back(team, judged(pair, team.other_annotator))
    clock.shift(4 * DAY)
    (item,) = stuck_lists(team.project, datetime.now(UTC))[1].items
    assert item.person == team.other_annotator
    response = give(
        team, kind="judgement", stage="verify", item=judgement.pk, person=team.admin
    )
    judgement.refresh_from_db()
    pair.refresh_from_db()
    assert (judgement.state, judgement.slot, pair.state) == ("rejected", None, "open")
    lease = Lease.objects.get(stage="verify", item_id=pair.pk)
    assert lease.person == team.admin
    assert lease.expires_at == datetime.now(UTC) + DAY
    assert_events_rebuild_the_tables()
    undo(team, response)
    judgement.refresh_from_db()
    pair.refresh_from_db()
    assert (judgement.state, judgement.slot) == ("changes_requested", 0)
    assert pair.state == "changes_requested"
    assert not Lease.objects.exists()
    assert_events_rebuild_the_tables()


def test_it_cannot_be_taken_back_once_somebody_has_judged_instead(
    team: Team, clock: Traveller
) -> None:
    pair = approved(team).pairs.get()
    judgement = sent_back(team, judged(pair, team.other_annotator))
    response = give(
        team, kind="judgement", stage="verify", item=judgement.pk, person=team.admin
    )
    judged(pair, team.admin)
    assert (
        "has judged this pair in the meantime" in undo(team, response).content.decode()
    )
    judgement.refresh_from_db()
    assert judgement.state == "rejected"


def test_nobody_gets_what_the_rules_keep_from_them(team: Team) -> None:
    """The annotator wrote the claim, so an admin cannot give them its pair."""
    pair = approved(team).pairs.get()
    judgement = sent_back(team, judged(pair, team.other_annotator))
    response = give(
        team,
        kind="judgement",
        stage="verify",
        item=judgement.pk,
        person=team.annotator,
    )
    assert "cannot get this one" in response.content.decode()
    judgement.refresh_from_db()
    assert judgement.state == "changes_requested"
    assert judgement.slot == 0


def test_what_was_taken_and_left_is_listed_and_given(
    team: Team, clock: Traveller
) -> None:
    pair = approved(team).pairs.get()
    access = door.get_project(team.other_annotator, team.project.slug)
    leases.take_item(access=access, stage=Stage.VERIFY, item_id=pair.pk)
    assert not stuck_lists(team.project, datetime.now(UTC))[2].items
    clock.shift(DAY)
    (item,) = stuck_lists(team.project, datetime.now(UTC))[2].items
    assert (item.pk, item.person) == (pair.pk, team.other_annotator)
    assert "Nettle tea does not ease knee pain." in page(team, "stuck")
    response = give(team, kind="lease", stage="verify", item=pair.pk, person=team.admin)
    assert Lease.objects.get().person == team.admin
    undo(team, response)
    assert not Lease.objects.exists()


def test_what_was_given_for_a_day_stays_so_when_it_is_opened(
    team: Team, clock: Traveller
) -> None:
    pair = approved(team).pairs.get()
    give(team, kind="skip", stage="verify", item=pair.pk, person=team.admin)
    until = datetime.now(UTC) + DAY
    clock.shift(timedelta(hours=1))
    access = door.get_project(team.admin, team.project.slug)
    leases.take_item(access=access, stage=Stage.VERIFY, item_id=pair.pk)
    assert Lease.objects.get().expires_at == until
    leases.renew_lease(user=team.admin, stage=Stage.VERIFY, item_id=pair.pk)
    assert Lease.objects.get().expires_at == until
    clock.shift(timedelta(hours=22, minutes=50))
    leases.renew_lease(user=team.admin, stage=Stage.VERIFY, item_id=pair.pk)
    assert Lease.objects.get().expires_at == until + timedelta(minutes=20)


def test_only_as_much_is_taken_as_somebody_needs(team: Team, clock: Traveller) -> None:
    team.project.settings["judgements_per_pair"] = 2
    team.project.save()
    membership = team.membership(team.reviewer)
    membership.stages = [Stage.VERIFY]
    membership.save()
    pair = PairFactory(claim=ClaimFactory(project=team.project))

    def holders() -> set[User]:
        return {lease.person for lease in Lease.objects.select_related("person")}

    def given(person: User) -> None:
        give(team, kind="skip", stage="verify", item=pair.pk, person=person)

    access = door.get_project(team.other_annotator, team.project.slug)
    leases.take_item(access=access, stage=Stage.VERIFY, item_id=pair.pk)
    clock.shift(timedelta(minutes=1))
    given(team.admin)
    assert holders() == {team.other_annotator, team.admin}
    given(team.admin)
    assert holders() == {team.other_annotator, team.admin}
    # Both slots are taken: whoever has done nothing for the longest time loses it.
    clock.shift(timedelta(minutes=1))
    given(team.reviewer)
    assert holders() == {team.admin, team.reviewer}
    assert Event.objects.filter(noun="lease", verb="release").count() == 1


def test_what_several_people_skipped_is_listed(team: Team) -> None:
    pair = approved(team).pairs.get()
    for person in (team.other_annotator, team.admin):
        access = door.get_project(person, team.project.slug)
        leases.skip_item(
            access=access, stage=Stage.VERIFY, item_id=pair.pk, reason="Unclear."
        )
    (item,) = stuck_lists(team.project, datetime.now(UTC))[3].items
    assert (item.pk, item.why) == (pair.pk, "skipped by 2 people")
    assert not stuck_lists(team.project, datetime.now(UTC), people=3)[3].items


def test_a_skipped_negation_is_not_to_be_given(team: Team) -> None:
    """It is put aside for everybody, until an admin brings it back."""
    claim = approved(team)
    access = door.get_project(team.other_annotator, team.project.slug)
    leases.skip_item(
        access=access, stage=Stage.NEGATE, item_id=claim.pk, reason="Only “not”."
    )
    lists = stuck_lists(team.project, datetime.now(UTC), people=1)
    assert not any(found.items for found in lists)


def test_nothing_is_given_to_a_deactivated_account(team: Team) -> None:
    pair = approved(team).pairs.get()
    assert team.other_annotator in people_for(team.project)["verify"]
    set_active(user=team.other_annotator, is_active=False, actor=team.admin)
    assert team.other_annotator not in people_for(team.project)["verify"]
    response = give(
        team, kind="skip", stage="verify", item=pair.pk, person=team.other_annotator
    )
    assert "is no active member" in response.content.decode()
    assert not Lease.objects.exists()


def test_judgements_that_disagree_are_listed(team: Team) -> None:
    team.project.settings["judgements_per_pair"] = 2
    team.project.save()
    pair = approved(team).pairs.get()
    for judge, answer in ((team.other_annotator, SUPPORT), (team.admin, CONTRADICT)):
        judgement_reviews.approve_judgement(
            judgement=judged(pair, judge, answer),
            reviewer=team.reviewer,
            expected_version=1,
        )
    (item,) = stuck_lists(team.project, datetime.now(UTC))[4].items
    assert (item.pk, item.why) == (pair.pk, "opposite labels")


def test_a_forged_undo_does_nothing(team: Team) -> None:
    response = browser(team.admin).post(
        url(team, "undo_reassign"), {"token": "x:y:z"}, follow=True
    )
    assert "can no longer be undone" in response.content.decode()
