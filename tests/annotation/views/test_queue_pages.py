"""Keeping an item in hand, who holds what, and what was left to others."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from annotation.access import get_project
from annotation.models import Draft, Lease, Pair, Skip, Stage
from annotation.selectors import queue
from annotation.selectors.queue import Left, left_for
from annotation.selectors.work import passage_parts
from annotation.services.leases import skip_item, take_item, take_next
from annotation.services.members import change_stages
from corpus.models import User
from tests.annotation.work import approved, judged
from tests.factories import ClaimFactory, PairFactory, Team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(db: None) -> Team:
    return make_team(citances=4)


@pytest.fixture
def pair(team: Team) -> Pair:
    return approved(team).pairs.get()


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(team: Team, rest: str) -> str:
    return f"/projects/{team.project.slug}/{rest}"


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


def _pair_number(team: Team, number: int) -> Pair:
    claim = ClaimFactory(
        project=team.project, position=100 + number, external_id=f"more-{number}"
    )
    made: Pair = PairFactory(claim=claim)
    return made


def expire() -> None:
    Lease.objects.update(expires_at=timezone.now() - timedelta(minutes=1))


def test_opening_a_pair_puts_it_into_ones_hands(team: Team, pair: Pair) -> None:
    response = browser(team.other_annotator).get(address(team, f"verify/{pair.pk}/"))
    assert response.status_code == 200
    assert f"/leases/verify/{pair.pk}/renew/" in words(response)
    assert Lease.objects.get().person == team.other_annotator


def test_a_pair_in_other_hands_is_not_opened(team: Team, pair: Pair) -> None:
    door = get_project(team.other_annotator, team.project.slug)
    take_item(access=door, stage=Stage.VERIFY, item_id=pair.pk)
    client = browser(team.admin)
    response = client.get(address(team, f"verify/{pair.pk}/"), follow=True)
    assert "Somebody else has this one in front of them now." in words(response)
    assert "What waits now is in front of other people" in words(response)


def test_the_page_keeps_its_item(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    client.get(address(team, f"verify/{pair.pk}/"))
    expire()
    answer = client.post(address(team, f"leases/verify/{pair.pk}/renew/"))
    assert answer.status_code == 200
    assert Lease.objects.get().expires_at > timezone.now() + timedelta(minutes=29)


def test_a_lost_item_that_is_still_free_is_taken_again(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    answer = client.post(address(team, f"leases/verify/{pair.pk}/renew/"))
    assert answer.status_code == 200
    assert Lease.objects.get().person == team.other_annotator


def test_the_page_hears_that_its_item_is_lost(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    client.get(address(team, f"verify/{pair.pk}/"))
    expire()
    door = get_project(team.admin, team.project.slug)
    take_next(access=door, stage=Stage.VERIFY)
    answer = client.post(address(team, f"leases/verify/{pair.pk}/renew/"))
    assert answer.status_code == 409
    assert "What you wrote is still here" in answer.json()["message"]


def test_a_demotion_in_mid_item_loses_nothing(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    client.get(address(team, f"verify/{pair.pk}/"))
    kept = client.post(
        address(team, f"drafts/verify/{pair.pk}/"),
        {"content": '{"label": "SUPPORT"}', "version": "0"},
    )
    assert kept.status_code == 200, kept.content
    membership = team.membership(team.other_annotator)
    change_stages(membership=membership, stages=["write"], actor=team.admin)
    refused = client.post(address(team, f"verify/{pair.pk}/"), {"label": "SUPPORT"})
    assert refused.status_code == 403
    assert "You do not have the permission for this step." in words(refused)
    assert Draft.objects.get(user=team.other_annotator).content == {"label": "SUPPORT"}
    # Somebody else can take the pair at once.
    door = get_project(team.admin, team.project.slug)
    assert take_next(access=door, stage=Stage.VERIFY) is not None


def test_a_pair_is_left_to_others(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    skip = address(team, f"leases/verify/{pair.pk}/skip/")
    sent = {"chosen": "The claim is unclear", "note": "Which tea?"}
    response = client.post(skip, sent, follow=True)
    assert "Left to others. You will not get this one again." in words(response)
    page = words(client.get(address(team, "skips/")))
    assert "The claim is unclear: Which tea?" in page
    assert pair.claim.text in page
    client.post(address(team, f"skips/{Skip.objects.get().pk}/take-back/"))
    assert not Skip.objects.exists()
    response = client.get(address(team, "verify/"))
    assert response["Location"] == address(team, f"verify/{pair.pk}/")


def test_another_reason_wants_words(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    skip = address(team, f"leases/verify/{pair.pk}/skip/")
    response = client.post(skip, {"chosen": "Another reason", "note": " "}, follow=True)
    assert "Say why you leave this one to others." in words(response)
    assert not Skip.objects.exists()


def test_own_skips_are_seen_by_oneself_and_by_admins(team: Team, pair: Pair) -> None:
    client = browser(team.other_annotator)
    sent = {"chosen": "The claim is unclear"}
    client.post(address(team, f"leases/verify/{pair.pk}/skip/"), sent)
    assert team.other_annotator.display_name in words(
        browser(team.admin).get(address(team, "skips/"))
    )
    others = words(browser(team.annotator).get(address(team, "skips/")))
    assert "Nothing is left to others" in others


def test_an_admin_releases_and_takes_that_back(team: Team, pair: Pair) -> None:
    browser(team.other_annotator).get(address(team, f"verify/{pair.pk}/"))
    client = browser(team.admin)
    page = words(client.get(address(team, "holds/")))
    assert team.other_annotator.display_name in page
    assert pair.claim.text in page
    lease = Lease.objects.get()
    response = client.post(address(team, f"holds/{lease.pk}/release/"), follow=True)
    assert "Released. It waits for others" in words(response)
    assert not Lease.objects.exists()
    event = response.context["released"][0]
    response = client.post(address(team, f"holds/{event.pk}/restore/"), follow=True)
    assert "has it again" in words(response)
    assert Lease.objects.get().person == team.other_annotator


def test_what_somebody_else_took_is_not_given_back(team: Team, pair: Pair) -> None:
    browser(team.other_annotator).get(address(team, f"verify/{pair.pk}/"))
    client = browser(team.admin)
    response = client.post(
        address(team, f"holds/{Lease.objects.get().pk}/release/"), follow=True
    )
    event = response.context["released"][0]
    client.get(address(team, f"verify/{pair.pk}/"))
    response = client.post(address(team, f"holds/{event.pk}/restore/"), follow=True)
    assert "Somebody else has this one" in words(response)


def test_what_a_demoted_person_had_is_not_given_back(team: Team, pair: Pair) -> None:
    browser(team.other_annotator).get(address(team, f"verify/{pair.pk}/"))
    client = browser(team.admin)
    response = client.post(
        address(team, f"holds/{Lease.objects.get().pk}/release/"), follow=True
    )
    event = response.context["released"][0]
    membership = team.membership(team.other_annotator)
    change_stages(membership=membership, stages=["write"], actor=team.admin)
    response = client.post(address(team, f"holds/{event.pk}/restore/"), follow=True)
    assert "may no longer do this work" in words(response)


def test_the_page_of_holds_asks_as_often_for_many_as_for_one(
    team: Team, pair: Pair, django_assert_max_num_queries: Any
) -> None:
    client = browser(team.admin)
    now = timezone.now()
    judgement = judged(pair, team.other_annotator)
    items = [
        (Stage.WRITE, team.sources[3].pk),
        (Stage.PROOFREAD, pair.claim_id),
        (Stage.REVIEW, judgement.pk),
        *((Stage.VERIFY, _pair_number(team, number).pk) for number in range(20)),
    ]
    for stage, pk in items:
        Lease.objects.create(
            project=team.project,
            stage=stage,
            item_id=pk,
            person=team.annotator,
            taken_at=now,
            active_at=now,
            expires_at=now,
        )
    client.get(address(team, "holds/"))
    with django_assert_max_num_queries(16):
        page = words(client.get(address(team, "holds/")))
    assert page.count("over: whoever asks next gets it") == len(items)


def test_a_source_in_hand_is_listed_by_its_words(team: Team) -> None:
    take_next(access=get_project(team.annotator, team.project.slug), stage=Stage.WRITE)
    source = team.project.sources.get(pk=Lease.objects.get().item_id)
    parts = passage_parts(source)
    assert parts is not None
    page = words(browser(team.admin).get(address(team, "holds/")))
    assert f'<span dir="auto">{escape(parts.citance)}</span>' in page
    assert f'href="{address(team, "holds/")}" aria-current="page"' in page


def test_the_daily_number_is_explained(team: Team, pair: Pair) -> None:
    team.project.settings = {**team.project.settings, "daily_quota": 1}
    team.project.save(update_fields=["settings"])
    judged(pair, team.other_annotator)
    approved(team, "Mint tea eases pain.")
    page = words(browser(team.other_annotator).get(address(team, "verify/")))
    assert "You have done your 1 for today." in page
    assert "00:00 UTC" in page


def test_a_page_of_work_says_how_much_is_left_for_its_reader(team: Team) -> None:
    client = browser(team.annotator)
    page = words(client.get(address(team, "write/"), follow=True))
    assert '<span class="num">4</span> sources left for you' in page
    first, second = approved(team), approved(team, "Mint tea eases pain.")
    page = words(client.get(address(team, "write/"), follow=True))
    assert '<span class="num">2</span> sources left for you' in page
    page = words(client.get(address(team, "negate/"), follow=True))
    assert '<span class="num">2</span> claims left for you' in page
    other = browser(team.other_annotator)
    page = words(other.get(address(team, f"verify/{first.pairs.get().pk}/")))
    assert '<span class="num">2</span> pairs left for you' in page
    # The next one is loaded while the first is not sent yet.
    besides = f"verify/next/?besides={first.pairs.get().pk}"
    piece = other.get(address(team, besides), headers={"HX-Request": "true"})
    assert f'data-pair="{second.pairs.get().pk}"' in words(piece)
    assert '<span class="num">1</span> pair left for you' in words(piece)


def test_what_others_did_or_one_left_to_others_is_not_left_for_oneself(
    team: Team, pair: Pair
) -> None:
    access = get_project(team.other_annotator, team.project.slug)
    other = approved(team, "Mint tea eases pain.").pairs.get()
    assert left_for(access, Stage.VERIFY) == Left(2, is_more=False)
    skip_item(access=access, stage=Stage.VERIFY, item_id=pair.pk, reason="Too far.")
    assert left_for(access, Stage.VERIFY) == Left(1, is_more=False)
    judged(other, team.admin)
    assert left_for(access, Stage.VERIFY) == Left(0, is_more=False)
    writer = get_project(team.annotator, team.project.slug)
    assert left_for(writer, Stage.VERIFY) == Left(0, is_more=False)


def test_the_count_ends_where_nobody_counts_any_more(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = get_project(team.annotator, team.project.slug)
    monkeypatch.setattr(queue, "WINDOWS", (2, 2, 2))
    monkeypatch.setattr(queue, "MOST_COUNTED", 2)
    assert left_for(access, Stage.WRITE) == Left(2, is_more=True)
    page = words(browser(team.annotator).get(address(team, "write/"), follow=True))
    assert 'At least <span class="num">2</span> sources left for you' in page
    monkeypatch.setattr(queue, "MOST_COUNTED", 5)
    assert left_for(access, Stage.WRITE) == Left(4, is_more=False)
