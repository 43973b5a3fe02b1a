"""The table of all claims and pairs: filters, kept filters, and bulk actions."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation import access as door
from annotation.models import BulkAction, Claim, Lease, Pair, SavedFilter, Skip, Stage
from annotation.services import bulk as bulk_service
from annotation.services import leases, retiring
from annotation.services.early_answers import give_early_answer
from annotation.services.members import add_member
from corpus.exceptions import DomainError
from corpus.models import Event, User
from tests.annotation.replaying import assert_events_rebuild_the_tables
from tests.annotation.work import NOT_ENOUGH_INFO, approved, judged, written
from tests.factories import Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team(citances=8)


def url(team: Team, name: str, *args: int) -> str:
    return reverse(f"annotation:{name}", args=[team.project.slug, *args])


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def listed(team: Team, **query: Any) -> list[int]:
    response = browser(team.admin).get(url(team, "items"), query)
    assert response.status_code == 200
    return [row.item.pk for row in response.context["rows"]]


def change(team: Team, *items: int, **body: Any) -> Any:
    values = {"scope": "ticked", "item": items, "reason": "A duplicate.", **body}
    return browser(team.admin).post(url(team, "change_items"), values, follow=True)


def text(response: Any) -> str:
    return " ".join(response.content.decode().replace("\u202f", " ").split())


def test_every_field_of_the_filter_filters(team: Team) -> None:
    tea, mint, sage = (
        approved(team, f"{herb} helps.") for herb in ("Tea", "Mint", "Sage")
    )
    waiting = written(team, "Thyme helps.")
    judged(tea.pairs.get(), team.other_annotator)
    judged(mint.pairs.get(), team.other_annotator, NOT_ENOUGH_INFO)
    split = team.project.splits.create(name="dev")
    Claim.objects.filter(pk=sage.pk).update(
        split=split, created_at=timezone.now() - timedelta(days=9)
    )
    everything = [tea.pk, mint.pk, sage.pk, waiting.pk]
    assert listed(team) == everything
    assert listed(team, state="submitted") == [waiting.pk]
    assert listed(team, text="mInT") == [mint.pk]
    assert listed(team, label="NOT_ENOUGH_INFO") == [mint.pk]
    assert listed(team, person=team.annotator.pk) == everything
    assert listed(team, person=team.reviewer.pk) == []
    assert listed(team, split=split.pk) == [sage.pk]
    assert listed(team, older_than=8) == [sage.pk]
    document = tea.pairs.get().document
    assert listed(team, document=document.external_id) == [tea.pk]
    assert listed(team, document=document.title.upper()) == [tea.pk]
    pairs = [claim.pairs.get().pk for claim in (tea, mint, sage)]
    assert listed(team, show="pair") == pairs
    assert listed(team, show="pair", state="open") == [pairs[2]]
    assert listed(team, show="pair", label="SUPPORT") == [pairs[0]]
    assert listed(team, show="pair", person=team.other_annotator.pk) == pairs[:2]
    assert listed(team, show="pair", split=split.pk) == [pairs[2]]
    assert listed(team, show="pair", text="mint") == [pairs[1]]
    assert listed(team, show="pair", document=document.external_id) == [pairs[0]]
    assert listed(team, show="pair", older_than=8) == [pairs[2]]


@pytest.mark.parametrize(
    "query",
    [
        {"state": "nonsense"},
        {"person": "x"},
        {"split": "999999"},
        {"older_than": "-3"},
        {"text": "\x00"},
        {"after": "x"},
        {"show": "x"},
        {"text": "x" * 500},
    ],
)
def test_nonsense_filters_nothing_and_does_no_harm(
    team: Team, query: dict[str, str]
) -> None:
    claim = written(team)
    assert listed(team, **query) == [claim.pk]


def test_pages_and_rows_need_a_constant_number_of_queries(
    team: Team, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser(team.admin)
    for show in ("claim", "pair"):
        judged(approved(team, f"{show} one.").pairs.get(), team.other_annotator)
        with CaptureQueriesContext(connection) as before:
            client.get(url(team, "items"), {"show": show})
        for number in range(2):
            claim = approved(team, f"{show} {number}.")
            judged(claim.pairs.get(), team.other_annotator)
        with django_assert_num_queries(len(before)):
            client.get(url(team, "items"), {"show": show})


def test_an_empty_selection_changes_nothing(team: Team) -> None:
    written(team)
    response = change(team, action="retire")
    assert "Nothing is ticked" in text(response)
    assert "A duplicate." in text(response)
    assert not BulkAction.objects.exists()
    assert Claim.objects.get().state == "submitted"


def test_a_project_does_not_change_what_belongs_to_another(team: Team) -> None:
    other = make_team(name="Sleep", citances=1)
    theirs = written(other)
    assert "None of the ticked" in text(change(team, theirs.pk, action="retire"))
    theirs.refresh_from_db()
    assert theirs.state == "submitted"


def test_retiring_many_is_undone_with_all_their_pairs(team: Team) -> None:
    tea, mint = approved(team, "Tea helps."), approved(team, "Mint helps.")
    waiting = written(team, "Thyme helps.")
    judged(tea.pairs.get(), team.other_annotator)
    before = sorted(Pair.objects.values_list("pk", "state"))
    response = change(team, tea.pk, mint.pk, waiting.pk, action="retire")
    assert "3 claims: retired." in text(response)
    assert set(Claim.objects.values_list("state", flat=True)) == {"retired"}
    assert set(Pair.objects.values_list("state", flat=True)) == {"retired"}
    retired = Event.objects.filter(verb="retire", noun="claim")
    assert {event.why for event in retired} == {"A duplicate."}
    assert_events_rebuild_the_tables()
    bulk = BulkAction.objects.get()
    undo = url(team, "undo_change", bulk.pk)
    assert "Undone for 3 claims" in text(browser(team.admin).post(undo, follow=True))
    assert [Claim.objects.get(pk=c.pk).state for c in (tea, mint, waiting)] == [
        "approved",
        "approved",
        "submitted",
    ]
    assert sorted(Pair.objects.values_list("pk", "state")) == before
    assert_events_rebuild_the_tables()
    again = browser(team.admin).post(undo, follow=True)
    assert "cannot be undone" in text(again)


def test_what_was_answered_early_waits_again(team: Team) -> None:
    claim = written(team)
    document = team.corpus.documents.filter(has_abstract=True).first()
    assert document is not None
    early = give_early_answer(
        claim=claim, document=document, annotator=team.annotator, answer=NOT_ENOUGH_INFO
    )
    values: dict[str, Any] = {"project": team.project, "actor": team.admin}
    retiring.retire_claims(claim_ids=[claim.pk], reason="A duplicate.", **values)
    early.refresh_from_db()
    assert early.state == "set_aside"
    assert_events_rebuild_the_tables()
    retiring.restore_claims(claim_ids=[claim.pk], **values)
    early.refresh_from_db()
    assert early.state == "waiting"
    assert_events_rebuild_the_tables()


def test_a_pair_that_was_out_before_its_claim_stays_out(team: Team) -> None:
    claim = approved(team)
    pair = claim.pairs.get()
    values: dict[str, Any] = {"project": team.project, "actor": team.admin}
    retiring.retire_pairs(pair_ids=[pair.pk], reason="Wrong abstract.", **values)
    retiring.retire_claims(claim_ids=[claim.pk], reason="Both.", **values)
    assert retiring.restore_pairs(pair_ids=[pair.pk], **values) == 0
    retiring.restore_claims(claim_ids=[claim.pk], **values)
    claim.refresh_from_db()
    pair.refresh_from_db()
    assert (claim.state, pair.state) == ("approved", "retired")
    assert retiring.restore_pairs(pair_ids=[pair.pk], **values) == 1
    pair.refresh_from_db()
    assert pair.state == "open"
    assert_events_rebuild_the_tables()


def test_retired_claims_are_found_and_restored(team: Team) -> None:
    claim = written(team)
    change(team, claim.pk, action="retire")
    assert listed(team, state="retired") == [claim.pk]
    response = change(team, claim.pk, action="restore", query="state=retired")
    assert "1 claim: restored." in text(response)
    claim.refresh_from_db()
    assert claim.state == "submitted"
    assert_events_rebuild_the_tables()


def test_a_priority_is_set_and_undone_to_what_it_was(team: Team) -> None:
    tea, mint = approved(team, "Tea helps."), approved(team, "Mint helps.")
    pairs = [claim.pairs.get().pk for claim in (tea, mint)]
    Pair.objects.filter(pk=pairs[1]).update(priority=3)
    change(team, *pairs, action="priority", priority="7", query="show=pair")
    assert list(Pair.objects.order_by("pk").values_list("priority", flat=True)) == [
        7,
        7,
    ]
    bulk = BulkAction.objects.get()
    browser(team.admin).post(url(team, "undo_change", bulk.pk))
    assert list(Pair.objects.order_by("pk").values_list("priority", flat=True)) == [
        0,
        3,
    ]


def test_requeue_frees_and_offers_again(team: Team) -> None:
    pair = approved(team).pairs.get()
    other = door.get_project(team.other_annotator, team.project.slug)
    leases.skip_item(
        access=other, stage=Stage.VERIFY, item_id=pair.pk, reason="Unclear."
    )
    admin = door.get_project(team.admin, team.project.slug)
    leases.take_item(access=admin, stage=Stage.VERIFY, item_id=pair.pk)
    response = change(team, pair.pk, action="requeue", query="show=pair")
    assert "1 pair: offered again to all." in text(response)
    assert not Lease.objects.exists()
    assert not Skip.objects.exists()
    assert not BulkAction.objects.get().can_be_undone


def test_all_that_match_are_counted_before_anything_happens(team: Team) -> None:
    for number in range(3):
        written(team, f"Tea {number} helps.")
    written(team, "Mint helps.")
    body = {"action": "retire", "scope": "all", "query": "text=tea"}
    response = change(team, **body)
    assert "3 claims</strong> match" in text(response)
    assert not BulkAction.objects.exists()
    fields = dict(response.context["fields"])
    assert fields["confirmed"] == 3
    # Meanwhile another one comes: the number is shown again.
    written(team, "Tea 9 helps.")
    again = change(team, **{**body, **fields})
    assert "number has changed" in text(again)
    assert not BulkAction.objects.exists()
    done = change(team, **{**body, **dict(again.context["fields"])})
    assert "4 claims: retired." in text(done)
    assert Claim.objects.filter(state="retired").count() == 4


def test_too_many_at_once_are_refused_in_words(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_service, "MOST", 1)
    claims = [written(team, f"Tea {number} helps.").pk for number in range(2)]
    access = door.get_project(team.admin, team.project.slug)
    with pytest.raises(DomainError, match="at most 1 can be changed"):
        bulk_service.act_on_many(
            access=access, noun="claim", item_ids=claims, action="release"
        )


def test_a_reason_and_a_priority_are_asked_for(team: Team) -> None:
    claim = written(team)
    assert "Say why" in text(change(team, claim.pk, action="retire", reason=" "))
    assert "Which priority" in text(
        change(team, claim.pk, action="priority", priority="")
    )
    assert "priority" in text(change(team, claim.pk, action="priority", priority="1e9"))
    assert not BulkAction.objects.exists()


def test_filters_are_kept_shared_and_forgotten(team: Team) -> None:
    admin = browser(team.admin)
    second = make_team(name="Sleep").admin
    add_member(
        project=team.project, user=second, stages=[Stage.ADMIN], actor=team.admin
    )
    for name, shared in (("Mine", ""), ("Ours", "on")):
        body = {"name": name, "query": "state=submitted&text=tea"}
        admin.post(
            url(team, "save_filter"),
            {**body, **({"is_shared": shared} if shared else {})},
        )
    kept = SavedFilter.objects.get(name="Ours")
    assert kept.query == {"state": "submitted", "text": "tea"}
    own = text(admin.get(url(team, "items")))
    assert "Mine" in own
    # PostgreSQL keeps the keys of JSON in an order of its own.
    assert re.search(
        r"\?(state=submitted&amp;text=tea|text=tea&amp;state=submitted)", own
    )
    theirs = text(browser(second).get(url(team, "items")))
    assert "Ours" in theirs
    assert ">Mine" not in theirs
    kept = SavedFilter.objects.get(name="Ours")
    assert browser(second).post(url(team, "delete_filter", kept.pk)).status_code == 404
    admin.post(url(team, "delete_filter", kept.pk))
    assert [f.name for f in SavedFilter.objects.all()] == ["Mine"]
    assert_events_rebuild_the_tables()
